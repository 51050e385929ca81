import Testing

@testable import CLI

@Suite struct UploadProgressTests {
    private func tally(_ lengths: Int64...) -> UploadTally {
        UploadTally(lengths.enumerated().map { UploadTally.File(path: "/x/\($0).mov", byteCount: $1) })
    }

    @Test func theLineSaysHowMuchHowFastAndHowLong() {
        var tally = tally(20_000_000)
        tally.start(0, of: 0)
        tally.note(5_000_000, of: 0)
        #expect(tally.line(after: 1) == "sending 0.mov: 25 % of 20 MB")
        tally.note(15_000_000, of: 0)
        #expect(tally.line(after: 10) == "sending 0.mov: 75 % of 20 MB · 1500 kB a second · 3 s left")
        tally.note(20_000_000, of: 0)
        #expect(tally.line(after: 12) == "0.mov: sent; the coordinator reads it")
    }

    @Test func severalFilesAreOneLine() {
        var tally = tally(20_000_000, 60_000_000)
        tally.start(0, of: 0)
        tally.start(0, of: 1)
        tally.note(10_000_000, of: 0)
        #expect(tally.line(after: 1) == "sending 2 files: 12 % of 80 MB")
        tally.finish(0)
        #expect(tally.line(after: 1) == "sending 2 files (1 done): 25 % of 80 MB")
        tally.finish(1)
        #expect(tally.line(after: 9) == "2 files: sent; the coordinator reads them")
    }

    /// What an earlier run sent counts as there, and not as speed.
    @Test func whatWasThereIsNoSpeed() {
        var tally = tally(100_000_000)
        tally.start(60_000_000, of: 0)
        tally.note(80_000_000, of: 0)
        #expect(tally.line(after: 10) == "sending 0.mov: 80 % of 100 MB · 2000 kB a second · 10 s left")
        // Cut and begun again, a little further back.
        tally.start(79_000_000, of: 0)
        #expect(tally.sentHere == 19_000_000)
    }
}
