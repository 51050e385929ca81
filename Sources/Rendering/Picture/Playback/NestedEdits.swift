import CompositionModel
import Timing

/// Opens the edits that are nested in a task, by their position in it.
protocol NestedEdits {
    /// What the pictures of nested edit `number` are, as those of a source.
    /// - Throws: ``RenderError`` `invalid_task` where the task has none.
    func facts(of number: Int) throws(RenderError) -> VideoStreamFacts

    /// Opens nested edit `number`.
    /// - Parameter onConcealed: called with the position of an asset and a source time for each damaged picture that
    ///   is shown; the same asset may be told again and again.
    /// - Throws: ``RenderError`` `invalid_task` where the task has none, `invalid_color` for its background.
    func pictures(
        of number: Int,
        onConcealed: @escaping (_ asset: Int, _ time: RationalTime) -> Void
    ) throws -> any TimedPictures
}
