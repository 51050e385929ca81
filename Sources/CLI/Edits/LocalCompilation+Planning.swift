import CompositionModel
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

    /// Plans all outputs.
    /// - Parameter segmentCount: the number of segments; nil lets the planner choose.
    /// - Returns: each plan with what ``matchHint(of:)`` needs.
    /// - Throws: ``CommandFailure`` with the planner's sentence.
    func plansWithSurveys(segmentCount: Int?) throws -> [(plan: RenderPlan, survey: CopySurvey?)] {
        do throws(PlanError) {
            var planned: [(RenderPlan, CopySurvey?)] = []
            for output in composition.outputs.indices {
                planned.append(
                    try Planner.planWithSurvey(composition, output: output, facts: facts, segmentCount: segmentCount)
                )
            }
            return planned
        } catch {
            throw CommandFailure(error.failure)
        }
    }

    /// The line of ``matchHint`` for outputs that are planned.
    static func matchHint(of planned: [(plan: RenderPlan, survey: CopySurvey?)]) -> String? {
        for (plan, survey) in planned {
            if let share = try? survey?.copyable(of: plan.output), let hint = hint(share.frames, of: share.of) {
                return hint
            }
        }
        return nil
    }

    /// A line that says what share of the frames the preset `match` would copy; nil when that is nothing, and when
    /// frames are copied already.
    var matchHint: String? {
        for output in composition.outputs {
            let share = try? CopySurvey.copyable(of: output, in: composition, facts: facts)
            if let hint = (share ?? nil).flatMap(LocalCompilation.hint) { return hint }
        }
        return nil
    }

    private static func hint(_ frames: Int64, of count: Int64) -> String? {
        guard frames > 0 else { return nil }
        return "\(frames) of \(Count.of(count, "frame")) could be copied: --preset \(PresetCatalog.matchName)"
    }
}
