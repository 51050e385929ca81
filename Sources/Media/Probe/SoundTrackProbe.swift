import CLibAV
import CompositionModel
import Timing

/// Finds out what one sound stream sounds like: the first samples are decoded, the rest is counted.
struct SoundTrackProbe {
    let facts: StreamFacts
    let streamIndex: Int
    let timeBase: RationalTime
    let sampleRate: Int
    let channels: Int
    let channelLayout: String
    /// Pts of the first audible sample.
    let origin: Int64
    private(set) var counter: SoundTrackCounter
    private var cells: SoundCellBuilder?
    private var copies: SoundCopyBuilder?
    /// Samples of the longest of the first decoded frames.
    private let frameSize: Int64
    private let container: String
    private var rawFrames: RawFrameCounter

    /// - Parameter container: libavformat's name.
    /// - Returns: nil for a stream in which nothing can be heard.
    init?(_ source: any ByteSource, _ facts: StreamFacts, container: String) throws(MediaError) {
        // As the container says it: no decoder opens for so many.
        try Self.require(channels: Int(facts.parameters.pointee.ch_layout.nb_channels))
        let decoder = try SoundDecoder(source, streamIndex: Int(facts.stream.pointee.index))
        guard let first = try decoder.next() else {
            guard decoder.lost > 0 else { return nil }
            throw .decoding(
                "Nothing of its sound stream \(facts.stream.pointee.index) (\(facts.codec)) can be decoded; copy or record "
                    + "it again, or leave it out with ffmpeg -i IN -map 0 -map -0:\(facts.stream.pointee.index) -c copy OUT."
            )
        }
        let opening = try Opening(first, of: decoder)
        let format = opening.format
        try Self.require(channels: format.channels)
        self.facts = facts
        streamIndex = Int(facts.stream.pointee.index)
        timeBase = decoder.timeBase
        (sampleRate, channels, channelLayout) = (format.sampleRate, format.channels, format.layout)
        origin = first.pts ?? 0
        counter = SoundTrackCounter(facts, timeBase: timeBase, sampleRate: sampleRate, origin: origin)
        self.container = container
        rawFrames = RawFrameCounter(container: container)
        cells = SoundCellBuilder(facts, container: container, sampleRate: sampleRate, origin: origin)
        copies = SoundCopyBuilder(
            facts,
            timeBase: timeBase,
            sampleRate: sampleRate,
            channels: channels,
            origin: origin
        )
        frameSize = opening.frameSize
    }

    /// The first frames of a stream.
    private struct Opening {
        struct Format: Equatable {
            let sampleRate: Int
            let channels: Int
            let layout: String
        }

        /// The format of two of the first three: one header may be damaged.
        let format: Format
        /// Samples of the longest.
        let frameSize: Int64

        init(_ first: SoundDecoder.Decoded, of decoder: SoundDecoder) throws(MediaError) {
            func format(_ frame: SoundDecoder.Decoded) -> Format {
                Format(
                    sampleRate: frame.sampleRate,
                    channels: frame.channels.count,
                    layout: decoder.channelLayout
                )
            }
            var (formats, longest) = ([format(first)], first.count)
            while formats.count < 3, let frame = try decoder.next() {
                formats.append(format(frame))
                longest = max(longest, frame.count)
            }
            self.format = formats.first { one in formats.count { $0 == one } > 1 } ?? formats[0]
            frameSize = Int64(longest)
        }
    }

    private static func require(channels: Int) throws(MediaError) {
        guard channels > MediaLimits.channels else { return }
        let remedy = "write those you need into a file, as with sox IN OUT remix 1 2"
        throw .limitExceeded(
            "A sound stream has \(channels) channels, and at most \(MediaLimits.channels) are read; \(remedy)."
        )
    }

    mutating func add(_ packet: Packet) {
        cells?.add(packet)
        copies?.add(packet)
        let start = counter.add(packet)
        if let start { cells?.add(frameAt: start) }
        rawFrames.add(packet.bytes, at: start)
    }

    /// - Parameters:
    ///   - zero: the asset's zero in the file's seconds.
    ///   - notes: what iTunes wrote down of its audible samples.
    ///   - isLengthWritten: the stream's duration is what the file says of itself.
    ///   - isTorn: the demuxer met errors on the way.
    func audioFacts(
        _ source: any ByteSource,
        isMOV: Bool,
        zero: RationalTime,
        notes: [GaplessNote],
        isLengthWritten: Bool,
        isTorn: Bool
    ) throws(MediaError) -> AudioStreamFacts {
        let end = isMOV ? try endOfSound(source) : nil
        let (counted, cells, jitter, unheard) = try counted(source, end: end)
        // A file that was cut later still carries the note of the whole.
        let gapless = GaplessNote.fitting(notes, length: headerLength)
        let count = min(counted, end ?? .max, gapless?.count ?? .max)
        do {
            var stream = try AudioStreamFacts(
                streamIndex: streamIndex,
                codec: facts.codec,
                profile: facts.profile,
                sampleRate: sampleRate,
                channels: channels,
                channelLayout: channelLayout,
                start: RationalTime(origin, of: timeBase).subtracting(zero),
                sampleCount: count,
                language: facts.language,
                isDefault: facts.isDefault,
                cells: cells.flatMap { $0.starts.isEmpty ? nil : $0 },
                timeJitter: jitter > 0 ? jitter : nil,
                flaws: SoundFlaws(
                    promised: isLengthWritten ? promised(moreThan: counted) : nil,
                    displaced: rawFrames.displaced,
                    isTorn: isTorn,
                    tail: rawFrames.tail,
                    unheard: unheard
                )
            )
            stream.copy = copies?.facts(of: stream, frameSize: frameSize, hidesMiddle: counter.hidesMiddle)
            return stream
        } catch {
            throw .unsupported("Sound stream \(streamIndex) has impossible times; remux the file with ffmpeg -c copy.")
        }
    }

    /// The samples of the stream by its header, with priming and padding; nil where the header does not say it.
    private var headerLength: Int64? {
        let duration = facts.stream.pointee.duration
        guard (1...MediaLimits.ticks).contains(duration) else { return nil }
        return SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: 0).sample(at: duration)
    }

    /// What the header says of the stream's length, in files that may be cut off anywhere: the frames that the Xing or
    /// VBRI header of MP3 counts, priming and padding too; the samples of FLAC's and WavPack's.
    private func promised(moreThan count: Int64) -> Int64? {
        let duration = facts.stream.pointee.duration
        guard ["mp3", "flac", "wv"].contains(container), (1...MediaLimits.ticks).contains(duration) else { return nil }
        let clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: 0)
        // A piece that was copied out of the middle of a FLAC file still has the whole's header.
        guard container == "mp3" || origin == 0 else { return nil }
        let promised = clock.sample(at: duration)
        return promised - count > (container == "wv" ? 0 : 10 * max(frameSize, 1152)) ? promised : nil
    }

    /// Counts by the packets where they tell exactly, else by decoding all.
    /// - Parameter end: see ``endOfSound(_:)``.
    private func counted(
        _ source: any ByteSource,
        end: Int64?
    ) throws(MediaError) -> (count: Int64, cells: SoundCells?, jitter: Int64, unheard: Int64?) {
        // Packets that end before the sound does have a wrong duration.
        if let count = counter.count(), count >= end ?? 0 {
            return (
                max(count - rawFrames.behind * frameSize, 0), isCountedAsDecoded ? cells?.cells : nil, 0,
                counter.unheard
            )
        }
        let byTimes = try decoded(source, jitter: 0)
        // The jitter is known at the end; all is placed once more with it.
        return byTimes.jitter == 0 ? byTimes : try decoded(source, jitter: byTimes.jitter)
    }

    /// Whether each packet surely decodes to as many samples as were counted for it: a cell that began a sample off
    /// would be heard.
    private var isCountedAsDecoded: Bool {
        if counter.hidesMiddle { return false }
        guard ["aac", "mp2", "mp3", "ac3", "eac3"].contains(facts.codec) else { return true }
        return counter.longest == frameSize && counter.shortest >= frameSize
    }

    /// In MP4 and QuickTime the sample at which the sound ends, often inside its last packet, by the track's tables, else
    /// by libavformat's duration of the stream; nil where neither says it. Decoding gives up to 1,023 samples more.
    private func endOfSound(_ source: any ByteSource) throws(MediaError) -> Int64? {
        let clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: origin)
        func after(_ time: Int64) -> Int64? {
            let end = clock.sample(at: time)
            return end > 0 ? end : nil
        }
        if let edit = try SoundEdit.read(source, trackID: Int(facts.stream.pointee.id)), let end = after(edit.end) {
            return end
        }
        let (start, duration) = (facts.stream.pointee.start_time, facts.stream.pointee.duration)
        guard start.magnitude <= MediaLimits.ticks.magnitude, (1...MediaLimits.ticks).contains(duration) else {
            return nil
        }
        return after(start + duration)
    }

    private func decoded(
        _ source: any ByteSource,
        jitter: Int64
    ) throws(MediaError) -> (count: Int64, cells: SoundCells?, jitter: Int64, unheard: Int64?) {
        let decoder = try SoundDecoder(source, streamIndex: streamIndex)
        var cells = SoundCellBuilder(facts, container: container, sampleRate: sampleRate, origin: origin)
        var clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: origin, jitter: jitter)
        var found = TimeJitter(sampleRate: sampleRate, tolerance: clock.tolerance, rounding: clock.rounding)
        var format = SoundFormat(channels: channels, sampleRate: sampleRate)
        var lost: Int64 = 0
        decoder.onPacket = { cells?.add($0) }
        while let frame = try decoder.next() {
            lost += frame.lost
            guard try format.admits(frame, at: clock.position) else {
                lost += 1
                continue
            }
            found.add(frame.pts.map(clock.sample), count: Int64(frame.count), lost: lost)
            // The clock counts every frame, also where no cells are laid.
            let start = clock.place(pts: frame.pts, count: Int64(frame.count), lost: lost)
            cells?.add(frameAt: start)
            lost = 0
        }
        // Positions and cells hold for the jitter that they were found with, and for no other.
        let laid = counter.hidesMiddle ? nil : cells?.cells
        return (clock.position, laid, jitter > 0 ? jitter : found.jitter, clock.unheard)
    }
}
