"use strict";

// Values of the protocol as values of VS Code, and back.

const vscode = require("vscode");

const position = (value) => new vscode.Position(value.line, value.character);
const range = (value) => new vscode.Range(position(value.start), position(value.end));
const edit = (value) => new vscode.TextEdit(range(value.range), value.newText);

const toPosition = (value) => ({ line: value.line, character: value.character });
const toRange = (value) => ({ start: toPosition(value.start), end: toPosition(value.end) });

function markdown(value) {
  return new vscode.MarkdownString(value.value ?? value);
}

function diagnostic(value) {
  const severities = [
    vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Warning,
    vscode.DiagnosticSeverity.Information, vscode.DiagnosticSeverity.Hint,
  ];
  const result = new vscode.Diagnostic(
    range(value.range), value.message, severities[(value.severity ?? 1) - 1]);
  result.code = value.code;
  result.source = value.source;
  result.relatedInformation = (value.relatedInformation ?? []).map(
    ({ location, message }) =>
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(vscode.Uri.parse(location.uri), range(location.range)), message));
  return result;
}

function workspaceEdit(value) {
  const result = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(value?.changes ?? {})) {
    result.set(vscode.Uri.parse(uri), edits.map(edit));
  }
  return result;
}

function completionItem(value) {
  // The numbers of the protocol begin at 1, those of the editor at 0.
  const result = new vscode.CompletionItem(value.label, (value.kind ?? 1) - 1);
  result.detail = value.detail;
  if (value.documentation) result.documentation = markdown(value.documentation);
  result.sortText = value.sortText;
  result.filterText = value.filterText;
  result.insertText = value.textEdit.newText;
  result.range = range(value.textEdit.range);
  // An argument follows `(`, and the name of an event follows `("`.
  if (/\($|\(\\?"$/.test(value.textEdit.newText)) {
    result.command = { command: "editor.action.triggerSuggest", title: "Suggest" };
  }
  return result;
}

function codeAction(value) {
  const kind = vscode.CodeActionKind.Empty.append(value.kind);
  const result = new vscode.CodeAction(value.title, kind);
  result.diagnostics = value.diagnostics?.map(diagnostic);
  result.isPreferred = value.isPreferred;
  result.edit = workspaceEdit(value.edit);
  return result;
}

function documentSymbol(value) {
  const result = new vscode.DocumentSymbol(
    value.name, value.detail ?? "", value.kind - 1, range(value.range),
    range(value.selectionRange));
  result.children = (value.children ?? []).map(documentSymbol);
  return result;
}

function inlayHint(value) {
  const result = new vscode.InlayHint(position(value.position), value.label);
  result.paddingLeft = value.paddingLeft;
  return result;
}

module.exports = {
  codeAction, completionItem, diagnostic, documentSymbol, edit, inlayHint, markdown, position,
  range, toPosition, toRange, workspaceEdit,
};
