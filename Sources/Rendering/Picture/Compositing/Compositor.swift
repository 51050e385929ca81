package import CompositionModel
package import Media
import Pixels
package import Planning
import Timing

/// Makes the frames of one picture task: each is a function of the task, the sources and the frame's number, whatever
/// was asked before. Asking in order is fast.
/// ```
/// instruction ─► layers, from the bottom up ─┬─ clip, transition, track   LayerCompositor ─► ClipCompositor
///                                            └─ title                     TitlePainter
/// ```
package final class Compositor {
    private let task: PictureTask
    private let sources: SourcePictures
    private let canvases: CanvasPainter
    private let library: EffectLibrary
    private let clips: ClipCompositor
    private let layers: LayerCompositor
    private let titles: TitlePainter

    /// - Parameter sources: the assets of the task, in the order of `task.assets`, as many.
    /// - Throws: ``RenderError`` `invalid_color` for a background that is no colour.
    package init(task: PictureTask, sources: [RenderSource]) throws(RenderError) {
        self.task = task
        let nested = NestedSources(task: task, sources: sources)
        self.sources = SourcePictures(task: task, sources: sources, nested: nested)
        canvases = CanvasPainter(
            size: task.size,
            color: task.color,
            background: try BackgroundColor(task.background, in: task.color)
        )
        library = EffectLibrary(task: task, sources: sources, pictures: self.sources)
        clips = ClipCompositor(task: task, sources: self.sources, library: library, canvases: canvases)
        layers = LayerCompositor(task: task, clips: clips, library: library, canvases: canvases)
        titles = TitlePainter(
            task: task,
            sources: sources,
            pictures: self.sources,
            canvases: canvases,
            library: library
        )
    }

    /// The composited picture of frame `frame`: yuv420p in the task's size and colour. A source's picture that fills
    /// the frame untouched is returned itself, without a copy.
    /// - Parameter frame: the 0-based number of the frame in the segment.
    /// - Throws: ``RenderError`` `frame_not_covered` when no instruction covers `frame`, or of a source, which it
    ///   names; ``MediaError`` of what is drawn.
    package func picture(at frame: Int64) throws -> Picture {
        defer { endFrame() }
        let instruction = try instruction(at: frame)
        let frameDuration = task.frameRate.frameDuration
        let shown = try instruction.layers.map {
            try FrameLayer($0, of: instruction.frames, frameDuration: frameDuration)
        }
        keep(instruction, shown)
        let context = FrameContext(
            frame: frame,
            step: frame - instruction.frames.start,
            frameDuration: frameDuration,
            playing: try playbacks(instruction, shown)
        )
        var canvas = Canvas.background
        for (layer, slice) in zip(shown, instruction.layers) {
            if let title = slice.title {
                canvas = try titles.draw(title, in: context, over: canvas)
            } else {
                canvas = try layers.draw(layer, in: context, over: canvas)
            }
        }
        return try canvases.picture(of: canvas)
    }

    /// The source time of the first picture that was shown damaged, by the asset's position in the task.
    var concealed: [Int: RationalTime] { sources.concealed }

    /// What is wrong with the pictures that were made so far, although they could be made: one failure
    /// `picture_concealed` for each damaged asset.
    package var warnings: [Failure] {
        sources.concealed.sorted { $0.key < $1.key }.map { asset, time in
            Failure(
                code: "picture_concealed",
                message: "its picture is damaged at \(TimeWords.seconds(time)); what is seen there is a guess.",
                isPermanent: true,
                asset: task.assets[asset]
            )
        }
    }

    private func instruction(at frame: Int64) throws(RenderError) -> SliceInstruction {
        guard let found = task.instructions.first(where: { $0.frames.contains(frame) }) else {
            throw RenderError(
                "frame_not_covered",
                "No instruction covers frame \(frame) of the segment.",
                isPermanent: true
            )
        }
        return found
    }

    /// Every source that the layers show, their masks too.
    private func playbacks(_ instruction: SliceInstruction, _ layers: [FrameLayer]) throws -> Set<Playback> {
        let clips = layers.flatMap(\.clips)
        return Set(clips.map(\.clip.playback)).union(clips.flatMap(\.masks.values))
            .union(try instruction.layers.flatMap(\.itemMasks).map { try Playback(mask: $0) })
    }

    /// Forgets what the instruction does not show.
    private func keep(_ instruction: SliceInstruction, _ layers: [FrameLayer]) {
        clips.keep(Set(layers.flatMap(\.clips).map(\.clip)))
        self.layers.keep(Set(instruction.layers.compactMap(\.transition?.look)))
        titles.keep(instruction.layers.compactMap(\.title))
    }

    /// Forgets what this frame has not used: it would not serve the next one either.
    private func endFrame() {
        canvases.endFrame()
        layers.endFrame()
        titles.endFrame()
        library.endFrame()
        clips.endFrame()
    }
}
