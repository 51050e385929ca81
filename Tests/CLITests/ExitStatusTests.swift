import Testing
import WireProtocol

@testable import CLI

/// What a shell script finds in `$?` (README.md, "Exit status").
@Suite struct ExitStatusTests {
    @Test(arguments: [
        (401, "unauthorized", 3), (403, "forbidden", 3), (409, "version_mismatch", 3), (507, "disk", 7),
        (503, "no_space", 7), (409, "asset_missing", 2), (422, "asset_missing", 2), (409, "output_exists", 6),
        (400, "not_understood", 2), (404, "unknown_job", 2), (499, "other", 2), (500, "internal", 1),
        (503, "unavailable", 5),
    ])
    func aRefusalHasItsNumber(status: Int, code: String, number: Int32) {
        let problem = Problem(status: status, code: code, title: "Refused", detail: "No.")
        let failure = CommandFailure(problem)
        #expect(failure.status.rawValue == number)
        #expect(failure.lines == ["No."])
    }

    @Test func anInterruptionIsNoSuccess() {
        #expect(CommandFailure(recognising: CancellationError())?.status.rawValue == 130)
    }
}
