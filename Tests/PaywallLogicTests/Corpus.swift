import Foundation
import TestSupport

/// `corpus/paywall`.
enum Corpus {
  static let folder = TestFiles.root.appending(path: "corpus/paywall")
}
