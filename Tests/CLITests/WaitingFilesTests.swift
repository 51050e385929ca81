import Testing

@testable import CLI

/// When a file of a watched folder is tried again that the farm could not take.
@Suite struct WaitingFilesTests {
    private let file = FoundFile(name: "a.mov", byteCount: 5, modifiedNanoseconds: 0)
    private let other = FoundFile(name: "a.mov", byteCount: 6, modifiedNanoseconds: 0)

    @Test func thePausesGrowUpToAMinute() {
        var waiting = WaitingFiles(interval: .seconds(2))
        var now: Duration = .zero
        var pauses: [Int64] = []
        for _ in 0..<8 {
            _ = waiting.delay(file, "Later.", at: now)
            let pause = (1...600).first { waiting.isDue(file, at: now + .seconds($0)) } ?? 0
            pauses.append(Int64(pause))
            now += .seconds(pause)
        }
        #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60])
        #expect(waiting.attempts(file) == 8)
    }

    @Test func aReasonIsSaidOnce() {
        var waiting = WaitingFiles(interval: .seconds(2))
        let said = ["Later.", "Later.", "No machine.", "No machine.", "Later."].map {
            waiting.delay(file, $0, at: .zero)
        }
        #expect(said == [true, false, true, false, true])
    }

    /// Who replaces the file does not wait for the pause of the one before.
    @Test func aFileThatIsReplacedBeginsAnew() {
        var waiting = WaitingFiles(interval: .seconds(2))
        _ = waiting.delay(file, "Later.", at: .zero)
        #expect(!waiting.isDue(file, at: .seconds(1)) && waiting.isDue(other, at: .seconds(1)))
        #expect(waiting.attempts(other) == 0)
        let isSaid = waiting.delay(other, "Later.", at: .seconds(1))
        #expect(isSaid)
    }

    /// A farm without room is asked again at the next look, for another file first.
    @Test func whatTheFarmHasNoRoomForIsDueAtOnce() {
        var waiting = WaitingFiles(interval: .seconds(2))
        waiting.note(file)
        #expect(waiting.attempts(file) == 1 && waiting.isDue(file, at: .zero))
        waiting.end(file.name)
        #expect(waiting.attempts(file) == 0)
    }
}
