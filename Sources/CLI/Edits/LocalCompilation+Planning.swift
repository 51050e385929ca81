import Ingest
import Planning

extension LocalCompilation {
    /// Plans an output.
    /// - Parameters:
    ///   - output: the position among the outputs.
    ///   - segmentCount: the number of segments; nil lets the planner choose.
    /// - Throws: ``CommandFailure`` with the planner's sentence.
    func plan(output: Int, segmentCount: Int?) throws -> RenderPlan {
        do {
            return try Planner.plan(composition, output: output, facts: facts, segmentCount: segmentCount)
        } catch {
            throw CommandFailure(error.failure)
        }
    }
}
