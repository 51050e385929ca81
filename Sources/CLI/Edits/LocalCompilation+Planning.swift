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

    /// A line that says what share of the frames the preset `match` would copy; nil when that is nothing, and when
    /// frames are copied already.
    var matchHint: String? {
        for output in composition.outputs {
            let share = try? CopySurvey.copyable(of: output, in: composition, facts: facts)
            guard let (frames, count) = share ?? nil, frames > 0 else { continue }
            return "\(frames) of \(Count.of(count, "frame")) could be copied: --preset \(PresetCatalog.matchName)"
        }
        return nil
    }
}
