import Foundation
import Testing
import WireProtocol

@Suite struct IdentifierRangeTests {
    @Test(arguments: ["job_01a2", "01A2", "01a21455", "01a21455-14ec-7", "job_01a21455-14ec-72df-ab13-8cc5df0606de"])
    func aBeginningHasTheIdentifiersThatBeginSo(text: String) throws {
        let own = try #require(JobID(text: "job_01a21455-14ec-72df-ab13-8cc5df0606de"))
        let range = try #require(JobID.beginning(with: text))
        #expect(range.contains(own))
        #expect(!range.contains(try #require(JobID(text: "job_01b00000-0000-7000-8000-000000000000"))))
        #expect(!range.contains(try #require(JobID(text: "job_01a1ffff-ffff-7fff-bfff-ffffffffffff"))))
    }

    @Test(arguments: ["", "job_", "task_01a2", "01a2x", "01a214551", "01a21455-14ec-72df-ab13-8cc5df0606de0", "ä"])
    func whatIsNoBeginningIsNone(text: String) { #expect(JobID.beginning(with: text) == nil) }
}
