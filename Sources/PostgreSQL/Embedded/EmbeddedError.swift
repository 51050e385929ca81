import Glibc

/// The reason why the private PostgreSQL did not run: a stable code and one sentence that says what to do.
package struct EmbeddedError: Error, Sendable, Hashable {
    /// The kinds of reasons.
    package enum Code: String, Sendable, Hashable {
        case notInstalled = "postgresql_missing"
        case stateInUse = "state_in_use"
        case folderNotEnterable = "state_not_enterable"
        case otherVersion = "postgresql_version"
        case noAccount = "postgres_account_missing"
        case noSpace = "no_space"
        case notStarted = "postgresql_not_started"
        case system = "system_error"
        case cancelled = "cancelled"
    }

    /// The kind of reason.
    package let code: Code
    /// One sentence for the user.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let startCancelled = EmbeddedError(.cancelled, "The start of the farm's database was cancelled.")

    /// Makes the error of a call that failed with `errno`.
    init(_ what: String, errno number: Int32) {
        let isFull = number == ENOSPC || number == EDQUOT
        self.init(isFull ? .noSpace : .system, "\(what): \(String(cString: strerror(number))).")
    }
}

extension EmbeddedError: CustomStringConvertible {
    /// The sentence with the code.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
