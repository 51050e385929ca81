import Foundation
import Storage
import Synchronization

/// Output folders of which a test lets one hang, as a file system whose server is away.
final class HangingFolders: Sendable {
    private struct State {
        var hang: (name: String, moment: OutputMoment)?
        /// How often the moment is passed before.
        var passes = 0
        var hangingCount = 0
    }

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)

    /// The threads that hang now.
    var hangingCount: Int { state.withLock { $0.hangingCount } }

    /// Lets every call on a folder hang that reaches a moment, until ``release()``.
    /// - Parameter passes: how often the moment is passed before.
    func hang(_ name: String, at moment: OutputMoment, after passes: Int = 0) {
        state.withLock { ($0.hang, $0.passes) = ((name, moment), passes) }
    }

    /// Lets what hangs go on, and all that comes.
    func release() {
        let count = state.withLock { state in
            defer { state = State() }
            return state.hangingCount
        }
        for _ in 0..<count { end.signal() }
    }

    /// The folders at `paths`.
    /// - Throws: `OutputFolders.Unusable`.
    func folders(_ paths: [String]) throws -> OutputFolders {
        try OutputFolders(paths) { [self] name, moment in
            let hangs = state.withLock { state in
                guard let hang = state.hang, hang == (name, moment) else { return false }
                guard state.passes == 0 else {
                    state.passes -= 1
                    return false
                }
                state.hangingCount += 1
                return true
            }
            if hangs { end.wait() }
        }
    }
}
