"use strict"
// The few things that a static page cannot do: search, copy, and lists that open and close.

const root = document.body.dataset.root

// The contents are open beside the text, and closed above it.
for (const [query, selector] of [["(min-width: 60rem)", "nav.contents > details"], ["(min-width: 80rem)", "aside.headings > details"]]) {
  const wide = matchMedia(query)
  const list = document.querySelector(selector)
  if (!list) continue
  const adapt = () => { list.open = wide.matches }
  adapt()
  wide.addEventListener("change", adapt)
}

// The page that is read is in sight in a long list.
const contents = document.querySelector("nav.contents")
const current = contents.querySelector("[aria-current]")
if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2

// Copy

/** What a reader wants of a block: of a session the commands, of everything else all. */
function copied(block) {
  const commands = [...block.querySelectorAll(".command")]
  return (commands.length ? commands.map(each => each.textContent).join("\n") : block.textContent).trimEnd()
}

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement("textarea")
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}

for (const block of document.querySelectorAll("main pre")) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    await copy(copied(block.querySelector("code")))
    button.textContent = "Copied"
    setTimeout(() => { button.textContent = "Copy" }, 1500)
  })
  const box = document.createElement("div")
  box.className = "block"
  block.replaceWith(box)
  box.append(block, button)
}

// The heading that is being read

const entries = new Map([...document.querySelectorAll("aside.headings a")].map(link => [link.hash.slice(1), link]))
if (entries.size) {
  const headings = [...entries.keys()].map(id => document.getElementById(decodeURIComponent(id))).filter(Boolean)
  const mark = () => {
    const read = headings.filter(each => each.getBoundingClientRect().top < 120).pop() ?? headings[0]
    for (const [id, link] of entries) link.classList.toggle("read", decodeURIComponent(id) === read?.id)
  }
  addEventListener("scroll", mark, {passive: true})
  mark()
}

// Search

const field = document.querySelector(".search input")
const list = document.getElementById("results")
let loading
let chosen = -1

/** Loads the index, a script that sets `searchIndex`, when it is needed first. */
function index() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = `${root}search-index.js`
    script.onload = () => resolve(window.searchIndex.map(([page, heading, path, text]) =>
      ({page, heading, path, text, title: `${page} ${heading}`.toLowerCase(), words: text.toLowerCase()})))
    script.onerror = reject
    document.head.append(script)
  })
  return loading
}

/** How well a section fits: every word must occur, and counts most in a title, at the start of a word. */
function score(section, words) {
  let sum = 0
  for (const word of words) {
    const inTitle = section.title.indexOf(word)
    const inText = section.words.indexOf(word)
    if (inTitle < 0 && inText < 0) return 0
    if (inTitle >= 0) sum += inTitle === 0 || /\W/.test(section.title[inTitle - 1]) ? 20 : 8
    if (inText >= 0) sum += inText === 0 || /\W/.test(section.words[inText - 1]) ? 3 : 1
  }
  // The page itself comes before its sections, and a short title before a long one.
  return sum + (section.heading ? 0 : 4) - section.title.length / 100
}

function excerpt(section, word) {
  const place = Math.max(section.words.indexOf(word) - 40, 0)
  return (place ? "…" : "") + section.text.slice(place, place + 120)
}

function choose(number) {
  const items = [...list.children]
  chosen = items.length ? (number + items.length) % items.length : -1
  items.forEach((item, at) => item.setAttribute("aria-selected", at === chosen))
  if (chosen >= 0) field.setAttribute("aria-activedescendant", items[chosen].id)
  else field.removeAttribute("aria-activedescendant")
  items[chosen]?.scrollIntoView({block: "nearest"})
}

function close() {
  list.hidden = true
  field.setAttribute("aria-expanded", "false")
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return close()
  const sections = await index()
  const found = sections.map(section => [score(section, words), section]).filter(([points]) => points > 0)
    .sort(([left], [right]) => right - left).slice(0, 12)
  list.replaceChildren(...found.map(([, section], at) => {
    const item = document.createElement("li")
    item.id = `result-${at}`
    item.setAttribute("role", "option")
    const link = document.createElement("a")
    link.href = root + section.path
    link.tabIndex = -1
    const title = document.createElement("b")
    title.textContent = section.heading ? `${section.page} › ${section.heading}` : section.page
    const text = document.createElement("span")
    text.textContent = excerpt(section, words[0])
    link.append(title, text)
    item.append(link)
    return item
  }))
  if (!found.length) {
    const item = document.createElement("li")
    item.className = "none"
    item.textContent = "Nothing found"
    list.replaceChildren(item)
  }
  list.hidden = false
  field.setAttribute("aria-expanded", "true")
  choose(found.length ? 0 : -1)
}

field.addEventListener("focus", () => index().catch(() => {}))
field.addEventListener("input", search)
field.addEventListener("keydown", event => {
  if (event.key === "ArrowDown") { choose(chosen + 1); event.preventDefault() }
  if (event.key === "ArrowUp") { choose(chosen - 1); event.preventDefault() }
  if (event.key === "Escape") close()
})
document.querySelector(".search").addEventListener("submit", event => {
  event.preventDefault()
  const link = list.children[chosen]?.querySelector("a")
  if (link) { location.href = link.href; close() }
})
addEventListener("keydown", event => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
    event.preventDefault()
    field.focus()
  }
})
addEventListener("click", event => { if (!event.target.closest(".search")) close() })
