import Foundation
import Synchronization

/// Shows the progress of the processes that measure a sound on this machine: a bar on a terminal, removed at the end;
/// elsewhere a line at each tenth, if the work takes longer than ``moment``.
final class HearingProgress: Sendable {
    /// The seconds before the first line is printed.
    static let moment = 2.0

    private struct Heard {
        /// The progress of each piece, in thousandths.
        var permilles: [Int]
        var tenths = 0
        var pace = ProgressPace()
        /// The bar as it is drawn; nil when there is none.
        var drawn: String?
    }

    /// The length of the sound, in seconds.
    private let seconds: Double
    private let mode: ProgressDisplay.Mode
    private let write: @Sendable (String) -> Void
    private let began = ContinuousClock.now
    private let heard: Mutex<Heard>

    /// Begins with nothing measured.
    /// - Parameters:
    ///   - pieces: the number of pieces that are measured, of about one length.
    ///   - seconds: the length of the sound.
    ///   - write: takes what is shown, line ends included.
    init(
        pieces: Int,
        seconds: Double,
        mode: ProgressDisplay.Mode = .usual,
        write: @escaping @Sendable (String) -> Void = Console.errorPart
    ) {
        (self.seconds, self.mode, self.write) = (seconds, mode, write)
        heard = Mutex(Heard(permilles: Array(repeating: 0, count: max(1, pieces))))
    }

    /// Notes the progress of a piece, in thousandths, as of now.
    func note(_ permille: Int, of piece: Int) {
        let passed = began.duration(to: .now).components
        note(permille, of: piece, at: Double(passed.seconds) + Double(passed.attoseconds) / 1e18)
    }

    /// Notes the progress of a piece, in thousandths.
    /// - Parameter time: the seconds since this was made.
    func note(_ permille: Int, of piece: Int, at time: Double) {
        heard.withLock { heard in
            heard.permilles[piece] = permille
            let mean = heard.permilles.reduce(0, +) / heard.permilles.count
            let (permille, words) = heard.pace.note(mean, ofSeconds: seconds, at: time)
            let percent = "\(permille / 10) %" + (words.map { " · " + $0 } ?? "")
            switch mode {
            case .bar:
                let bar = "heard \(ProgressDisplay.cells(permille)) \(percent)"
                heard.drawn = bar
                write("\r\u{1b}[K" + bar)
            case .lines where time >= Self.moment && permille / 100 > heard.tenths:
                heard.tenths = permille / 100
                write("heard \(percent)\n")
            case .lines, .json, .silent: break
            }
        }
    }

    /// Prints a line of its own, above the bar.
    func say(_ line: String) {
        heard.withLock { heard in write((heard.drawn == nil ? "" : "\r\u{1b}[K") + line + "\n" + (heard.drawn ?? "")) }
    }

    /// Takes the bar away.
    func finish() {
        heard.withLock { heard in
            if heard.drawn != nil { write("\r\u{1b}[K") }
            heard.drawn = nil
        }
    }
}
