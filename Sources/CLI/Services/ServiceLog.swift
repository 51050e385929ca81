import Coordinator
import Foundation
import Logging

/// The log of a coordinator or a worker, on standard error.
enum ServiceLog {
    /// Makes the log: lines for people on a terminal, JSON elsewhere.
    static func logger() -> Logger {
        Logger(label: "cutfarm") { label in
            Console.errorIsTerminal ? TextLogHandler() as any LogHandler : JSONLogHandler(label: label)
        }
    }
}
