import Client
import Foundation
import Synchronization
import WireProtocol

/// Shows how much of files was sent, of all in one line that is redrawn on a terminal; nothing elsewhere.
final class UploadProgress: Sendable {
    private struct State {
        var tally: UploadTally
        var tenths: Int64 = -1
        var second: Int64 = -1
        var isWaiting = false
        var hasSent = false
    }

    private let isShown: Bool
    private let began = ContinuousClock.now
    private let state: Mutex<State>

    init(_ files: [UploadTally.File], isShown: Bool = Console.errorIsTerminal) {
        self.isShown = isShown
        state = Mutex(State(tally: UploadTally(files)))
    }

    /// Whether a byte was sent.
    var hasSent: Bool { state.withLock(\.hasSent) }

    /// Notes that a file is sent from a byte on.
    func start(_ byteCount: Int64, of index: Int) { state.withLock { $0.tally.start(byteCount, of: index) } }

    /// Shows that so many bytes of a file are there, when that is news: at most once a second after the first time.
    func note(_ byteCount: Int64, of index: Int) {
        draw { state in
            state.tally.note(byteCount, of: index)
            state.hasSent = state.hasSent || state.tally.sentHere > 0
            if byteCount > 0 { state.isWaiting = false }
        }
    }

    /// Notes that the coordinator has a file.
    func finish(_ index: Int) { draw { $0.tally.finish(index) } }

    /// Reports, once until the next byte, that the coordinator does not answer.
    func waits(_ error: ClientError) {
        let isNews = state.withLock { state in
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        guard isNews else { return }
        if case .problem(let problem) = error, problem.status == 409 {
            Console.errorOver("Another command sends the same file; this one goes on with it.")
        } else {
            Console.errorOver("\(error) The upload goes on as soon as it answers.")
        }
    }

    /// Reports, once until the next byte, what a file waits for that was sent.
    func waits(for sentence: String) {
        let isNews = state.withLock { state in
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if isNews { Console.errorOver("A file was sent. \(sentence)") }
    }

    private func draw(_ change: (inout State) -> Void) {
        let second = began.duration(to: .now).components.seconds
        let line: String? = state.withLock { state in
            change(&state)
            let (sent, all) = (state.tally.sent, state.tally.byteCount)
            guard isShown, all > 0, sent > 0 else { return nil }
            let tenths = sent * 1000 / all
            guard tenths != state.tenths, second != state.second || sent >= all else { return nil }
            (state.tenths, state.second) = (tenths, second)
            return state.tally.line(after: second)
        }
        if let line { Console.errorPart("\r\u{1b}[K" + line) }
    }

    /// Removes the line.
    func end() {
        let isDrawn = state.withLock { state in
            defer { state.tenths = -1 }
            return state.tenths >= 0
        }
        guard isShown, isDrawn else { return }
        Console.errorPart("\r\u{1b}[K")
        Console.lineIsEmpty()
    }
}
