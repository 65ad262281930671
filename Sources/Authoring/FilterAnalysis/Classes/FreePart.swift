/// A part of a filter that was not analysed. Its outcome is treated as unknown for all attributes.
///
/// A statement proved with free parts holds. A possibility found with them is real if each part can
/// have the outcome that the witness gives it.
public struct FreePart: Sendable, Hashable {
  /// Why the outcome of a part is treated as unknown.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// It compares attributes with each other.
    case severalAttributes = "several-attributes"
    /// It calculates with an attribute or converts it.
    case calculation
    /// It calls a function whose result is not known beforehand.
    case function
    /// It looks at the elements of a list of the user.
    case comprehension
    /// It matches a regular expression.
    case pattern
    /// It compares with a list or an object, or reads an element of one.
    case structure
    /// It reads an object as a whole whose members others read.
    case wholeObject = "whole-object"
    /// It compares with a number too large to be compared exactly.
    case largeNumber = "large-number"
    /// Its values fall into more classes than are looked at.
    case tooManyClasses = "too-many-classes"
    /// The filter nests more deeply than is looked at.
    case depth
    /// The filters before it are all that is looked at.
    case size

    /// The reason, to follow "because it".
    public var text: String {
      switch self {
      case .severalAttributes: "compares attributes with each other"
      case .calculation: "calculates with an attribute"
      case .function: "calls a function whose answer is not known"
      case .comprehension: "looks at the elements of a list"
      case .pattern: "matches a regular expression"
      case .structure: "looks into a list or an object"
      case .wholeObject: "reads an object as a whole"
      case .largeNumber: "compares with a number beyond 2^53"
      case .tooManyClasses: "cuts an attribute into too many classes"
      case .depth: "nests too deeply"
      case .size: "comes after too many other conditions"
      }
    }
  }

  /// The text of the part.
  public let text: String
  /// Why its outcome is treated as unknown.
  public let reason: Reason

  package init(text: String, reason: Reason) {
    self.text = text
    self.reason = reason
  }
}
