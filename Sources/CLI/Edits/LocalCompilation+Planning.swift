import Ingest
import Planning

extension LocalCompilation {
    /// - Throws: ``CommandFailure`` with the planner's sentence.
    func plan(output: Int, segmentCount: Int?) throws -> RenderPlan {
        do {
            return try Planner.plan(composition, output: output, facts: facts, segmentCount: segmentCount)
        } catch {
            throw CommandFailure(error.failure)
        }
    }
}
