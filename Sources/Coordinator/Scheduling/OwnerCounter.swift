import Synchronization

/// Counts what each owner has under way in this process, up to a limit.
final class OwnerCounter: Sendable {
    /// The number that one owner may have under way.
    let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    /// Makes a counter.
    /// - Parameter limit: the number that one owner may have under way, at least 1.
    init(limit: Int) { self.limit = limit }

    /// Runs `body`, which counts meanwhile.
    /// - Returns: what `body` returns; nil, without running it, when the owner has as many under way as are allowed.
    /// - Throws: the error of `body`.
    func counting<Value>(_ owner: String, _ body: () async throws -> Value) async rethrows -> Value? {
        guard enter(owner) else { return nil }
        defer { leave(owner) }
        return try await body()
    }

    /// The number that an owner has under way.
    func underWay(of owner: String) -> Int { counts.withLock { $0[owner, default: 0] } }

    /// Counts one more of the owner's, for whoever cannot run it within ``counting(_:_:)``; ``leave(_:)`` follows.
    /// - Returns: false, without counting, when the owner has as many under way as are allowed.
    func enter(_ owner: String) -> Bool {
        counts.withLock { counts in
            guard counts[owner, default: 0] < limit else { return false }
            counts[owner, default: 0] += 1
            return true
        }
    }

    /// Counts one less of the owner's. An owner with nothing under way is forgotten.
    func leave(_ owner: String) {
        counts.withLock { counts in
            let rest = counts[owner, default: 1] - 1
            counts[owner] = rest > 0 ? rest : nil
        }
    }
}
