import CompositionModel
import Planning
import Timing

/// The nested edits of a task.
struct NestedSources: NestedEdits {
    private let task: PictureTask
    private let sources: [RenderSource]

    /// - Parameter sources: in the order of `task.assets`.
    init(task: PictureTask, sources: [RenderSource]) {
        self.task = task
        self.sources = sources
    }

    func facts(of number: Int) throws(RenderError) -> VideoStreamFacts { try slice(number).facts }

    /// An edit sees those before it only, so that none can show itself.
    func pictures(
        of number: Int,
        onConcealed: @escaping (_ asset: Int, _ time: RationalTime) -> Void
    ) throws -> any TimedPictures {
        let slice = try slice(number)
        let task = PictureTask(
            frameRate: slice.frameRate,
            size: slice.size,
            color: slice.color,
            background: slice.background,
            frameCount: slice.frameCount,
            postRollCount: 0,
            assets: task.assets,
            instructions: slice.instructions,
            nested: Array((task.nested ?? []).prefix(number)),
            encoding: task.encoding,
            rendererVersion: task.rendererVersion
        )
        return NestedPictures(
            try Compositor(task: task, sources: sources),
            frameRate: slice.frameRate,
            frameCount: slice.frameCount,
            onConcealed: onConcealed
        )
    }

    private func slice(_ number: Int) throws(RenderError) -> NestedSlice {
        guard let nested = task.nested, nested.indices.contains(number), nested[number].frameCount > 0 else {
            throw RenderError("invalid_task", "The task has no nested edit \(number).", isPermanent: true)
        }
        return nested[number]
    }
}
