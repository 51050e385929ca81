package import CompositionModel
import Timing

/// Builds the sound tasks of a part of a composition.
struct SoundTaskBuilder {
    let composition: Composition
    let assets: AssetTable
    let encoding: AudioEncoding
    private let reaches = SegmentReaches()

    /// The task for `samples` of the timeline; past the end of the timeline it is silent.
    /// - Throws: ``PlanError/time(_:)`` when a time overflows.
    func task(for samples: SampleRange) throws(PlanError) -> SoundTask {
        try task(from: samples.start, count: samples.count, hearing: SoundPiece())
    }

    /// What of `whole` is copied, packet by packet; nil where its codec or its pieces do not allow it.
    /// - Parameter count: The number of pieces for tests, as for ``SoundGrid``.
    func copies(of whole: SoundTask, count: Int?) -> SoundCopies? {
        let grid = SoundGrid(sampleCount: whole.sampleCount, encoding: encoding, count: count)
        guard encoding.codec == .aac, whole.sampleCount > 0, [nil, .short].contains(reasonNotToDivide(whole, grid))
        else { return nil }
        let samples = whole.firstSample..<whole.firstSample + whole.sampleCount
        return SoundCopies(composition, assets: assets, samples: samples, borders: grid.borders)
    }

    /// The pieces of `whole` with the packets that `copies` copies.
    /// - Throws: ``PlanError/time(_:)`` when a time overflows.
    func pieces(of whole: SoundTask, copying copies: SoundCopies) throws(PlanError) -> [PlannedSound] {
        let grid = SoundGrid(sampleCount: whole.sampleCount, encoding: encoding, count: nil)
        var pieces: [PlannedSound] = []
        for (start, end) in zip(grid.borders, grid.borders.dropFirst()) {
            let task = try task(of: whole, from: start, to: end, copying: copies)
            pieces.append(try PlannedSound(start: start, task: task))
        }
        return pieces
    }

    /// The task of the piece from sample `start` of the output up to `end`, which hears only what its packets that are
    /// not copied are made of.
    private func task(
        of whole: SoundTask,
        from start: Int64,
        to end: Int64,
        copying copies: SoundCopies
    ) throws(PlanError) -> SoundTask {
        var task = whole
        (task.firstSample, task.sampleCount) = (whole.firstSample + start, end - start)
        let mixed = task.mixedParts(copies.packets(from: start, to: end) { $0 }, in: copies.samples)
        var heard = HeardTracks(composition: composition, assets: assets, reaches: reaches)
        let lower = mixed.first?.samples.lowerBound ?? task.firstSample
        let upper = mixed.map(\.samples.upperBound).max() ?? lower
        task.tracks = try heard.tracks(of: composition, in: lower..<upper)
        task.nested = heard.nested.isEmpty ? nil : heard.nested
        task.packets = copies.packets(from: start, to: end) { heard.numbering.number(assets.digest($0)) }
        task.assets = heard.numbering.digests
        let piece = SoundPiece(
            preRoll: max(0, task.firstSample - lower),
            postRoll: max(0, upper - task.firstSample - task.sampleCount)
        )
        task.extent = SoundExtent(piece)
        return task
    }

    /// The pieces of `whole`, each with only the sources that it plays; `whole` itself where it cannot be divided.
    /// - Parameter count: The number of pieces for tests, as for ``SoundGrid``.
    /// - Throws: ``PlanError/time(_:)`` when a time overflows.
    func pieces(of whole: SoundTask, count: Int?) throws(PlanError) -> [PlannedSound] {
        let grid = SoundGrid(sampleCount: whole.sampleCount, encoding: encoding, count: count)
        guard let joining = encoding.codec.joining, reasonNotToDivide(whole, grid) == nil else {
            return [try PlannedSound(start: 0, task: whole)]
        }
        let programme = try whole.asProgramme()
        var pieces: [PlannedSound] = []
        for (start, end) in zip(grid.borders, grid.borders.dropFirst()) {
            let piece = SoundPiece(
                preRoll: min(joining.preRoll, start),
                postRoll: min(joining.postRoll, whole.sampleCount - end),
                programme: programme
            )
            let task = try task(from: whole.firstSample + start, count: end - start, hearing: piece)
            pieces.append(try PlannedSound(start: start, task: task))
        }
        return pieces
    }

    /// Why ``pieces(of:count:)`` leaves `whole` undivided; nil when it does not.
    /// - Parameter count: The number of pieces for tests, as for ``SoundGrid``.
    func reasonNotToDivide(_ whole: SoundTask, count: Int?) -> UndividedSound? {
        reasonNotToDivide(whole, SoundGrid(sampleCount: whole.sampleCount, encoding: encoding, count: count))
    }

    private func reasonNotToDivide(_ whole: SoundTask, _ grid: SoundGrid) -> UndividedSound? {
        if grid.isShort { return .short }
        if encoding.codec.joining == nil { return .codec }
        if let reason = whole.unadjusted.dependence { return reason }
        return isDecodedFromItsStart(whole) ? .source : nil
    }

    /// The measurements made before the pieces of `whole`: the unprocessed mix, then one round per possible adjustment
    /// of gain and limiter. Nil when `whole` is not normalised, or its gain is known.
    /// - Parameter count: The number of pieces for tests, as for ``MeasureGrid``.
    /// - Throws: ``PlanError/time(_:)`` when a time overflows.
    func rounds(of whole: SoundTask, count: Int?) throws(PlanError) -> [[PlannedMeasure]]? {
        guard let programme = try whole.asProgramme() else { return nil }
        let asItIs = try measures(of: whole.unadjusted, .loudness, count: count)
        var rounds = [asItIs]
        for round in 1...LoudnessTarget.mostLimitedRounds {
            var pieces: [PlannedMeasure] = []
            for piece in asItIs {
                var task = piece.task
                (task.round, task.sound.master) = (round, whole.master)
                task.sound.extent = task.sound.extent.measured(as: programme)
                pieces.append(try PlannedMeasure(task))
            }
            rounds.append(pieces)
        }
        return rounds
    }

    /// The pieces of `whole` to measure, each with only the sources that it plays.
    /// - Parameter count: The number of pieces for tests, as for ``MeasureGrid``.
    /// - Throws: ``PlanError/time(_:)`` when a time overflows.
    func measures(of whole: SoundTask, _ what: SoundMeasure, count: Int?) throws(PlanError) -> [PlannedMeasure] {
        let rate = whole.sampleRate
        let grid = MeasureGrid(sampleCount: whole.sampleCount, sampleRate: rate, count: count)
        guard grid.borders.count > 2, !whole.dependsOnAll, !isDecodedFromItsStart(whole) else {
            return [
                try PlannedMeasure(MeasureTask(sound: whole, what: what, start: 0, wholeSampleCount: whole.sampleCount))
            ]
        }
        var pieces: [PlannedMeasure] = []
        for (start, end) in zip(grid.borders, grid.borders.dropFirst()) {
            var task = try task(
                from: whole.firstSample + start,
                count: end - start,
                hearing: SoundPiece(preRoll: min(MeasureGrid.preRoll(sampleRate: rate), start))
            )
            (task.master, task.loudness, task.speakers) = (whole.master, whole.loudness, whole.speakers)
            pieces.append(
                try PlannedMeasure(
                    MeasureTask(sound: task, what: what, start: start, wholeSampleCount: whole.sampleCount)
                )
            )
        }
        return pieces
    }

    /// Whether a piece would decode everything before it, because a long source has no cells (docs/design/sound.md,
    /// "Decoding").
    private func isDecodedFromItsStart(_ whole: SoundTask) -> Bool {
        whole.assets.contains { digest in
            (assets.facts(of: digest)?.audio ?? []).contains { stream in
                let isLong = stream.sampleCount > 18 * Int64(SoundCells.seconds) * Int64(stream.sampleRate)
                return isLong && stream.cells == nil && stream.codec != GeneratedSound.codec
            }
        }
    }

    /// The task for `count` samples from sample `start` of the timeline, with pre-roll, post-roll and programme of
    /// `piece`.
    private func task(from start: Int64, count: Int64, hearing piece: SoundPiece) throws(PlanError) -> SoundTask {
        var heard = HeardTracks(composition: composition, assets: assets, reaches: reaches)
        let tracks = try heard.tracks(of: composition, in: start - piece.preRoll..<start + count + piece.postRoll)
        return SoundTask(
            sampleRate: composition.format.sampleRate,
            channels: composition.format.channels,
            sampleCount: count,
            firstSample: start,
            extent: SoundExtent(piece),
            assets: heard.numbering.digests,
            tracks: tracks,
            nested: heard.nested.isEmpty ? nil : heard.nested,
            master: composition.master,
            encoding: encoding,
            rendererVersion: Renderer.version
        )
    }
}

/// Collects the tracks, clips and nested edits that a task plays.
private struct HeardTracks {
    let composition: Composition
    let assets: AssetTable
    let reaches: SegmentReaches
    var numbering = AssetNumbering()
    var nested: [NestedSound] = []

    init(composition: Composition, assets: AssetTable, reaches: SegmentReaches) {
        (self.composition, self.assets, self.reaches) = (composition, assets, reaches)
    }

    /// The audible tracks of `edit`, with the whole segments that the edit's samples `range` need.
    /// - Parameter number: the position of `edit` among the nested edits; nil for the composition itself.
    mutating func tracks(
        of edit: Composition,
        number: Int? = nil,
        in range: Range<Int64>
    ) throws(PlanError) -> [AudioTrack] {
        try PlanError.step(edit.audioTracks.count)
        let windows = SoundWindows.tracks(
            edit.audioTracks,
            edit.master,
            for: range,
            sampleRate: edit.format.sampleRate
        )
        var places: [Int: Int] = [:]
        var found: [AudioTrack] = []
        var played: [Int: Range<Int64>] = [:]
        let reaches = reaches.tracks(of: edit, number: number)
        for (index, track) in edit.audioTracks.enumerated() {
            let rate = edit.format.sampleRate
            guard let heard = heard(track, reaches[index], in: windows[index], sampleRate: rate) else { continue }
            places[index] = found.count
            found.append(heard)
            merge(nestedReaches(of: heard, in: windows[index], sampleRate: rate), into: &played)
        }
        for index in found.indices {
            try PlanError.step(found[index].segments.count)
            for place in found[index].segments.indices {
                let segment = found[index].segments[place]
                let asset =
                    try segment.isNested == true
                    ? self.place(of: segment.asset, in: played[segment.asset] ?? 0..<0)
                    : numbering.number(assets.digest(segment.asset))
                // A segment that keeps its number is not written to: that would copy all segments of the track, which
                // share the composition's memory until then.
                if asset != segment.asset { found[index].segments[place].asset = asset }
            }
            guard let under = found[index].duck?.under.compactMap({ places[$0] }) else { continue }
            if under.isEmpty { found[index].duck = nil } else { found[index].duck?.under = under }
        }
        return found
    }

    /// Returns `track` with the segments that reach into `window` and the volume keys that matter there; curves are cut
    /// where a part suffices. Nil when nothing is audible.
    private func heard(
        _ track: AudioTrack,
        _ reach: SegmentReach,
        in window: Range<Int64>,
        sampleRate: Int
    ) -> AudioTrack? {
        guard !isSilent(track.volume) else { return nil }
        let places = reach.positions(in: window).filter { !isSilent(track.segments[$0].volume) }
        var track = track
        track.volume = track.volume.counting(in: window)
        // If the window holds all segments, they are not copied: they share the composition's memory.
        if places.count < track.segments.count { track.segments = places.map { track.segments[$0] } }
        let curved = track.segments.indices.filter {
            track.segments[$0].curve != nil && track.segments[$0].keepsPitch != true
        }
        for index in curved {
            guard let curve = track.segments[index].curve else { continue }
            let own = track.segments[index].needed(in: window, sampleRate: sampleRate)
            track.segments[index].curve = curve.counting(in: own, sampleRate: sampleRate)
        }
        return track.segments.isEmpty ? nil : track
    }

    /// The nested edits that `track` plays in `window`, each with the samples of it that are played.
    private func nestedReaches(
        of track: AudioTrack,
        in window: Range<Int64>,
        sampleRate: Int
    ) -> [(edit: Int, range: Range<Int64>)] {
        track.segments.filter { $0.isNested == true }.map { segment in
            let own = segment.needed(in: window, sampleRate: sampleRate)
            let rate = assets.format(ofNested: segment.asset).sampleRate
            return (segment.asset, segment.sourceReach(own, sourceRate: rate, sampleRate: sampleRate))
        }
    }

    private func merge(_ new: [(edit: Int, range: Range<Int64>)], into reaches: inout [Int: Range<Int64>]) {
        for (edit, range) in new {
            let known = reaches[edit] ?? range
            reaches[edit] = min(known.lowerBound, range.lowerBound)..<max(known.upperBound, range.upperBound)
        }
    }

    /// The position, among the task's nested edits, of `edit` with the sources that its samples `range` play.
    private mutating func place(of edit: Int, in range: Range<Int64>) throws(PlanError) -> Int {
        let inner = composition.nestedComposition(edit)
        let count = try exact { () throws(TimeError) in try inner.sampleCount() }
        // Its loudness depends on the whole of it.
        let heard = inner.master?.loudness == nil ? range.clamped(to: 0..<count) : 0..<count
        let sound = NestedSound(
            sampleRate: inner.format.sampleRate,
            channels: inner.format.channels,
            sampleCount: count,
            tracks: try tracks(of: inner, number: edit, in: heard),
            master: inner.master
        )
        if let known = nested.firstIndex(of: sound) { return known }
        nested.append(sound)
        return nested.count - 1
    }

    /// Whether a volume is 0 at all times. A volume in decibels never is.
    private func isSilent(_ volume: [VolumeKey]) -> Bool {
        !volume.isEmpty && volume.allSatisfy { $0.unit == .linear && $0.millionths == 0 }
    }
}

extension [VolumeKey] {
    /// The keys around the samples `window`; they give the same values there as all keys.
    fileprivate func counting(in window: Range<Int64>) -> [VolumeKey] {
        let first = partitionPoint { $0.at > window.lowerBound }
        let end = partitionPoint { $0.at >= window.upperBound }
        return Array(self[Swift.max(first - 1, 0)..<Swift.max(Swift.min(end + 1, count), first)])
    }
}

extension SoundTask {
    /// The same task without loudness normalisation.
    fileprivate var unadjusted: SoundTask {
        var task = self
        task.master?.loudness = nil
        return task
    }

    /// The programme that pieces of this task name; nil when it is not normalised, or its gain is known.
    /// - Throws: ``PlanError/time(_:)``, which no task causes.
    fileprivate func asProgramme() throws(PlanError) -> SoundProgramme? {
        guard master?.loudness != nil, loudness == nil else { return nil }
        var mix = self
        mix.encoding = AudioEncoding(codec: .pcm32, bitRate: nil)
        do {
            let key = try ContentDigest(canonical: mix, prefix: "cutfarm/programme-key/1\n")
            return SoundProgramme(key: key, firstSample: firstSample, sampleCount: sampleCount)
        } catch {
            // A task holds integers and strings only, which always have a canonical form.
            throw .time(.overflow)
        }
    }

    /// Whether a piece would have to mix much more than itself: everything, where a loudness is asked for, or more than
    /// is worth it (``dependence``).
    fileprivate var dependsOnAll: Bool { master?.loudness != nil && loudness == nil || dependence != nil }

    /// What makes a piece depend on much more than itself: the loudness of a nested edit on everything, and processors
    /// of the mix, of a track, or of a clip longer than two pieces with endless memory on everything before it; nil
    /// when nothing does. The loudness of the whole mix is another matter.
    fileprivate var dependence: UndividedSound? {
        if (nested ?? []).contains(where: { $0.master?.loudness != nil }) { return .nestedLoudness }
        let mixes = [(tracks, master, sampleRate)] + (nested ?? []).map { ($0.tracks, $0.master, $0.sampleRate) }
        for (tracks, master, rate) in mixes {
            if (master?.processors).isEndless(sampleRate: rate) { return .processor }
            if tracks.contains(where: { $0.processors.isEndless(sampleRate: rate) }) { return .processor }
            // Without a list of its own, which would take as much memory as the sound of all tracks.
            let isEndless = tracks.lazy.flatMap(\.segments).contains { segment in
                segment.count > 2 * SoundGrid.length
                    && (segment.keepsPitch == true || segment.processors.isEndless(sampleRate: rate))
            }
            if isEndless { return .longClip }
        }
        return nil
    }

    /// The digest of everything that determines the sound's bytes except library versions. Equal keys mean equal bytes.
    /// - Throws: ``PlanError/time(_:)``, which no task causes: integers and strings always have a canonical form.
    package func key() throws(PlanError) -> ContentDigest {
        do { return try ContentDigest(canonical: self, prefix: "cutfarm/sound-key/1\n") } catch {
            // A task holds integers and strings only, which always have a canonical form.
            throw .time(.overflow)
        }
    }
}
