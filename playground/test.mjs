// Drives the playground in a headless Chromium, by the DevTools protocol over Node's own WebSocket:
// node playground/test.mjs. SCREENSHOTS=FOLDER saves pictures. Without Chromium it says so and passes.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const PAGE = fileURLToPath(new URL("../.build/playground", import.meta.url));
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".wasm": "application/wasm",
};
/** How long anything may take to appear, in milliseconds. */
const PATIENCE = 20_000;

const browserPath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
if (browserPath === undefined || typeof WebSocket === "undefined") {
  console.log(`skipped: there is no ${browserPath === undefined ? "Chromium" : "WebSocket in this Node (22, or 20 with "
    + "--experimental-websocket)"} here, so the playground is not driven`);
  process.exit(0);
}

// The server and the browser

const FOLDER = "/tools/filters/";

const requests = [];
const missing = [];
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  requests.push(path);
  try {
    // The page is served at two addresses.
    const below = path.startsWith(FOLDER) ? path.slice(FOLDER.length - 1) : path;
    const file = join(PAGE, below === "/" ? "index.html" : below);
    const data = await readFile(file);
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" }).end(data);
  } catch {
    missing.push(path);
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${server.address().port}/`;

const profile = await mkdtemp(join(tmpdir(), "playground-"));
const browser = spawn(browserPath, [
  "--headless=new", "--disable-gpu", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0",
  `--user-data-dir=${profile}`, "--window-size=1280,900", "about:blank",
], { stdio: ["ignore", "ignore", "pipe"] });
const endpoint = await new Promise((done, fail) => {
  let text = "";
  browser.stderr.on("data", (data) => {
    text += data;
    const match = /DevTools listening on (ws:\S+)/.exec(text);
    if (match !== null) done(match[1]);
  });
  browser.on("exit", () => fail(new Error(`the browser ends: ${text}`)));
});

class Page {
  #socket;
  #next = 1;
  #replies = new Map();
  exceptions = [];

  static async open(url) {
    const page = new Page();
    page.#socket = new WebSocket(url);
    await new Promise((done) => page.#socket.addEventListener("open", done));
    page.#socket.addEventListener("message", ({ data }) => page.#receive(JSON.parse(data)));
    await page.send("Runtime.enable");
    await page.send("Page.enable");
    await page.send("Log.enable");
    return page;
  }

  #receive(message) {
    if (message.method === "Runtime.exceptionThrown") {
      const { exceptionDetails: details } = message.params;
      this.exceptions.push(details.exception?.description ?? details.text);
    }
    if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
      this.exceptions.push(message.params.entry.text);
    }
    const reply = this.#replies.get(message.id);
    if (reply === undefined) return;
    this.#replies.delete(message.id);
    if (message.error === undefined) reply.done(message.result);
    else reply.fail(new Error(message.error.message));
  }

  send(method, params = {}) {
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, fail) => this.#replies.set(id, { done, fail }));
  }

  /** Returns the value of an expression in the page. */
  async value(expression) {
    const reply = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (reply.exceptionDetails !== undefined) {
      throw new Error(`${expression}: ${reply.exceptionDetails.exception?.description ?? reply.exceptionDetails.text}`);
    }
    return reply.result.value;
  }

  /** Waits until an expression is true. */
  async until(expression, what = expression) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      if (await this.value(`Boolean(${expression})`)) return;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error(`waited in vain: ${what}; verdict "${await this.text("#verdict")}"`);
  }

  text(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)})?.textContent.replace(/\\s+/g, " ").trim()`);
  }

  async go(url) {
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url });
    await this.until(`document.body?.classList.contains("ready")`, "the page");
    await this.settle();
  }

  /** Waits for two frames, after which everything is shown. */
  settle() {
    return this.value(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`);
  }

  /** Scrolls an element into view, and returns the place of its middle. */
  middle(selector) {
    return this.value(`(() => {
      const one = document.querySelector(${JSON.stringify(selector)});
      one.scrollIntoView({ block: "center" });
      const box = one.getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    })()`);
  }

  /** Clicks the middle of an element, by the mouse. */
  async click(selector) {
    const place = await this.middle(selector);
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.send("Input.dispatchMouseEvent", { type, ...place, button: "left", clickCount: 1 });
    }
    await this.settle();
  }

  /** Touches the middle of an element. */
  async tap(selector) {
    const place = await this.middle(selector);
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [place] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await this.settle();
  }

  /** Presses a key, with modifiers: 1 is Alt, 2 Ctrl, 8 Shift. */
  async press(key, modifiers = 0, code = key) {
    const codes = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39, Backspace: 8, " ": 32 };
    const text = key === "Enter" ? "\r" : key === " " && modifiers === 0 ? " " : undefined;
    const event = { key, code, modifiers, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
    await this.send("Input.dispatchKeyEvent", { type: text === undefined ? "rawKeyDown" : "keyDown", text, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    await this.settle();
  }

  /** Types a text, key by key. */
  async type(text) {
    for (const character of text) {
      await this.send("Input.dispatchKeyEvent", { type: "keyDown", text: character, key: character });
      await this.send("Input.dispatchKeyEvent", { type: "keyUp", key: character });
    }
    await this.settle();
  }

  /** Empties the editor and types a filter there. */
  async filter(text) {
    await this.value(`document.getElementById("filter").focus(), document.getElementById("filter").select()`);
    await this.press("Backspace");
    await this.type(text);
    await this.press("Escape");
  }

  /** Sets the value of a field as if it were pasted; the field is shown for that if it is behind a tab. */
  async paste(id, text) {
    const tab = { context: "tab-json", schema: "tab-schema", config: "tab-campaign", filter: "tab-filter" }[id];
    if (tab !== undefined) await this.click(`#${tab}`);
    await this.value(`(() => {
      const field = document.getElementById(${JSON.stringify(id)});
      field.focus(); field.select(); document.execCommand("insertText", false, ${JSON.stringify(text)});
      if (field.value !== ${JSON.stringify(text)}) throw new Error("the field ${id} cannot be pasted into");
    })()`);
    await this.settle();
    if (tab === "tab-json" || tab === "tab-schema") await this.click("#tab-controls");
  }

  async size(width, height, scheme = "light") {
    await this.send("Emulation.setScrollbarsHidden", { hidden: true });
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await this.settle();
  }

  async picture(name) {
    if (process.env.SCREENSHOTS === undefined) return;
    await mkdir(process.env.SCREENSHOTS, { recursive: true });
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
    await writeFile(join(process.env.SCREENSHOTS, `${name}.png`), Buffer.from(data, "base64"));
  }
}

// Expectations

let count = 0;

function expect(isTrue, what) {
  count++;
  if (!isTrue) throw new Error(what);
}

function equal(found, expected, what) {
  expect(found === expected, `${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}

function contains(found, part, what) {
  expect(found?.includes(part), `${what}: ${JSON.stringify(part)} is not in ${JSON.stringify(found)}`);
}

const filterText = `document.getElementById("filter").value`;
const focusedID = `document.activeElement.id`;

const tests = {
  async "diagnostics appear while typing, with squiggle, caret, note and fix"(page) {
    await page.filter(`device.platfrm == "iOS"`);
    contains(await page.text("#problems .message"), "unknown attribute device.platfrm", "the message");
    equal(await page.text("#paper .warning"), "device", "the start of the squiggle");
    equal(await page.value(`[...document.querySelectorAll("#paper .warning")].map((one) => one.textContent).join("")`),
      "device.platfrm", "the squiggle");
    contains(await page.text("#problems .excerpt"), "^".repeat("device.platfrm".length), "the carets");
    contains(await page.text("#problems .note"), "counts as zero or empty", "the note");
    equal(await page.text("#problem-count"), "1 warning", "the live region");
    await page.click("#problems .fix");
    equal(await page.value(filterText), `device.platform == "iOS"`, "the filter after the fix");
    equal(await page.text("#problem-count"), "No problems", "the live region after the fix");
  },

  async "a syntax error keeps the page working"(page) {
    await page.filter(`user.age >= && (`);
    equal(await page.text("#problems .badge"), "error", "the severity");
    equal(await page.text("#verdict"), "The filter has an error", "the verdict");
    equal(await page.value(`document.getElementById("filter").getAttribute("aria-invalid")`), "true", "aria-invalid");
    await page.filter(`true`);
    equal(await page.text("#verdict"), "Matches", "the verdict");
  },

  async "offsets are right after characters outside of ASCII"(page) {
    await page.filter(`user.name == "Zoë 🏄" && device.platfrm == "iOS"`);
    equal(await page.value(`[...document.querySelectorAll("#paper .warning")].map((one) => one.textContent).join("")`),
      "device.platfrm", "the squiggle");
    await page.click("#problems .fix");
    equal(await page.value(filterText), `user.name == "Zoë 🏄" && device.platform == "iOS"`, "the filter");
  },

  async "completion offers attributes, values and attributes of the user, and applies them"(page) {
    await page.paste("context", `{"user": {"favouriteBeach": "Hossegor"}}`);
    await page.filter("");
    await page.type("device.plat");
    contains(await page.text("#completion-list"), "platform", "the list");
    equal(await page.value(`document.getElementById("filter").getAttribute("aria-activedescendant")`), "completion-0",
      "aria-activedescendant");
    await page.press("Tab");
    equal(await page.value(filterText), "device.platform", "after Tab");
    await page.type(` == "i`);
    contains(await page.text("#completion-list"), "iOS", "the values");
    await page.press("Enter");
    equal(await page.value(filterText), `device.platform == "iOS"`, "after Enter");
    await page.type(" && user.fav");
    contains(await page.text("#completion-list"), "favouriteBeach", "attributes of the user");
    await page.press("Escape");
    equal(await page.value(`document.getElementById("completions").hidden`), true, "hidden after Escape");
    await page.press(" ", 2, "Space");
    equal(await page.value(`document.getElementById("completions").hidden`), false, "open after Ctrl+Space");
    await page.click("#completion-list li");
    equal(await page.value(filterText), `device.platform == "iOS" && user.favouriteBeach`, "after a click");
  },

  async "formatting lays the filter out and can be undone"(page) {
    await page.filter(`user.age>=18&&device.platform=="iOS"`);
    await page.press("F", 9, "KeyF");
    equal(await page.value(filterText), `user.age >= 18 && device.platform == "iOS"`, "after formatting");
    await page.value(`document.execCommand("undo")`);
    equal(await page.value(filterText), `user.age>=18&&device.platform=="iOS"`, "after undo");
    await page.click("#format");
    equal(await page.value(filterText), `user.age >= 18 && device.platform == "iOS"`, "by the button");
  },

  async "controls come from the schema and change the user"(page) {
    await page.paste("context", `{"user": {"age": 12}, "device": {"platform": "Android", "isSandbox": true}}`);
    await page.filter(`user.age >= 18 && device.platform == "iOS" && device.isLowPowerModeEnabled`);
    equal(await page.text("#verdict"), "No match", "the verdict");
    equal(await page.value(`document.getElementById("value-user-age-slider").max`), "120", "the schema's maximum");
    await page.paste("value-user-age", "25");
    equal(await page.value(`JSON.parse(document.getElementById("context").value).user.age`), 25, "the JSON");
    equal(await page.value(`document.getElementById("value-user-age-slider").value`), "25", "the slider");
    await page.value(`(() => { const one = document.getElementById("value-device-platform"); one.value = "iOS";
      one.dispatchEvent(new Event("change")); })()`);
    await page.settle();
    equal(await page.text("#verdict"), "No match", "the verdict");
    await page.click("#value-device-isLowPowerModeEnabled-set");
    equal(await page.text("#verdict"), "Matches", "the verdict");
    await page.click("#value-device-isLowPowerModeEnabled");
    equal(await page.value(`document.getElementById("value-device-isLowPowerModeEnabled").getAttribute("aria-checked")`),
      "false", "the switch");
    equal(await page.text("#verdict"), "No match", "the verdict");
    await page.click("#value-user-age-remove");
    equal(await page.value(`"age" in JSON.parse(document.getElementById("context").value).user`), false, "removed");
    equal(await page.value(focusedID), "value-user-age-set", "the focus after removing");
  },

  async "an attribute can be added, and the schema gives controls of its own"(page) {
    await page.paste("schema", `{"attributes": {"user.tier": {"type": "string", "values": ["gold", "silver"]}}, "closed": []}`);
    await page.paste("new-attribute", "user.tier");
    await page.press("Enter");
    equal(await page.value(`document.getElementById("value-user-tier").tagName`), "SELECT", "the control");
    equal(await page.value(`JSON.parse(document.getElementById("context").value).user.tier`), "gold", "the value");
    await page.paste("schema", `{"attributes": {"user.tier": {"type": "colour"}}}`);
    contains(await page.text("#schema-note"), "unknown type", "the mistake in the schema");
  },

  async "the explanation shows the tree, and the smallest change makes the filter match"(page) {
    await page.paste("context", `{"user": {"age": 12, "plan": "free"}, "device": {"platform": "iOS"}}`);
    await page.filter(`user.age >= 18 && (user.plan == "pro" || device.platform == "iOS")`);
    equal(await page.text("#verdict"), "No match", "the verdict");
    equal(await page.text("#why .deciding code"), "user.age >= 18", "the deciding condition");
    contains(await page.text("#why"), "user.age is 12", "what was read");
    contains(await page.text("#changes"), "user.age is 12, needs", "the change");
    await page.click("#apply-change");
    equal(await page.text("#verdict"), "Matches", "the verdict after the change");
    expect(await page.value(`JSON.parse(document.getElementById("context").value).user.age >= 18`), "the new age");
  },

  async "functions of the app read their results from the user"(page) {
    await page.paste("context", `{"user": {}, "host": {"daysSince(app_open)": 3}}`);
    await page.filter(`device.daysSince("app_open") > 14`);
    equal(await page.text("#verdict"), "No match", "the verdict");
    contains(await page.text("#changes"), "daysSince", "the change names the call");
    await page.paste("value-device-daysSince--app_open--", "20");
    equal(await page.text("#verdict"), "Matches", "the verdict");
    equal(await page.value(`JSON.parse(document.getElementById("context").value).host["daysSince(app_open)"]`), 20, "the JSON");
  },

  async "mistakes in the JSON of the user are told"(page) {
    await page.paste("context", `{"user": {"age": }}`);
    equal(await page.value(`document.getElementById("context").getAttribute("aria-invalid")`), "true", "aria-invalid");
    expect((await page.text("#context-note")).length > 10, "the sentence");
    equal(await page.text("#verdict"), "The user is not JSON", "the verdict");
    await page.paste("context", `{"user": {"age": 20}}`);
    await page.filter("user.age > 18");
    equal(await page.text("#verdict"), "Matches", "the verdict");
  },

  async "the campaign view says who matches, and why not"(page) {
    await page.paste("context", `{"user": {"plan": "trial", "sessions": 2}}`);
    await page.paste("config", JSON.stringify({
      trigger_options: [{
        event_name: "open_reports", rules: [
          { experiment_id: "broken", expression_cel: "user.plan = ", variants: [] },
          {
            experiment_id: "trial", expression_cel: `user.plan == "trial" && user.sessions >= 5`,
            occurrence: { key: "k", max_count: 2, interval: { type: "MINUTES", minutes: 60 } },
            variants: [{ variant_type: "TREATMENT", variant_id: "a", percentage: 100, paywall_identifier: "pw" }],
          },
          { experiment_id: "everyone", variants: [{ variant_type: "HOLDOUT", variant_id: "b", percentage: 100 }] },
          { experiment_id: "late", expression_cel: "true", variants: [] },
        ],
      }],
    }));
    const states = `[...document.querySelectorAll(".audience .title .badge")].map((one) => one.textContent).join(", ")`;
    equal(await page.value(states), "does not compile, no match, matches, not tried", "the audiences");
    contains(await page.text(".placement .outcome"), "everyone matches: 100 % holdout", "the outcome");
    contains(await page.text(".audience:nth-child(2)"), "user.sessions is 2", "why not");
    contains(await page.text(".audience:nth-child(2)"), "At most 2 times in 1 hour", "the limit");
    await page.paste("value-user-sessions", "7");
    equal(await page.value(states), "does not compile, matches, not tried, not tried", "the audiences after the change");
    contains(await page.text(".placement .outcome"), "trial matches: 100 % pw", "the outcome after the change");
    await page.click(".audience:nth-child(2) button");
    equal(await page.value(filterText), `user.plan == "trial" && user.sessions >= 5`, "the filter in the editor");
    equal(await page.text("#verdict"), "Matches", "the verdict");
    await page.paste("config", `{"trigger_options": `);
    contains(await page.text("#config-note"), "This is not JSON", "the mistake");
  },

  async "the campaign view says what audiences leave for each other"(page) {
    const rule = (id, filter, limit) => ({
      experiment_id: id, expression_cel: filter, variants: [],
      ...(limit === undefined ? {} : { occurrence: { key: id, max_count: limit, interval: "INFINITY" } }),
    });
    await page.paste("config", JSON.stringify({
      trigger_options: [
        { event_name: "all", rules: [
          rule("first", "user.seed < 50"), rule("teen", "user.seed == 17"), rule("second", "user.seed >= 50"),
          rule("never", "user.seed > 200"), { experiment_id: "rest", variants: [] },
        ] },
        { event_name: "some", rules: [rule("once", "user.seed < 50", 1), rule("low", "user.seed < 20")] },
      ],
    }));
    const notes = (placement) => page.value(`[...document.querySelectorAll(".placement:nth-child(${placement}) .audience")]
      .map((one) => one.querySelector(".order")?.textContent ?? "").join(" | ")`);
    equal(await notes(1), " | No user gets here: first takes all of them first. |  | No user matches this filter. | "
      + "No user gets here: first and second take all of them first.", "what is left");
    equal(await page.text(".placement:nth-child(1) .coverage"), "Every user is in one of the audiences.", "the first placement");
    // A limit lets users through.
    equal(await notes(2), " | Shares users with once, which comes first.", "what is shared");
    equal(await page.text(".placement:nth-child(2) .coverage"), "Some users are in none of the audiences.", "the second placement");
    contains(await page.text("#config-note"), "2 placements, 7 audiences, of which 3 audiences get no users", "the overview");
  },

  async "the page works below a folder"(page) {
    await page.go(`${address}${FOLDER.slice(1)}`);
    await page.filter(`device.platfrm == "iOS"`);
    contains(await page.text("#problems .message"), "unknown attribute device.platfrm", "the message");
    expect((await page.value("location.pathname")) === FOLDER, "the folder");
    await page.click("#tab-campaign");
    contains(await page.text("#config-note"), "placement", "the campaign");
  },

  async "a fix and a change of the user can be undone"(page) {
    await page.filter(`device.platfrm == "iOS"`);
    await page.click("#problems .fix");
    await page.value(`document.execCommand("undo")`);
    equal(await page.value(filterText), `device.platfrm == "iOS"`, "after undo");
    await page.value(`document.execCommand("redo")`);
    equal(await page.value(filterText), `device.platform == "iOS"`, "after redo");
  },

  async "everything can be reached by touch"(page) {
    await page.size(375, 800);
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    try {
      await page.filter(`device.platfrm == "iOS"`);
      for (const selector of ["#problems .fix", "#tab-json", "#tab-controls", "#tab-campaign", "#tab-filter"]) {
        await page.tap(selector);
        if (selector === "#problems .fix") {
          equal(await page.value(filterText), `device.platform == "iOS"`, "the filter after the fix");
        } else {
          equal(await page.value(`document.querySelector("${selector}").getAttribute("aria-selected")`), "true", selector);
        }
      }
      const small = await page.value(`[...document.querySelectorAll("button, select, summary, input")]
        .filter((one) => one.offsetParent !== null && one.type !== "checkbox" && one.type !== "range")
        .filter((one) => one.getBoundingClientRect().height < 24)
        .map((one) => one.id || one.textContent.trim()).join(", ")`);
      equal(small, "", "controls of less than 24 pixels");
    } finally {
      await page.send("Emulation.setTouchEmulationEnabled", { enabled: false });
      await page.size(1280, 900);
    }
  },

  async "every example opens without errors, and nobody of them matches"(page) {
    const titles = await page.value(`[...document.getElementById("examples").options].slice(1).map((one) => one.text)`);
    expect(titles.length >= 10, "the number of examples");
    for (const [index, title] of titles.entries()) {
      await page.value(`(() => { const one = document.getElementById("examples"); one.value = "${index}";
        one.dispatchEvent(new Event("change")); })()`);
      await page.settle();
      equal(await page.text("#problem-count"), "No problems", title);
      equal(await page.text("#verdict"), "No match", title);
    }
  },

  async "a link carries everything"(page) {
    await page.paste("context", `{"user": {"name": "Zoë", "age": 30}}`);
    await page.paste("config", `{"trigger_options": []}`);
    await page.paste("schema", `{"user.age": "int"}`);
    await page.click("#tab-filter");
    await page.filter(`user.name == "Zoë" && user.age > 40`);
    await page.value(`document.getElementById("dialect").value = "cel",
      document.getElementById("dialect").dispatchEvent(new Event("change"))`);
    await page.click("#share");
    await page.until(`document.getElementById("share").textContent !== "Copy link"`, "the link");
    const link = await page.value("location.href");
    expect(link.length < 1_000, `the length of the link, ${link.length}`);
    const before = await page.value(fieldValues);
    await page.go(link);
    equal(await page.value(fieldValues), before, "the fields");
    equal(await page.text("#verdict"), "No match", "the verdict");
    await page.go(`${address}#no-link-at-all`);
    expect(await page.value(`document.getElementById("filter").value.length > 0`), "a broken link opens the page");
  },

  async "everything can be done by keyboard"(page) {
    await page.value(`document.activeElement.blur()`);
    const visited = [];
    for (let index = 0; index < 60; index++) {
      await page.press("Tab");
      const id = await page.value(`document.activeElement.id || document.activeElement.className
        || document.activeElement.tagName`);
      if (id === "BODY" || visited[0] === id) break;
      visited.push(id);
    }
    for (const id of ["skip", "tab-filter", "examples", "share", "dialect", "format", "filter", "tab-controls", "new-attribute"]) {
      expect(visited.includes(id), `Tab reaches ${id}: ${visited.join(", ")}`);
    }
    expect(visited.indexOf("filter") < visited.indexOf("tab-controls"), "the order of the focus");
    expect(!visited.includes("tab-campaign"), "one stop for a list of tabs");
    await page.value(`document.getElementById("tab-filter").focus()`);
    await page.press("ArrowRight");
    equal(await page.value(focusedID), "tab-campaign", "the arrow moves between tabs");
    equal(await page.value(`document.getElementById("view-campaign").hidden`), false, "the arrow opens the view");
    await page.press("ArrowRight");
    equal(await page.value(focusedID), "tab-filter", "the arrow comes around");
  },

  async "every control has a name, and every id is used once"(page) {
    for (const tab of ["tab-filter", "tab-campaign"]) {
      await page.click(`#${tab}`);
      const { nodes } = await page.send("Accessibility.getFullAXTree");
      const roles = ["button", "textbox", "combobox", "slider", "switch", "spinbutton", "tab", "tabpanel", "listbox"];
      const nameless = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value)
        && (node.name?.value ?? "") === "");
      equal(nameless.map((node) => node.role.value).join(", "), "", `controls without a name in ${tab}`);
      equal(await page.value(`[...document.querySelectorAll("[id]")].map((one) => one.id)
        .filter((id, index, all) => all.indexOf(id) !== index).join(", ")`), "", `ids that are not unique in ${tab}`);
      equal(await page.value(`[...document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby], label[for]")]
        .flatMap((one) => [one.getAttribute("aria-controls"), one.getAttribute("aria-labelledby"),
          one.getAttribute("aria-describedby"), one.getAttribute("for")])
        .filter((id) => id !== null && document.getElementById(id) === null).join(", ")`), "", `references in ${tab}`);
    }
  },

  async "nothing scrolls sideways at 375 pixels"(page) {
    await page.filter(`user.someVeryLongAttributeNameThatGoesOnAndOn == "${"x".repeat(80)}" && device.platfrm == "iOS"`);
    await page.size(375, 800);
    for (const tab of ["tab-filter", "tab-campaign", "tab-json", "tab-schema", "tab-controls"]) {
      await page.value(`document.getElementById("${tab}").click()`);
      await page.settle();
      equal(await page.value("document.documentElement.scrollWidth"), 375, `the width of ${tab}; too wide: ${
        await page.value(`[...document.querySelectorAll("main *")].filter((one) =>
          one.getBoundingClientRect().right > 376).map((one) => one.id || one.className).join(", ")`)}`);
    }
    await page.size(1280, 900);
  },
};

const fieldValues = `JSON.stringify(["filter", "dialect", "context", "schema", "config"]
  .map((id) => document.getElementById(id).value))`;

/** Prints how long a page takes that has nothing in its cache, until the first diagnosis is shown. */
async function measureStart(page) {
  await page.send("Network.enable");
  await page.send("Network.setCacheDisabled", { cacheDisabled: true });
  const times = [];
  for (let index = 0; index < 5; index++) {
    await page.go(address);
    times.push(await page.value(`performance.getEntriesByName("ready")[0].startTime`));
  }
  await page.send("Network.setCacheDisabled", { cacheDisabled: false });
  times.sort((a, b) => a - b);
  console.log(`first diagnosis on a cold page: median ${times[2].toFixed(0)} ms, most ${times[4].toFixed(0)} ms`);
}

/** Prints the time from a key to its diagnosis, for a filter of 200 characters. */
async function measure(page) {
  const part = `device.platform == "iOS" && user.sessions >= 5 && `;
  const text = `${part.repeat(4)}true`.slice(0, 200).padEnd(200, " ");
  await page.paste("filter", text.trimEnd());
  const times = [];
  for (let index = 0; index < 60; index++) {
    await page.type(index % 2 === 0 ? " " : "1");
    times.push(await page.value(`performance.getEntriesByName("diagnosis")[0].duration`));
    await page.press("Backspace");
    times.push(await page.value(`performance.getEntriesByName("diagnosis")[0].duration`));
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  console.log(`key to diagnosis, 200 characters: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms`);
}

async function weigh() {
  let raw = 0;
  let served = 0;
  for (const name of await readdir(PAGE)) {
    raw += (await stat(join(PAGE, name))).size;
    served += gzipSync(await readFile(join(PAGE, name)), { level: 9 }).length;
  }
  console.log(`page weight: ${raw} bytes, ${served} compressed by gzip`);
}

async function pictures(page) {
  if (process.env.SCREENSHOTS === undefined) return;
  for (const [name, width, height, scheme] of [
    ["wide-light", 1280, 900, "light"], ["wide-dark", 1280, 900, "dark"],
    ["narrow-light", 375, 1400, "light"], ["narrow-dark", 375, 1400, "dark"],
  ]) {
    await page.size(width, height, scheme);
    await page.go(address);
    await page.picture(name);
    await page.filter(`user.age >= 18 && device.platfrm == "ios" && user.plan == "pro"`);
    await page.picture(`${name}-problems`);
    await page.filter("");
    await page.type("device.app");
    await page.picture(`${name}-completion`);
    await page.click("#tab-campaign");
    await page.picture(`${name}-campaign`);
  }
}

let failures = 0;
try {
  const targets = await (await fetch(`http://${new URL(endpoint).host}/json/list`)).json();
  const page = await Page.open(targets.find((target) => target.type === "page").webSocketDebuggerUrl);
  await page.size(1280, 900);
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY !== undefined && !name.includes(process.env.ONLY)) continue;
    page.exceptions.length = 0;
    try {
      await page.go(address);
      await test(page);
      equal(page.exceptions.join("\n"), "", "errors in the console");
      console.log(`ok    ${name}`);
    } catch (error) {
      failures++;
      console.log(`FAILS ${name}\n      ${error.message}`);
    }
  }
  await measureStart(page);
  await measure(page);
  await pictures(page);
  if (missing.length > 0) {
    failures++;
    console.log(`FAILS files that are not there: ${[...new Set(missing)].join(", ")}`);
  }
  const unused = (await readdir(PAGE)).filter((name) => name !== "index.html" && ![`/${name}`, `${FOLDER}${name}`].some((path) => requests.includes(path)));
  if (unused.length > 0) {
    failures++;
    console.log(`FAILS files that no page asks for: ${unused.join(", ")}`);
  }
  await weigh();
} finally {
  browser.removeAllListeners("exit");
  const isOver = new Promise((done) => browser.on("exit", done));
  browser.kill();
  await isOver;
  server.closeAllConnections();
  server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? `${count} expectations hold` : `${failures} tests fail`);
process.exit(failures === 0 ? 0 : 1);
