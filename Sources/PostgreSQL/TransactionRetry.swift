/// The decision whether a transaction is run again, and after which pause.
struct TransactionRetry {
    /// Running the body twice has the effect of running it once.
    let isRepeatable: Bool
    /// Long enough for an embedded server that was killed to be started again.
    private static let most = 12
    private var count = 0
    /// How often the server cut the transaction because this program was idle in it for too long (25P03). What took too
    /// long once takes too long again, but for a program that was stopped for a while.
    private var cuts = 0

    init(isRepeatable: Bool) { self.isRepeatable = isRepeatable }

    /// - Returns: nil when the error is for the caller.
    mutating func pause(after error: DatabaseError) -> Duration? {
        guard count < Self.most, isWorthwhile(error) else { return nil }
        if error.code == DatabaseError.idleInTransaction { cuts += 1 }
        guard cuts < 2 else { return nil }
        count += 1
        return min(.milliseconds(10) * (1 << count), .seconds(1))
    }

    private func isWorthwhile(_ error: DatabaseError) -> Bool {
        if error.isCommitInDoubt { return isRepeatable }
        return error.isConflict || error.isConnectionLost
    }
}
