import CompositionModel
import Timing

/// Finds what of its asset a segment plays.
struct SourceResolver {
    let assets: [String: CompilerAsset]
    /// Names of assets of which nothing can be known; that is said elsewhere.
    var unusable: Set<String> = []
    let log: FindingLog
    private let defaults = DefaultStreams()

    /// - Returns: nil after a finding.
    func resolve(_ segment: EditSegment, on grid: TrackGrid) -> ResolvedSource? {
        guard !unusable.contains(segment.asset.value) else { return standIn(for: segment, on: grid) }
        guard let asset = assets[segment.asset.value] else {
            log.error(segment.asset.mark, .assetMissing, CompilerAsset.unknown(segment.asset.value))
            return nil
        }
        guard let streams = streams(of: segment, on: grid.kind, asset.facts) else { return nil }
        do throws(TimeError) {
            return try source(of: segment, streams, asset.facts, on: grid)
        } catch {
            log.error(segment.mark, .timeOverflow, "a time here is too large or too fine to compute with exactly")
            return nil
        }
    }

    /// - Returns: nil after a finding.
    private func streams(of segment: EditSegment, on kind: EditTrack.Kind, _ facts: AssetFacts) -> StreamChoice? {
        let isDefault = segment.track == nil && segment.language == nil
        let name = DefaultStreams.Name(asset: segment.asset.value, kind: kind)
        if isDefault, let known = defaults.known[name] { return known }
        let choice = StreamChoice.choose(for: segment, on: kind, of: facts, log: log)
        if isDefault, let choice { defaults.known[name] = choice }
        return choice
    }

    /// The default picture of an asset, for a map.
    /// - Returns: nil after a finding.
    func map(_ name: Marked<String>) -> PlacedMap? {
        guard !unusable.contains(name.value) else { return PlacedMap(asset: name.value, stream: 0) }
        guard let asset = assets[name.value] else {
            log.error(name.mark, .assetMissing, CompilerAsset.unknown(name.value))
            return nil
        }
        guard asset.composition == nil else {
            let message = "asset \"\(name.value)\" is an edit; a map is a picture that has a file"
            log.error(name.mark, .noPicture, message)
            return nil
        }
        guard let stream = asset.facts.defaultVideo?.streamIndex else {
            let has = asset.facts.words
            log.error(name.mark, .noPicture, "asset \"\(name.value)\" has no picture to be a map; it has \(has)")
            return nil
        }
        return PlacedMap(asset: name.value, stream: stream)
    }

    /// Where the segment writes its own length, a source without streams that never ends.
    private func standIn(for segment: EditSegment, on grid: TrackGrid) -> ResolvedSource? {
        guard segment.duration != nil || segment.range != nil else { return nil }
        var start = RationalTime.zero
        if let written = segment.firstShown, !isFrameNumber(written.value) {
            guard let seconds = grid.seconds(written) else { return nil }
            start = seconds
        }
        guard let end = try? start.adding(RationalTime(whole: Limits.longestSeconds)) else { return nil }
        return ResolvedSource(
            name: segment.asset.value,
            streams: StreamChoice(),
            start: start,
            end: end,
            isHeld: segment.freeze != nil
        )
    }

    private func isFrameNumber(_ time: EditTime) -> Bool {
        if case .frameNumber = time { true } else { false }
    }

    private func source(
        of segment: EditSegment,
        _ streams: StreamChoice,
        _ facts: AssetFacts,
        on grid: TrackGrid
    ) throws(TimeError) -> ResolvedSource? {
        if grid.kind == .video, streams.video?.isStill == true { return try still(segment, streams) }
        let written = segment.firstShown
        let picture = streams.video ?? facts.defaultVideo
        guard let start = try written.map({ mark throws(TimeError) in try inPoint(mark, picture, on: grid) }) ?? .zero
        else { return nil }
        let end = try end(of: streams)
        guard grid.isWithinLimits(end, mark: segment.asset.mark) else { return nil }
        guard start < end else {
            let times = TimeWords.distinct(start, end)
            let numbers = "\(times[0]) is not before the end of asset \"\(segment.asset.value)\""
            let mark = written?.mark ?? segment.asset.mark
            log.error(mark, .inPastEnd, "\(numbers), which is at \(times[1])")
            return nil
        }
        return ResolvedSource(
            name: segment.asset.value,
            streams: streams,
            start: start,
            end: end,
            isHeld: segment.freeze != nil
        )
    }

    /// A still picture is seen for as long as the segment says, whatever of it is asked for.
    private func still(_ segment: EditSegment, _ streams: StreamChoice) throws(TimeError) -> ResolvedSource? {
        guard segment.duration != nil || segment.range != nil else {
            let message = "asset \"\(segment.asset.value)\" is a still picture: write for how long it is seen"
            log.error(segment.mark, .noLength, message, suggestion: "\"duration\": \"5s\"")
            return nil
        }
        let end = RationalTime(whole: Limits.longestSeconds)
        return ResolvedSource(name: segment.asset.value, streams: streams, start: .zero, end: end, isHeld: true)
    }

    private func inPoint(
        _ written: Marked<EditTime>,
        _ picture: VideoStreamFacts?,
        on grid: TrackGrid
    ) throws(TimeError) -> RationalTime? {
        guard case .frameNumber(let number) = written.value else { return grid.seconds(written) }
        guard let picture else {
            log.error(written.mark, .frameNumber, "\"#\(number)\" counts frames, but the asset has no picture")
            return nil
        }
        guard number < picture.frameCount else {
            let last = picture.frameCount - 1
            log.error(written.mark, .inPastEnd, "there is no frame \(number): the last one is frame \(last)")
            return nil
        }
        return try picture.time(ofFrame: number)
    }

    private func end(of streams: StreamChoice) throws(TimeError) -> RationalTime {
        if let video = streams.video { return video.duration }
        guard let audio = streams.audio else { return .zero }
        return try audio.start.adding(RationalTime(audio.sampleCount, Int64(audio.sampleRate)))
    }
}

/// The default streams of the assets that were asked for: hundreds of thousands of segments may play them.
private final class DefaultStreams {
    struct Name: Hashable {
        let asset: String
        let kind: EditTrack.Kind
    }

    var known: [Name: StreamChoice] = [:]
}

/// The streams of an asset that a segment plays, and from where on.
struct ResolvedSource {
    var name: String
    var streams: StreamChoice
    /// The source time of the first frame or sample.
    var start: RationalTime
    /// The source time at which there is nothing more.
    var end: RationalTime
    /// Whether the frame at `start` is seen all the time, for any length.
    var isHeld: Bool
}

extension EditSegment {
    /// The source time that it says it begins with; backwards it ends there.
    var firstShown: Marked<EditTime>? { self.freeze ?? self.start ?? self.range?.start }
}
