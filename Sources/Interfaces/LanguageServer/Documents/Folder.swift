import AudienceFilters
import CampaignCore
import ExpressionSyntax
import FilterAnalysis
import LanguageService

/// The files of a folder that describe the filters beside them: the attributes of `schema.json`,
/// and the sample users of `context.json` and `contexts/*.json`.
final class Folder {
  /// The path; `nil` for documents that are not files.
  let path: String?
  /// The schema: the vocabulary of the SDKs and the attributes of the project.
  let schema: AttributeSchema
  /// The sample users, the one of `context.json` first.
  let users: [SampleUser]
  /// The attributes of the sample users.
  private(set) lazy var samples = SampleAttributes(users)
  /// The reason why a file of the folder was not used.
  let problems: [String]

  private var languages: [Dialect.Name: FilterLanguage] = [:]
  private var filters: [Dialect.Name: [[UInt8]: AnalyzedFilter]] = [:]

  /// The results of history functions for a user without any events.
  private static let answersWhenNever = Dictionary(
    uniqueKeysWithValues: HistoryFunction.allCases.map { ($0.rawValue, $0.answerWhenNever) })

  /// The largest number of sample users that are read.
  static let maximumUserCount = 200

  /// Reads the files of a folder.
  init(path: String?, schema: AttributeSchema, files: any WorkspaceFiles) {
    self.path = path
    var schema = schema
    var problems: [String] = []
    var users: [SampleUser] = []
    if let path {
      if let text = files.contents(of: "\(path)/schema.json") {
        do throws(AttributeSchema.ReadingError) {
          schema.merge(try AttributeSchema(json: String(decoding: text, as: UTF8.self)))
        } catch {
          problems.append("\(path)/schema.json: \(error)")
        }
      }
      var names = ["context.json"]
      names += files.names(in: "\(path)/contexts").filter { $0.hasSuffix(".json") }.sorted()
        .map { "contexts/\($0)" }
      for name in names {
        guard users.count < Self.maximumUserCount,
          let json = files.contents(of: "\(path)/\(name)")
        else { continue }
        if let user = SampleUser(name: name, json: json) {
          users.append(user)
        } else {
          problems.append(
            "\(path)/\(name): a context is a JSON object with the members user, device and params")
        }
      }
    }
    self.schema = schema
    self.users = users
    self.problems = problems
  }

  /// Returns whether the content of a file is a part of what the folder says.
  func reads(_ file: String) -> Bool {
    guard let path, file.hasPrefix(path + "/") else { return false }
    let name = file.dropFirst(path.count + 1)
    if name == "schema.json" || name == "context.json" { return true }
    return name.hasPrefix("contexts/") && name.hasSuffix(".json")
      && !name.dropFirst(9).contains("/")
  }

  func language(_ dialect: Dialect.Name) -> FilterLanguage {
    if let language = languages[dialect] { return language }
    let language = FilterLanguage(
      dialect: dialect, schema: schema, answersWhenNever: Self.answersWhenNever)
    languages[dialect] = language
    return language
  }

  /// Returns the analysis of a text, which is kept: most filters of a config stay the same while
  /// one of them is edited.
  func filter(_ text: [UInt8], _ dialect: Dialect.Name) -> AnalyzedFilter {
    if let known = filters[dialect]?[text] { return known }
    let filter = AnalyzedFilter(SourceText(bytes: text), language(dialect))
    filters[dialect, default: [:]][text] = filter
    return filter
  }

  /// The number of texts whose analysis is kept.
  var filterCount: Int { filters.values.reduce(0) { $0 + $1.count } }

  /// Forgets the analysis of all other texts.
  func keepFilters(_ texts: Set<[UInt8]>) {
    for (dialect, known) in filters { filters[dialect] = known.filter { texts.contains($0.key) } }
  }
}
