import CLibSSL
import Foundation

/// OpenSSL's queue of errors. It belongs to the thread: each call that may fail clears it before and takes it after
/// (SSL_get_error(3)).
enum LibraryErrors {
    struct Entry {
        let code: UInt

        /// `errno` of a system call that failed; nil when the error is OpenSSL's own.
        var systemCode: Int32? { cut_err_library(code) == ERR_LIB_SYS ? cut_err_reason(code) : nil }

        /// A phrase as “wrong version number”.
        var reason: String {
            if let systemCode { return LibraryErrors.text(ofSystemCode: systemCode) }
            return ERR_reason_error_string(code).map { String(cString: $0) } ?? "OpenSSL error \(code)"
        }
    }

    /// What `errno` means, as a phrase.
    static func text(ofSystemCode code: Int32) -> String { String(cString: strerror(code)) }

    static func clear() { ERR_clear_error() }

    /// The errors since the last ``clear()``, the cause first. The queue is empty afterwards.
    static func take() -> [Entry] {
        var entries: [Entry] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { return entries }
            entries.append(Entry(code: code))
        }
    }

    /// The cause of a failure as a phrase. The queue is empty afterwards.
    static func takeReason() -> String { take().first?.reason ?? "the connection ended" }
}
