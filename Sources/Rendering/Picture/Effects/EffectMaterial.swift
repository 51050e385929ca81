import CompositionModel
import Media
import Pixels
import Planning
import Timing

/// A mask at one time, and where its fit puts it.
struct PlacedMask {
    let picture: Picture
    let placement: Placement
}

/// The tables and masks that effects of one picture work with at one frame.
struct EffectMaterial {
    /// The tables by position in the task's assets.
    var lookups: [Int: ColorLookup] = [:]
    var masks: [EffectSource: PlacedMask] = [:]

    /// What a result depends on beside the effects: lookups never change.
    func pictures(of effects: [EffectState]) -> [Picture] {
        effects.compactMap { effect in effect.source.flatMap { masks[$0]?.picture } }
    }
}

/// Reads the tables and masks that effects work with.
final class EffectLibrary {
    private let size: PictureSize
    private let color: ColorDescription
    private let sources: [RenderSource]
    private let assets: [ContentDigest]
    private let pictures: SourcePictures
    private var lookups: [Int: ColorLookup] = [:]
    private var fitters: [Place: LayerFitter] = [:]
    /// Masks that never change, upright: their readers need not stay open.
    private var stills = FrameCache<(place: Place, picture: Picture)>()

    private struct Place: Hashable {
        let asset: Int
        let stream: Int
        let fit: Fit
    }

    /// - Parameter pictures: of the task, where masks are read as clips are.
    init(task: PictureTask, sources: [RenderSource], pictures: SourcePictures) {
        (size, color, assets) = (task.size, task.color, task.assets)
        (self.sources, self.pictures) = (sources, pictures)
    }

    /// Forgets what was not asked for since the last call.
    func endFrame() { stills.endFrame() }

    /// - Parameters:
    ///   - fit: of the masks.
    ///   - time: the item's, in its keys' seconds.
    ///   - clip: what plays beside the effects: source time and mask's reader; nil for what has no moving source.
    func material(
        of effects: [EffectState],
        fit: Fit,
        itemTime: RationalTime,
        clip: ClipState? = nil,
        in context: FrameContext
    ) throws -> EffectMaterial {
        var material = EffectMaterial()
        for effect in effects {
            guard let source = effect.source else { continue }
            guard source.stream != nil else {
                material.lookups[source.asset] = try lookup(source.asset)
                continue
            }
            let time: RationalTime =
                switch source.clock {
                case nil: .zero
                case .item: try itemTime.adding(source.offset ?? .zero)
                case .source: try (clip?.time ?? .zero).adding(source.offset ?? .zero)
                }
            let playback = try clip?.masks[source] ?? Playback(mask: source)
            material.masks[source] = try mask(source, playback, at: time, fit: fit, in: context)
        }
        return material
    }

    private func mask(
        _ source: EffectSource,
        _ playback: Playback,
        at time: RationalTime,
        fit: Fit,
        in context: FrameContext
    ) throws -> PlacedMask {
        let facts = try pictures.facts(of: playback)
        let place = Place(asset: source.asset, stream: playback.stream, fit: fit)
        let fitter = fitters[place] ?? LayerFitter(stream: facts, fit: fit, frame: size, color: color)
        fitters[place] = fitter
        if source.clock == nil, let still = stills.first(where: { $0.place == place }) {
            return PlacedMask(picture: still.picture, placement: fitter.placement)
        }
        // Before its first frame a mask shows that one, after its last the last one.
        let last = try facts.time(ofFrame: max(0, facts.frameCount - 1))
        let shown = max(.zero, min(time, last))
        let decoded = try pictures.picture(of: playback, at: shown, in: context)
        let picture = try fitter.upright(decoded)
        if source.clock == nil {
            if !context.playing.contains(playback) { pictures.close(playback) }
            stills.insert((place, picture), byteCount: picture.byteCount)
        }
        return PlacedMask(picture: picture, placement: fitter.placement)
    }

    private func lookup(_ asset: Int) throws -> ColorLookup {
        if let known = lookups[asset] { return known }
        guard sources.indices.contains(asset) else {
            throw RenderError("invalid_task", "There is no asset \(asset) for a LUT.", isPermanent: true)
        }
        let table: ColorTable
        do {
            table = try ColorTableSource.table(of: sources[asset].bytes)
        } catch var error as RenderError {
            error.blame(assets[asset])
            throw error
        }
        let lookup = ColorLookup(table)
        lookups[asset] = lookup
        return lookup
    }
}

extension SliceLayer {
    /// The masks in it that move in the time of the effects' keys: of clips, tracks, titles and layers of titles.
    var itemMasks: [EffectSource] {
        let clips = [from, to].compactMap(\.self).flatMap { [$0.appearance, $0.track] }
        let titles = (title?.layers ?? []).flatMap(\.effectSources)
        return (clips.flatMap { $0?.effectSources ?? [] } + titles).filter { $0.clock == .item }
    }
}

extension TitleLayer {
    /// The sources of the effects of the layer and of those in it.
    fileprivate var effectSources: [EffectSource] {
        (appearance?.effectSources ?? []) + (group ?? []).flatMap(\.effectSources)
    }
}

extension ColorLookup {
    init(_ table: ColorTable) {
        let count = table.size
        func color(_ numbers: [Double]) -> SIMD3<Float> {
            SIMD3(Float(numbers[0]), Float(numbers[1]), Float(numbers[2]))
        }
        let made: Table
        if table.dimensions == 1 {
            let channels = (0..<3).map { channel in (0..<count).map { table.values[3 * $0 + channel] } }
            made = .curves(ToneCurves(red: channels[0], green: channels[1], blue: channels[2]))
        } else {
            let points = (0..<count * count * count).map { index in
                SIMD3(table.values[3 * index], table.values[3 * index + 1], table.values[3 * index + 2])
            }
            made = .cube(ColorCube(size: count, colors: points))
        }
        self.init(made, low: color(table.domainMin), high: color(table.domainMax))
    }
}
