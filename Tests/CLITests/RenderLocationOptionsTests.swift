import ArgumentParser
import Testing

@testable import CLI

/// Processes here or a farm: an option of the one is no option of the other.
@Suite struct RenderLocationOptionsTests {
    @Test(
        arguments: [
            (["--workers", "2", "--coordinator", "http://farm:7411"], "--workers counts processes of this machine"),
            (["--priority", "5"], "--priority is for a farm: name it with --coordinator"),
            (["--token-file", "token"], "A token is for a farm: name it with --coordinator"),
            (["--workers", "0"], "--workers takes a number from 1 to 256"),
        ],
        [["loudness", "a.wav"], ["waveform", "a.wav", "-o", "a.png"], ["still", "a.mp4", "--at", "1s"]]
    )
    func whatDoesNotFitIsSaid(option: ([String], String), command: [String]) throws {
        let error = try #require(throws: (any Error).self) { try CutfarmCommand.parseAsRoot(command + option.0) }
        #expect(CutfarmCommand.message(for: error).contains(option.1))
        #expect(CutfarmCommand.exitCode(for: error) == .validationFailure)
    }

    @Test func aFarmHasAPriorityAndThisMachineProcesses() throws {
        let there = try RenderLocationOptions.parse(["--coordinator", "http://farm:7411", "--priority", "5"])
        #expect(there.priority == 5)
        #expect(try RenderLocationOptions.parse(["--workers", "3"]).processes == 3)
        #expect(try RenderLocationOptions.parse([]).processes >= 1)
    }
}
