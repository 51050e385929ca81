import CompositionModel
import Timing

/// Divides the sound of a timeline into parts in which one source is heard alone and as it is, and others. A nested
/// edit that is heard as it is counts as what it plays.
struct UntouchedSound {
    /// A part of the timeline.
    struct Part {
        /// The samples of the timeline.
        var samples: Range<Int64>
        /// The source that is heard, or why none is heard as it is.
        var content: Result<Source, Touch>
    }

    /// A sound stream at a place on the timeline.
    struct Source: Hashable {
        /// The position in the composition's assets.
        var asset: Int
        var stream: Int
        /// What is added to a sample of the timeline to give the sample of the stream.
        var shift: Int64
    }

    struct Touch: Error {
        let reason: SoundEncodingReason
    }

    let composition: Composition
    let assets: AssetTable
    private let nested: NestedParts

    init(composition: Composition, assets: AssetTable) {
        self.init(composition, assets, NestedParts())
    }

    private init(_ composition: Composition, _ assets: AssetTable, _ nested: NestedParts) {
        (self.composition, self.assets, self.nested) = (composition, assets, nested)
    }

    /// The parts of `samples`, in order of time, without gap or overlap.
    func parts(of samples: Range<Int64>) -> [Part] {
        if composition.master?.isPlain == false {
            return [Part(samples: samples, content: .failure(Touch(reason: .master)))]
        }
        let heard = composition.audioTracks.flatMap { self.heard($0, in: samples) }.filter {
            $0.samples.overlaps(samples)
        }
        var events = heard.enumerated().flatMap { index, part in
            [(place: part.samples.lowerBound, index: index), (place: part.samples.upperBound, index: index)]
        }
        events.sort { ($0.place, $0.index) < ($1.place, $1.index) }
        var parts: [Part] = []
        var (active, place): ([Int], Int64) = ([], samples.lowerBound)
        for event in events + [(place: samples.upperBound, index: -1)] {
            let end = min(max(event.place, place), samples.upperBound)
            if end > place {
                append(Part(samples: place..<end, content: content(active.map { heard[$0] })), to: &parts)
            }
            place = end
            if let found = active.firstIndex(of: event.index) {
                active.remove(at: found)
            } else {
                active.append(event.index)
            }
        }
        return parts
    }

    private func content(_ heard: [Part]) -> Result<Source, Touch> {
        guard let only = heard.first else { return .failure(Touch(reason: .gap)) }
        return heard.count == 1 ? only.content : .failure(Touch(reason: .mixed))
    }

    /// Appends a part; where a clip was only cut in two, it goes on.
    private func append(_ part: Part, to parts: inout [Part]) {
        if let last = parts.last, case .success(let one) = last.content, case .success(let other) = part.content,
            one == other
        {
            parts[parts.count - 1].samples = last.samples.lowerBound..<part.samples.upperBound
        } else {
            parts.append(part)
        }
    }

    /// The clips of a track that can be heard in `samples`, each in up to three parts: fades are apart.
    private func heard(_ track: AudioTrack, in samples: Range<Int64>) -> [Part] {
        guard !track.volume.isSilent else { return [] }
        let reason = touch(of: track)
        let segments = track.segments.filter { segment in
            segment.count > 0 && !segment.volume.isSilent
                && (segment.start..<segment.start + segment.count).overlaps(samples)
        }
        return segments.flatMap { segment in
            let content = reason.map { .failure(Touch(reason: $0)) } ?? content(of: segment)
            let end = segment.start + segment.count
            let first = segment.start + min(segment.fadeIn?.count ?? 0, segment.count)
            let last = max(end - (segment.fadeOut?.count ?? 0), first)
            let faded: Result<Source, Touch> = .failure(Touch(reason: .level))
            let fades = [segment.start..<first, last..<end].map { Part(samples: $0, content: faded) }
            let whole = Part(samples: first..<last, content: content)
            return ([fades[0]] + played(segment, whole) + [fades[1]]).filter { !$0.samples.isEmpty }
        }
    }

    /// The parts of `whole`, which a clip plays without a fade: of a nested edit what is heard of it.
    private func played(_ segment: AudioTrackSegment, _ whole: Part) -> [Part] {
        guard segment.isNested == true, case .success = whole.content, !whole.samples.isEmpty else { return [whole] }
        let inner = composition.nestedComposition(segment.asset)
        let shift = segment.sourceStart - segment.start
        let wanted = whole.samples.lowerBound + shift..<whole.samples.upperBound + shift
        let parts = nested.parts(of: segment.asset) {
            guard let count = try? inner.sampleCount(), count > 0 else { return [] }
            return UntouchedSound(inner, assets, nested).parts(of: 0..<count)
        }
        let played = parts[parts.partitionPoint { $0.samples.upperBound > wanted.lowerBound }...].prefix {
            $0.samples.lowerBound < wanted.upperBound
        }
        guard nested.take(played.count) else {
            return [Part(samples: whole.samples, content: .failure(Touch(reason: .nested)))]
        }
        return played.compactMap { $0.clamped(to: wanted).moved(by: -shift) }
    }

    private func touch(of track: AudioTrack) -> SoundEncodingReason? {
        if track.processors?.isEmpty == false || track.duck != nil { return .processed }
        return track.volume.isPlain && track.pan.isPlain && track.balance.isPlain ? nil : .level
    }

    private func content(of segment: AudioTrackSegment) -> Result<Source, Touch> {
        if let reason = touch(of: segment) { return .failure(Touch(reason: reason)) }
        return .success(
            Source(asset: segment.asset, stream: segment.stream, shift: segment.sourceStart - segment.start)
        )
    }

    private func touch(of segment: AudioTrackSegment) -> SoundEncodingReason? {
        if segment.processors?.isEmpty == false { return .processed }
        if segment.speed != nil || segment.curve != nil || segment.loop != nil { return .retimed }
        guard segment.volume.isPlain, segment.pan.isPlain, segment.balance.isPlain, segment.channels == nil else {
            return .level
        }
        if (segment.sourceFraction ?? .zero) != .zero { return .retimed }
        if segment.isNested == true {
            let inner = assets.format(ofNested: segment.asset)
            let format = composition.format
            return (inner.sampleRate, inner.channels) == (format.sampleRate, format.channels) ? nil : .nested
        }
        let facts = assets.facts(of: assets.digest(segment.asset))
        guard let stream = facts?.audio.first(where: { $0.streamIndex == segment.stream }) else {
            return .source(.codec)
        }
        if stream.sampleRate != composition.format.sampleRate { return .rate }
        let layout = ChannelLayout(description: stream.channelLayout, count: stream.channels)
        guard layout != nil, layout == ChannelLayout(edit: composition.format.channels) else { return .layout }
        guard let copy = stream.copy else { return .source(.codec) }
        return copy.stretches.isEmpty ? .source(copy.obstacles.first ?? .elements) : nil
    }
}

/// The parts of nested edits. Each edit is divided once, however often it is played, and the clips that play nested
/// edits have a million parts in all: beyond these their sound is encoded.
private final class NestedParts {
    private var known: [Int: [UntouchedSound.Part]] = [:]
    private var left = 1_000_000

    /// - Parameters:
    ///   - edit: the position among the composition's nested edits.
    ///   - divide: gives the parts of the whole edit.
    func parts(of edit: Int, _ divide: () -> [UntouchedSound.Part]) -> [UntouchedSound.Part] {
        if let parts = known[edit] { return parts }
        let parts = divide()
        known[edit] = parts
        return parts
    }

    /// Whether `count` more parts may be played.
    func take(_ count: Int) -> Bool {
        guard count <= left else { return false }
        left -= count
        return true
    }
}

extension UntouchedSound.Part {
    fileprivate func clamped(to range: Range<Int64>) -> Self {
        Self(samples: samples.clamped(to: range), content: content)
    }

    /// The part `samples` later; nil where nothing is heard.
    fileprivate func moved(by count: Int64) -> Self? {
        let place = samples.lowerBound + count..<samples.upperBound + count
        switch content {
        case .failure(let touch): return touch.reason == .gap ? nil : Self(samples: place, content: content)
        case .success(var source):
            source.shift -= count
            return Self(samples: place, content: .success(source))
        }
    }
}

extension MasterMix {
    /// Whether the sum stays as it is.
    fileprivate var isPlain: Bool {
        volume.isPlain && processors?.isEmpty != false && loudness == nil && ceiling == nil
    }
}

extension [VolumeKey] {
    /// Whether the volume is 0 at all times. One in decibels never is.
    fileprivate var isSilent: Bool { !isEmpty && allSatisfy { $0.unit == .linear && $0.millionths == 0 } }

    /// Whether the factor is 1 at all times.
    fileprivate var isPlain: Bool { allSatisfy { $0.millionths == ($0.unit == .linear ? 1_000_000 : 0) } }
}

extension [SoundKey]? {
    /// Whether the value is 0 at all times.
    fileprivate var isPlain: Bool { self?.allSatisfy { $0.millionths == 0 } != false }
}
