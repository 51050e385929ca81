import Foundation
import TestSupport
import Testing

/// Every entry of Tests/Mutants/mutants.txt names code that is still there: else the list catches nothing.
@Suite struct MutantListTests {
    @Test func everyMistakeCanBePlanted() async throws {
        let outcome = try await Shell.run("bash", [SourceTree.root.path + "/Tests/Mutants/run", "--check"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }
}
