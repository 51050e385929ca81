import Synchronization

/// The number of names that one reading or compilation may compare with misspelt ones. A text may misspell as many names as
/// it has words, and each might be any of the names that it declares; of the findings only the first are listed.
package final class SpellingAllowance: Sendable {
    /// The names that a reader compares at most: those of a large edit for each of its listed mistakes.
    private static let most = 200_000

    /// The allowance of the reading or compilation that runs in this task; nil where nothing is limited.
    @TaskLocal static var current: SpellingAllowance?

    private let left = Atomic<Int>(most)

    private init() {}

    /// Runs `body`, in which suggestions have one allowance together.
    package static func limited<Value>(_ body: () throws -> Value) rethrows -> Value {
        try $current.withValue(SpellingAllowance(), operation: body)
    }

    /// Takes `count` comparisons.
    /// - Returns: false when so many are not left: then nothing is suggested.
    static func take(_ count: Int) -> Bool {
        guard let current else { return true }
        return current.left.subtract(count, ordering: .relaxed).newValue >= 0
    }
}
