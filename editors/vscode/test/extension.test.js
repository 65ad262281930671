"use strict";

// Drives the extension against the real server: `SWEXPR=path/to/swexpr node --test editors/vscode/test`.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { stub } = require("./stub");

const settings = { path: process.env.SWEXPR ?? "swexpr", schema: "" };
const editor = stub(settings);
const extension = require("../extension");

const sample = path.resolve(__dirname, "../../../corpus/campaigns/sample/config.json");
const config = new editor.TextDocument(`file://${sample}`, "json", fs.readFileSync(sample, "utf8"));
const filter = new editor.TextDocument(
  `file://${path.dirname(sample)}/x.filter`, "audience-filter",
  'user.tags.exists(t, t = "dawn") && user.seed < 50');

/** Waits until something holds. */
async function until(holds) {
  for (let count = 0; count < 500; count += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`not within ten seconds: ${holds}`);
}

/** The position of a text in a document, in the order of the protocol. */
function place(document, text, offset = 0) {
  const index = document.text.indexOf(text) + offset;
  const lines = document.text.slice(0, index).split("\n");
  return { line: lines.length - 1, character: lines.at(-1).length };
}

const everywhere = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
const subscriptions = [];

test("the extension works against the server", async (context) => {
  editor.vscode.workspace.textDocuments.push(config);
  await extension.activate({ subscriptions });
  const { providers } = editor;

  await context.test("a provider is registered for everything", () => {
    assert.deepStrictEqual(
      Object.keys(providers).sort(),
      [
        "actions", "completion", "formatting", "highlights", "hints", "hover", "rangeTokens",
        "rename", "symbols", "tokens",
      ]);
  });

  await context.test("diagnostics arrive for documents that were open, and that are opened", async () => {
    const first = config.uri.toString();
    await until(() => editor.diagnostics.has(first));
    assert.strictEqual(editor.diagnostics.get(first)[0].code, "impossible-percentage");
    editor.events.open.fire(filter);
    const second = filter.uri.toString();
    await until(() => editor.diagnostics.has(second));
    const [mistake] = editor.diagnostics.get(second);
    assert.strictEqual(mistake.code, "E0210");
    assert.strictEqual(mistake.severity, 0);
  });

  await context.test("a fix corrects the mistake, and the change clears the diagnostics", async () => {
    const actions = await providers.actions.provider.provideCodeActions(
      filter, everywhere, { only: editor.vscode.CodeActionKind.QuickFix });
    const fix = actions.find((action) => action.isPreferred);
    const [edit] = fix.edit.edits.get(filter.uri.toString());
    assert.strictEqual(edit.newText, "==");
    filter.text = filter.text.replace("t = ", "t == ");
    filter.version = 2;
    editor.events.change.fire({
      document: filter, contentChanges: [{ range: edit.range, text: edit.newText }],
    });
    await until(() => editor.diagnostics.get(filter.uri.toString()).length === 0);
  });

  await context.test("completion and hover know the schema and the sample users", async () => {
    const items = await providers.completion.provider.provideCompletionItems(
      config, place(config, "device.interfaceType", 7));
    const item = items.find(({ label }) => label === "interfaceType");
    // A property, whose number is one less than in the protocol.
    assert.strictEqual(item.kind, 9);
    const hover = await providers.hover.provider.provideHover(config, place(config, "user.seed", 6));
    assert.match(hover.contents.value, /user\.seed : int/);
    assert.match(hover.contents.value, /new-visitor\.json/);
    assert.strictEqual(
      await providers.hover.provider.provideHover(config, place(config, "build_id")), null);
  });

  await context.test("loop variables are renamed, others are not", async () => {
    const { provider } = providers.rename;
    const at = place(filter, "t, t");
    assert.strictEqual((await provider.prepareRename(filter, at)).placeholder, "t");
    const edit = await provider.provideRenameEdits(filter, at, "tag");
    assert.strictEqual(edit.edits.get(filter.uri.toString()).length, 2);
    await assert.rejects(provider.prepareRename(filter, { line: 0, character: 0 }));
    await assert.rejects(provider.provideRenameEdits(filter, at, "in"), /not a name/);
    const marks = await providers.highlights.provider.provideDocumentHighlights(filter, at);
    assert.strictEqual(marks.length, 2);
  });

  await context.test("outline, hints, tokens and layout are those of the server", async () => {
    const symbols = await providers.symbols.provider.provideDocumentSymbols(config);
    assert.strictEqual(symbols[0].name, "onboarding_done");
    assert.strictEqual(symbols[0].children[0].name, "tide-101");
    const hints = await providers.hints.provider.provideInlayHints(config, everywhere);
    assert.match(hints[0].label, /^matches \d of 3 sample users$/);
    const tokens = await providers.tokens.provider.provideDocumentSemanticTokens(filter);
    assert.strictEqual(tokens.data.length % 5, 0);
    const part = await providers.rangeTokens.provider.provideDocumentRangeSemanticTokens(
      filter, everywhere);
    assert.deepStrictEqual(part.data, tokens.data);
    const edits = await providers.formatting.provider.provideDocumentFormattingEdits(filter, {});
    assert.strictEqual(edits[0].newText, `${filter.text}\n`);
    assert.ok(!providers.formatting.selector.some(({ language }) => language === "json"));
  });

  await context.test("a server that ends is started again, with all documents", async () => {
    editor.vscode.workspace.textDocuments.push(filter);
    editor.diagnostics.clear();
    await editor.commands["swexpr.restart"]();
    await until(() => editor.diagnostics.has(config.uri.toString()));
    await until(() => editor.diagnostics.has(filter.uri.toString()));
  });

  await context.test("without the tool there is a message, not a loop", async () => {
    settings.path = "/nowhere/swexpr";
    await editor.commands["swexpr.restart"]();
    await until(() => editor.messages.some((message) => /swexpr\.path/.test(message)));
    assert.deepStrictEqual(Object.keys(providers), []);
  });

  await extension.deactivate();
});
