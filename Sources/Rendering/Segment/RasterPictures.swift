import CompositionModel
import Media
import Pixels
import Planning
import Timing

/// The pictures of a task as its encoder gets them: composited as they are shown, then brought into the raster in which
/// they are coded.
///
/// ```
/// shown  ┌────┐  scaled to the coded samples, turned back   ┌────────┐ coded
///        │    │  ─────────────────────────────────────────► │        │
///        └────┘                                             └────────┘
/// ```
/// A frame that shows one source of the same raster, and nothing else, is that source's picture as it was decoded: what
/// is turned or scaled there and back again would lose of its sharpness.
final class RasterPictures {
    private let task: PictureTask
    private let shown: Compositor
    private let raster: CodedRaster?
    /// Composites the frames that need not be turned; nil where there are none.
    private let unturned: Compositor?
    private let isUnturned: [Bool]
    private let converter = PictureConverter()

    /// - Parameter sources: the assets of the task, in the order of `task.assets`, as many.
    /// - Throws: ``RenderError`` `invalid_color` for a background that is no colour.
    init(task: PictureTask, sources: [RenderSource]) throws(RenderError) {
        self.task = task
        shown = try Compositor(task: task, sources: sources)
        raster = task.encoding.raster
        guard let raster else {
            (isUnturned, unturned) = ([], nil)
            return
        }
        let isUnturned = task.instructions.map { $0.showsOnlyPictures(of: raster, in: task.size, sources) }
        self.isUnturned = isUnturned
        unturned = isUnturned.contains(true) ? try task.unturned(raster, isUnturned, sources) : nil
    }

    /// The coded picture of a frame.
    /// - Throws: as ``Compositor/picture(at:)``.
    func picture(at frame: Int64) throws -> Picture {
        guard let raster else { return try shown.picture(at: frame) }
        if let unturned, let place = task.instructions.firstIndex(where: { $0.frames.contains(frame) }),
            isUnturned[place]
        {
            return try unturned.picture(at: frame)
        }
        return try coded(try shown.picture(at: frame), raster)
    }

    /// See ``Compositor/warnings``: one for each asset.
    var warnings: [Failure] {
        let first = shown.warnings
        let told = Set(first.compactMap(\.asset))
        return first + (unturned?.warnings ?? []).filter { $0.asset.map(told.contains) != true }
    }

    private func coded(_ picture: Picture, _ raster: CodedRaster) throws(MediaError) -> Picture {
        let back = PlaneTurn(quarterTurns: (360 - raster.degrees) % 360 / 90, isMirrored: false)
        let (width, height) =
            back.swapsSides ? (raster.size.height, raster.size.width) : (raster.size.width, raster.size.height)
        return try converter.convert(
            picture,
            to: .yuv420p,
            width: width,
            height: height,
            color: task.color,
            chroma: back.chroma(before: PictureSize(width: width, height: height))
        ).turned(back)
    }
}

extension SliceInstruction {
    /// Whether frames show one source alone, in place, whose pictures lie in `raster`.
    fileprivate func showsOnlyPictures(
        of raster: CodedRaster,
        in size: PictureSize,
        _ sources: [RenderSource]
    ) -> Bool {
        guard layers.count == 1, let layer = layers.first, layer.title == nil, layer.transition == nil,
            let source = layer.from, layer.to == nil, source.isNested != true, source.appearance == nil,
            source.track == nil, sources.indices.contains(source.asset),
            let stream = sources[source.asset].facts.video.first(where: { $0.streamIndex == source.stream })
        else { return false }
        return stream.fills(size) && !stream.orientation.isMirrored && CodedRaster(of: stream) == raster
    }
}

extension PictureTask {
    /// Composites pictures of `raster` as if they were shown as they are coded.
    fileprivate func unturned(
        _ raster: CodedRaster,
        _ isUnturned: [Bool],
        _ sources: [RenderSource]
    ) throws(RenderError) -> Compositor {
        var task = self
        task.size = raster.size
        task.nested = nil
        task.instructions = zip(instructions, isUnturned).filter(\.1).map(\.0)
        return try Compositor(task: task, sources: sources.map { $0.lying(in: raster) })
    }
}

extension RenderSource {
    /// The source with its pictures of `raster` upright and of square pixels.
    fileprivate func lying(in raster: CodedRaster) -> RenderSource {
        var source = self
        for index in facts.video.indices where CodedRaster(of: facts.video[index]) == raster {
            source.facts.video[index].orientation = .upright
            source.facts.video[index].pixelAspect = RationalTime(whole: 1)
        }
        return source
    }
}
