import ExpressionCoding
import ExpressionEngine
import FilterAnalysis
import LanguageService

/// The capabilities of the client, as far as the server cares.
struct ClientCapabilities {
  /// The unit of columns.
  var encoding = PositionEncoding.utf16
  /// Whether the client watches files on request.
  var watchesFiles = false
  /// Whether the client asks again for hints on request.
  var refreshesHints = false
}

extension LanguageServer {
  func initialize(_ params: Value) -> Reply {
    stage = .initialized
    let capabilities = params["capabilities"]
    let encodings = capabilities["general"]["positionEncodings"]?.listValue ?? []
    if encodings.contains(.string(PositionEncoding.utf8.rawValue)) { client.encoding = .utf8 }
    let workspace = capabilities["workspace"]
    client.watchesFiles =
      workspace["didChangeWatchedFiles"]["dynamicRegistration"]?.boolValue ?? false
    client.refreshesHints = workspace["inlayHint"]["refreshSupport"]?.boolValue ?? false
    let encoding = client.encoding
    let version = self.version
    return { writer in
      writer.object { writer in
        writer.member("capabilities") { Self.writeCapabilities(encoding, to: &$0) }
        writer.member("serverInfo") { writer in
          writer.member("name", "swexpr")
          writer.member("version", version)
        }
      }
    }
  }

  private static func writeCapabilities(
    _ encoding: PositionEncoding, to writer: inout JSONWriter
  ) {
    writer.member("positionEncoding", encoding.rawValue)
    writer.member("textDocumentSync") { writer in
      writer.member("openClose", true)
      writer.member("change", 2)
      writer.member("save") { $0.member("includeText", false) }
    }
    writer.member("completionProvider") { writer in
      writer.key("triggerCharacters")
      writer.array([".", "\"", "'", "["]) { $0.string($1) }
    }
    writer.member("hoverProvider", true)
    writer.member("codeActionProvider") { writer in
      writer.key("codeActionKinds")
      writer.array(["quickfix", "refactor.rewrite"]) { $0.string($1) }
    }
    writer.member("documentFormattingProvider", true)
    writer.member("documentRangeFormattingProvider", true)
    writer.member("documentSymbolProvider", true)
    writer.member("documentHighlightProvider", true)
    writer.member("inlayHintProvider", true)
    writer.member("renameProvider") { $0.member("prepareProvider", true) }
    writer.member("semanticTokensProvider") { writer in
      writer.member("legend") { writer in
        writer.key("tokenTypes")
        writer.array(SemanticToken.Role.allCases) { $0.string($1.name) }
        writer.key("tokenModifiers")
        writer.array([String]()) { $0.string($1) }
      }
      writer.member("full", true)
      writer.member("range", true)
    }
  }

  /// Asks the client for notifications about the files that folders read.
  func watchFiles() {
    guard client.watchesFiles else { return }
    requestFromClient("client/registerCapability") { writer in
      writer.key("registrations")
      writer.array(["files"]) { writer, id in
        writer.object { writer in
          writer.member("id", id)
          writer.member("method", "workspace/didChangeWatchedFiles")
          writer.member("registerOptions") { writer in
            writer.key("watchers")
            writer.array(["**/schema.json", "**/context.json", "**/contexts/*.json"]) {
              writer, pattern in
              writer.object { $0.member("globPattern", pattern) }
            }
          }
        }
      }
    }
  }
}
