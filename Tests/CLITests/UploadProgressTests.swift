import Testing

@testable import CLI

@Suite struct UploadProgressTests {
    @Test func theLineSaysHowMuchAndHowFast() {
        let first = UploadProgress.line("a.mov", sent: 5_000_000, of: 20_000_000, after: 1)
        #expect(first == "sending a.mov: 25 % of 20 MB")
        let later = UploadProgress.line("a.mov", sent: 15_000_000, of: 20_000_000, after: 10)
        #expect(later == "sending a.mov: 75 % of 20 MB · 1500 kB a second")
        let end = UploadProgress.line("a.mov", sent: 20_000_000, of: 20_000_000, after: 12)
        #expect(end == "a.mov: sent; the coordinator reads it")
    }
}
