"use strict";

// The client of `swexpr lsp` for VS Code. It starts the server, sends it the documents, and
// registers a provider for each thing that the server can do.

const { spawn } = require("child_process");
const vscode = require("vscode");
const { Connection } = require("./connection");
const convert = require("./convert");

const filters = [{ language: "audience-filter" }, { language: "cel" }];
const selector = [...filters, { language: "json" }, { language: "jsonc" }];
/** The files that the server reads beside a document. */
const watched = "**/{schema.json,context.json,contexts/*.json}";
/** A server that ends this often within three minutes is not started again. */
const maximumRestarts = 4;

/** One running server with its providers. */
class Session {
  constructor(client) {
    this.client = client;
    this.disposables = [];
    const settings = vscode.workspace.getConfiguration("swexpr");
    const schema = settings.get("schema");
    const process = spawn(
      settings.get("path") || "swexpr", schema ? ["lsp", "--schema", schema] : ["lsp"],
      { stdio: ["pipe", "pipe", "inherit"], cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath });
    this.hintsChanged = new vscode.EventEmitter();
    this.disposables.push(this.hintsChanged);
    this.connection = new Connection(process, {
      notification: (method, params) => this.receive(method, params),
      request: (method) => {
        if (method === "workspace/inlayHint/refresh") this.hintsChanged.fire();
        return null;
      },
      closed: (reason) => this.client.closed(this, reason),
    });
  }

  async start() {
    const { capabilities } = await this.connection.request("initialize", {
      processId: process.pid,
      rootUri: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null,
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        workspace: { inlayHint: { refreshSupport: true } },
      },
    });
    this.connection.notify("initialized", {});
    this.register(capabilities);
    this.synchronize();
  }

  receive(method, params) {
    if (method === "textDocument/publishDiagnostics") {
      this.client.diagnostics.set(
        vscode.Uri.parse(params.uri), params.diagnostics.map(convert.diagnostic));
    } else if (method === "window/logMessage" || method === "window/showMessage") {
      this.client.output.appendLine(params.message);
    }
  }

  // Documents

  handles(document) {
    return vscode.languages.match(selector, document) > 0;
  }

  synchronize() {
    const { workspace } = vscode;
    const open = (document) => {
      if (!this.handles(document)) return;
      this.connection.notify("textDocument/didOpen", {
        textDocument: {
          uri: document.uri.toString(), languageId: document.languageId,
          version: document.version, text: document.getText(),
        },
      });
    };
    const identify = (document) => ({ textDocument: { uri: document.uri.toString() } });
    this.disposables.push(
      workspace.onDidOpenTextDocument(open),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (!this.handles(document) || contentChanges.length === 0) return;
        this.connection.notify("textDocument/didChange", {
          textDocument: { uri: document.uri.toString(), version: document.version },
          contentChanges: contentChanges.map((change) => ({
            range: convert.toRange(change.range), text: change.text,
          })),
        });
      }),
      workspace.onDidSaveTextDocument((document) => {
        if (this.handles(document)) {
          this.connection.notify("textDocument/didSave", identify(document));
        }
      }),
      workspace.onDidCloseTextDocument((document) => {
        if (this.handles(document)) {
          this.connection.notify("textDocument/didClose", identify(document));
        }
      }));
    workspace.textDocuments.forEach(open);

    const watcher = workspace.createFileSystemWatcher(watched);
    const changed = (type) => (uri) =>
      this.connection.notify("workspace/didChangeWatchedFiles", {
        changes: [{ uri: uri.toString(), type }],
      });
    watcher.onDidCreate(changed(1));
    watcher.onDidChange(changed(2));
    watcher.onDidDelete(changed(3));
    this.disposables.push(watcher);
  }

  // Providers

  /** Sends a request about a document; cancelling the editor's token cancels the request. */
  ask(method, document, params, token) {
    const controller = new AbortController();
    const subscription = token?.onCancellationRequested(() => controller.abort());
    return this.connection
      .request(
        method, { textDocument: { uri: document.uri.toString() }, ...params }, controller.signal)
      .finally(() => subscription?.dispose());
  }

  register(capabilities) {
    const { languages } = vscode;
    const at = (place) => ({ position: convert.toPosition(place) });
    this.disposables.push(
      languages.registerCompletionItemProvider(
        selector,
        {
          provideCompletionItems: async (document, place, token) => {
            const list = await this.ask("textDocument/completion", document, at(place), token);
            return list?.items.map(convert.completionItem);
          },
        },
        ...capabilities.completionProvider.triggerCharacters),
      languages.registerHoverProvider(selector, {
        provideHover: async (document, place, token) => {
          const hover = await this.ask("textDocument/hover", document, at(place), token);
          return hover
            && new vscode.Hover(convert.markdown(hover.contents), convert.range(hover.range));
        },
      }),
      languages.registerCodeActionsProvider(
        selector,
        {
          provideCodeActions: async (document, range, context, token) => {
            const only = context.only && [context.only.value];
            const actions = await this.ask(
              "textDocument/codeAction", document,
              { range: convert.toRange(range), context: { diagnostics: [], only } }, token);
            return actions?.map(convert.codeAction);
          },
        },
        {
          providedCodeActionKinds: [
            vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite,
          ],
        }),
      // Not for JSON: its own formatter would have to be chosen against this one. There, the code
      // action "Lay out this filter" does it.
      languages.registerDocumentFormattingEditProvider(filters, {
        provideDocumentFormattingEdits: async (document, options, token) => {
          const edits = await this.ask("textDocument/formatting", document, { options }, token);
          return edits?.map(convert.edit);
        },
      }),
      languages.registerDocumentSymbolProvider(selector, {
        provideDocumentSymbols: async (document, token) => {
          const symbols = await this.ask("textDocument/documentSymbol", document, {}, token);
          return symbols?.map(convert.documentSymbol);
        },
      }),
      languages.registerDocumentHighlightProvider(selector, {
        provideDocumentHighlights: async (document, place, token) => {
          const marks = await this.ask(
            "textDocument/documentHighlight", document, at(place), token);
          return marks?.map((mark) => new vscode.DocumentHighlight(convert.range(mark.range)));
        },
      }),
      languages.registerRenameProvider(selector, {
        prepareRename: async (document, place, token) => {
          const found = await this.ask("textDocument/prepareRename", document, at(place), token);
          if (!found) throw new Error("Only the variables of loops can be renamed.");
          return { range: convert.range(found.range), placeholder: found.placeholder };
        },
        provideRenameEdits: async (document, place, newName, token) =>
          convert.workspaceEdit(
            await this.ask("textDocument/rename", document, { ...at(place), newName }, token)),
      }),
      languages.registerInlayHintsProvider(selector, {
        onDidChangeInlayHints: this.hintsChanged.event,
        provideInlayHints: async (document, range, token) => {
          const hints = await this.ask(
            "textDocument/inlayHint", document, { range: convert.toRange(range) }, token);
          return hints?.map(convert.inlayHint);
        },
      }));
    this.registerTokens(capabilities.semanticTokensProvider.legend);
  }

  registerTokens({ tokenTypes, tokenModifiers }) {
    const legend = new vscode.SemanticTokensLegend(tokenTypes, tokenModifiers);
    const tokens = (answer) => answer && new vscode.SemanticTokens(new Uint32Array(answer.data));
    this.disposables.push(
      vscode.languages.registerDocumentSemanticTokensProvider(
        selector,
        {
          provideDocumentSemanticTokens: async (document, token) =>
            tokens(await this.ask("textDocument/semanticTokens/full", document, {}, token)),
        },
        legend),
      vscode.languages.registerDocumentRangeSemanticTokensProvider(
        selector,
        {
          provideDocumentRangeSemanticTokens: async (document, range, token) =>
            tokens(
              await this.ask(
                "textDocument/semanticTokens/range", document, { range: convert.toRange(range) },
                token)),
        },
        legend));
  }

  dispose() {
    this.disposables.forEach((disposable) => disposable.dispose());
    this.disposables = [];
    return this.connection.stop();
  }
}

/** Keeps a server running. */
class Client {
  constructor() {
    this.diagnostics = vscode.languages.createDiagnosticCollection("swexpr");
    this.output = vscode.window.createOutputChannel("swexpr");
    this.ends = [];
  }

  async start() {
    const session = new Session(this);
    this.session = session;
    try {
      await session.start();
    } catch (error) {
      this.output.appendLine(`The server did not start: ${error.message}`);
    }
  }

  async restart() {
    const { session } = this;
    this.session = undefined;
    await session?.dispose();
    this.diagnostics.clear();
    await this.start();
  }

  closed(session, reason) {
    if (session !== this.session) return;
    this.output.appendLine(reason);
    this.session = undefined;
    session.dispose();
    this.diagnostics.clear();
    const now = Date.now();
    this.ends = [...this.ends.filter((time) => now - time < 180_000), now];
    if (this.ends.length <= maximumRestarts && !/ENOENT|EACCES/.test(reason)) {
      this.start();
      return;
    }
    vscode.window.showErrorMessage(
      `swexpr is not running: ${reason}. Install the tool, or name it in the setting swexpr.path.`);
  }

  async dispose() {
    const { session } = this;
    this.session = undefined;
    await session?.dispose();
    this.diagnostics.dispose();
    this.output.dispose();
  }
}

let client;

async function activate(context) {
  client = new Client();
  context.subscriptions.push(
    vscode.commands.registerCommand("swexpr.restart", () => client.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("swexpr")) client.restart();
    }));
  await client.start();
}

function deactivate() {
  return client?.dispose();
}

module.exports = { activate, deactivate };
