import Synchronization
import Testing

@testable import CLI

@Suite struct HearingProgressTests {
    /// What is shown, in order.
    private final class Screen: Sendable {
        private let parts = Mutex<[String]>([])

        func take(_ part: String) { parts.withLock { $0.append(part) } }
        var shown: [String] { parts.withLock { $0 } }
    }

    private func progress(_ mode: ProgressDisplay.Mode, pieces: Int = 1) -> (HearingProgress, Screen) {
        let screen = Screen()
        return (HearingProgress(pieces: pieces, seconds: 600, mode: mode) { screen.take($0) }, screen)
    }

    /// In a log: a tenth is told once, and what is done in a moment not at all.
    @Test func linesTellTenths() {
        let (progress, screen) = progress(.lines)
        progress.note(150, of: 0, at: 1)
        progress.note(290, of: 0, at: 2)
        progress.note(295, of: 0, at: 3)
        progress.note(600, of: 0, at: 4)
        progress.finish()
        #expect(
            screen.shown == ["heard 29 %\n", "heard 60 % · 90.0× real time · 3 s left\n"]
        )
    }

    @Test func aBarIsDrawnAgainAndGoesAway() {
        let (progress, screen) = progress(.bar)
        progress.note(100, of: 0, at: 0.1)
        progress.note(500, of: 0, at: 0.2)
        progress.finish()
        progress.finish()
        let bar = String(repeating: "█", count: 15) + String(repeating: "░", count: 15)
        #expect(screen.shown.count == 3 && screen.shown[1] == "\r\u{1b}[Kheard \(bar) 50 %")
        #expect(screen.shown.last == "\r\u{1b}[K")
    }

    /// A warning has a line of its own, and the bar comes back below it.
    @Test func aBarMakesRoomForALine() {
        let (progress, screen) = progress(.bar)
        progress.say("first")
        progress.note(500, of: 0, at: 0.2)
        progress.say("second")
        progress.finish()
        progress.say("third")
        let bar = "heard " + String(repeating: "█", count: 15) + String(repeating: "░", count: 15) + " 50 %"
        #expect(
            screen.shown == [
                "first\n", "\r\u{1b}[K" + bar, "\r\u{1b}[Ksecond\n" + bar, "\r\u{1b}[K", "third\n",
            ]
        )
    }

    /// Each process counts for its piece.
    @Test func piecesAreOneWhole() {
        let (progress, screen) = progress(.bar, pieces: 4)
        for piece in 0..<3 { progress.note(1000, of: piece, at: 0.1) }
        #expect(screen.shown.last?.hasSuffix(" 75 %") == true)
    }
}
