import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import LanguageService

extension LanguageServer {
  // MARK: Finding

  /// Returns the document that a request is about.
  func document(_ params: Value) throws(ResponseError) -> Document {
    let uri = try params.member("textDocument").text("uri")
    guard let document = documents[uri] else {
      throw ResponseError(.invalidParams, "`\(uri)` is not open")
    }
    return document
  }

  /// Returns the document and the filter at the position of a request; the filter is `nil` outside
  /// of filters.
  func place(
    _ params: Value
  ) throws(ResponseError) -> (document: Document, region: FilterRegion?, offset: Int) {
    let document = try document(params)
    let offset = document.text.offset(of: try params.member("position").position())
    return (document, document.region(at: offset, folder(of: document)), offset)
  }

  /// Returns the folder of a document.
  func folder(of document: Document) -> Folder {
    let path = FileURI.folder(of: document.uri)
    if let folder = folders[path ?? ""] { return folder }
    let folder = Folder(path: path, schema: schema, files: OpenFiles(server: self))
    folders[path ?? ""] = folder
    for problem in folder.problems {
      notifyClient("window/logMessage") { writer in
        writer.member("type", 2)
        writer.member("message", problem)
      }
    }
    return folder
  }

  /// The files of the workspace as they are in the editor.
  private struct OpenFiles: WorkspaceFiles {
    let server: LanguageServer

    func contents(of path: String) -> [UInt8]? {
      for (uri, document) in server.documents where FileURI.path(of: uri) == path {
        return document.text.bytes
      }
      return server.files.contents(of: path)
    }

    func names(in folder: String) -> [String] { server.files.names(in: folder) }
  }

  // MARK: Notifications

  func didOpen(_ params: Value) throws(ResponseError) {
    let item = try params.member("textDocument")
    let uri = try item.text("uri")
    let document = Document(
      uri: uri, languageID: item["languageId"]?.stringValue ?? "",
      version: item["version"]?.intValue,
      text: DocumentText(try item.text("text"), encoding: client.encoding))
    documents[uri] = document
    forgetFolders(reading: [uri])
    publishDiagnostics(of: document)
  }

  func didChange(_ params: Value) throws(ResponseError) {
    let document = try document(params)
    guard case .list(let changes) = try params.member("contentChanges") else {
      throw ResponseError(.invalidParams, "`contentChanges` is a list")
    }
    // All are read before the first is made: half of a message would be a text of its own.
    var edits: [(range: (start: Position, end: Position)?, text: String)] = []
    for change in changes {
      let range = change["range"].flatMap { $0.isNull ? nil : $0 }
      edits.append((try range?.range(), try change.text("text")))
    }
    for edit in edits {
      if let range = edit.range {
        document.replace(from: range.start, to: range.end, with: edit.text)
      } else {
        document.setText(DocumentText(edit.text, encoding: client.encoding))
      }
    }
    document.version = params["textDocument"]["version"]?.intValue
    forgetFolders(reading: [document.uri])
    guard !hasPendingChange(of: document.uri) else { return }
    publishDiagnostics(of: document)
    dropUnusedFilters(folder(of: document))
  }

  func didClose(_ params: Value) throws(ResponseError) {
    let document = try document(params)
    documents[document.uri] = nil
    // Diagnostics of files that are not open would never go away.
    publish([], of: document)
    forgetFolders(reading: [document.uri])
    let path = FileURI.folder(of: document.uri) ?? ""
    if !documents.keys.contains(where: { FileURI.folder(of: $0) ?? "" == path }) {
      folders[path] = nil
    }
  }

  func didSave(_ params: Value) throws(ResponseError) {
    forgetFolders(reading: [try document(params).uri])
  }

  func didChangeWatchedFiles(_ params: Value) {
    let changes = params["changes"]?.listValue ?? []
    forgetFolders(reading: changes.compactMap { $0["uri"]?.stringValue })
  }

  /// Forgets what folders read from files that have changed, and looks at their documents again.
  private func forgetFolders(reading uris: [String]) {
    let paths = uris.compactMap { FileURI.path(of: $0) }
    let stale = folders.filter { _, folder in paths.contains { folder.reads($0) } }
    guard !stale.isEmpty else { return }
    for key in stale.keys { folders[key] = nil }
    for document in documents.values.sorted(by: { $0.uri < $1.uri })
    where stale[FileURI.folder(of: document.uri) ?? ""] != nil {
      document.invalidate()
      if !uris.contains(document.uri) { publishDiagnostics(of: document) }
    }
    if client.refreshesHints { requestFromClient("workspace/inlayHint/refresh") }
  }

  /// Forgets filters that no open document contains any more, once there are many of them.
  private func dropUnusedFilters(_ folder: Folder) {
    let open = documents.values.filter { FileURI.folder(of: $0.uri) == folder.path }
    let count = open.reduce(0) { $0 + $1.regions(folder).count }
    guard folder.filterCount > 2 * count + 256 else { return }
    let texts = open.flatMap { document in
      document.regions(folder).map(\.filter.source.bytes)
    }
    folder.keepFilters(Set(texts))
  }
}
