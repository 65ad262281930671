"use strict";

// A stand-in for the module `vscode`: as much of it as the extension uses, and a record of what it
// registered.

const Module = require("module");

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
}
class Event {
  constructor() { this.listeners = []; }
  get event() {
    return (listener) => {
      this.listeners.push(listener);
      return { dispose: () => { this.listeners = this.listeners.filter((l) => l !== listener); } };
    };
  }
  fire(value) { this.listeners.forEach((listener) => listener(value)); }
  dispose() { this.listeners = []; }
}
/** A class that keeps its arguments under names. */
const record = (...names) => class {
  constructor(...values) { names.forEach((name, index) => { this[name] = values[index]; }); }
};
class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  toString() { return this.text; }
  get fsPath() { return decodeURIComponent(this.text.replace("file://", "")); }
}
class CodeActionKind {
  constructor(value) { this.value = value; }
  append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part); }
}
CodeActionKind.Empty = new CodeActionKind("");
CodeActionKind.QuickFix = new CodeActionKind("quickfix");
CodeActionKind.RefactorRewrite = new CodeActionKind("refactor.rewrite");

/** A document, as the editor has it. */
class TextDocument {
  constructor(uri, languageId, text) {
    Object.assign(this, { uri: Uri.parse(uri), languageId, text, version: 1 });
  }
  getText() { return this.text; }
}

function stub(settings) {
  const providers = {};
  const events = {
    open: new Event(), change: new Event(), save: new Event(), close: new Event(),
    settings: new Event(), file: new Event(),
  };
  const diagnostics = new Map();
  const commands = {};
  const messages = [];
  const register = (name) => (selector, provider, ...rest) => {
    providers[name] = { selector, provider, rest };
    return { dispose: () => { delete providers[name]; } };
  };
  const vscode = {
    Position, Range, Uri, CodeActionKind, EventEmitter: Event,
    CodeAction: record("title", "kind"), CompletionItem: record("label", "kind"),
    Diagnostic: record("range", "message", "severity"),
    DiagnosticRelatedInformation: record("location", "message"),
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    DocumentHighlight: record("range"),
    DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"),
    Hover: record("contents", "range"), InlayHint: record("position", "label"),
    Location: record("uri", "range"), MarkdownString: record("value"),
    SemanticTokens: record("data"), SemanticTokensLegend: record("tokenTypes", "tokenModifiers"),
    TextEdit: record("range", "newText"),
    WorkspaceEdit: class {
      constructor() { this.edits = new Map(); }
      set(uri, edits) { this.edits.set(uri.toString(), edits); }
    },
    commands: {
      registerCommand: (name, run) => {
        commands[name] = run;
        return { dispose() {} };
      },
    },
    languages: {
      match: (selector, document) =>
        selector.some(({ language }) => language === document.languageId) ? 10 : 0,
      createDiagnosticCollection: () => ({
        set: (uri, list) => diagnostics.set(uri.toString(), list),
        clear: () => diagnostics.clear(), dispose() {},
      }),
      registerCompletionItemProvider: register("completion"),
      registerHoverProvider: register("hover"),
      registerCodeActionsProvider: register("actions"),
      registerDocumentFormattingEditProvider: register("formatting"),
      registerDocumentSymbolProvider: register("symbols"),
      registerDocumentHighlightProvider: register("highlights"),
      registerRenameProvider: register("rename"),
      registerInlayHintsProvider: register("hints"),
      registerDocumentSemanticTokensProvider: register("tokens"),
      registerDocumentRangeSemanticTokensProvider: register("rangeTokens"),
    },
    window: {
      createOutputChannel: () => ({ appendLine: (line) => messages.push(line), dispose() {} }),
      showErrorMessage: (message) => messages.push(message),
    },
    workspace: {
      textDocuments: [],
      getConfiguration: () => ({ get: (name) => settings[name] }),
      onDidOpenTextDocument: events.open.event, onDidChangeTextDocument: events.change.event,
      onDidSaveTextDocument: events.save.event, onDidCloseTextDocument: events.close.event,
      onDidChangeConfiguration: events.settings.event,
      createFileSystemWatcher: () => ({
        onDidCreate() {}, onDidChange: events.file.event, onDidDelete() {}, dispose() {},
      }),
    },
  };
  const load = Module._load;
  Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));
  return { vscode, providers, events, diagnostics, commands, messages, TextDocument };
}

module.exports = { stub };
