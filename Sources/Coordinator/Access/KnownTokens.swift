import Digests
import Farm
import Foundation
import Synchronization
import Timing
import WireProtocol

/// All tokens of a farm: those of the token file, and those that were made by command. What the store said of one counts for
/// two seconds, so that a worker's requests cost it little; after that every coordinator refuses a token that is over.
final class KnownTokens: Sendable {
    /// What every secret begins with that was drawn here; the store is not asked for others.
    static let prefix = "cutfarm_"
    /// How long an answer of the store counts.
    static let validFor: Duration = .seconds(2)
    /// The most answers that are kept; beyond it all are forgotten.
    private static let limit = 10_000

    /// Where made tokens are kept; nil for a farm that has those of its file alone.
    let store: (any TokenStore)?
    private let book: TokenBook
    private let clock: any Clock<Duration>
    private let answers = Mutex(Answers())

    private struct Answers {
        var presented: [Presentation: (answer: PresentedToken, age: Stopwatch)] = [:]
        var valid: [Int64: (answer: Bool, age: Stopwatch)] = [:]
    }

    private struct Presentation: Hashable {
        let digest: Data
        let address: String
    }

    /// - Parameter clock: the clock by which answers of the store grow old.
    init(book: TokenBook, store: (any TokenStore)?, clock: any Clock<Duration>) {
        self.book = book
        self.store = store
        self.clock = clock
    }

    /// A new secret of 256 random bits.
    static func draw() -> String {
        var generator = SystemRandomNumberGenerator()
        return prefix + (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hex
    }

    /// What `secret` opens.
    /// - Parameter address: from where it was presented, for the log.
    func present(_ secret: String, from address: String) async throws(FarmStoreError) -> PresentedToken {
        if let principal = book.principal(presenting: secret) { return .valid(principal) }
        guard let store, secret.hasPrefix(Self.prefix) else { return .unknown }
        let key = Presentation(digest: secret.sha256, address: address)
        if let kept = answers.withLock({ $0.presented[key] }), kept.age.elapsed < Self.validFor { return kept.answer }
        let age = Stopwatch(on: clock)
        let answer = try await store.presentToken(key.digest, from: address)
        answers.withLock { answers in
            if answers.presented.count >= Self.limit { answers.presented.removeAll() }
            answers.presented[key] = (answer, age)
        }
        return answer
    }

    /// Whether what `principal` presented once is still valid. A token of the file is as long as the coordinator runs.
    func isValid(_ principal: Principal) async throws(FarmStoreError) -> Bool {
        guard let secret = principal.credential?.secret else { return true }
        guard let store else { return false }
        if let kept = answers.withLock({ $0.valid[secret] }), kept.age.elapsed < Self.validFor { return kept.answer }
        let age = Stopwatch(on: clock)
        let answer = try await store.isValidSecret(secret)
        answers.withLock { answers in
            if answers.valid.count >= Self.limit { answers.valid.removeAll() }
            answers.valid[secret] = (answer, age)
        }
        return answer
    }

    /// Returns once what `principal` presented is no longer valid, which it looks at every two seconds; never for a token of
    /// the file.
    /// - Throws: `CancellationError` when the task is cancelled.
    func waitForEnd(of principal: Principal) async throws {
        while true {
            try await clock.sleep(for: principal.credential == nil ? .seconds(86_400) : Self.validFor)
            // A database that does not answer ends nothing: nobody could tell whether the token is over.
            if let isValid = try? await isValid(principal), !isValid { return }
        }
    }

    /// Forgets what the store said, because a token was changed here.
    func forget() { answers.withLock { $0 = Answers() } }
}
