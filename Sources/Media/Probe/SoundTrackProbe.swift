import CLibAV
import Shared

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

    /// - Returns: nil for a stream in which nothing can be heard.
    init?(_ source: any ByteSource, _ facts: StreamFacts) throws(MediaError) {
        let decoder = try SoundDecoder(source, streamIndex: Int(facts.stream.pointee.index))
        guard let first = try decoder.next() else { return nil }
        guard decoder.channelCount <= MediaLimits.channels else {
            throw .limitExceeded(
                "A sound stream has \(decoder.channelCount) channels; at most \(MediaLimits.channels) are read."
            )
        }
        self.facts = facts
        streamIndex = Int(facts.stream.pointee.index)
        timeBase = decoder.timeBase
        sampleRate = decoder.sampleRate
        channels = decoder.channelCount
        channelLayout = decoder.channelLayout
        origin = first.pts ?? 0
        counter = SoundTrackCounter(facts, timeBase: timeBase, sampleRate: sampleRate, origin: origin)
    }

    mutating func add(_ packet: Packet) { counter.add(packet) }

    /// - Parameters:
    ///   - zero: the asset's zero in the file's seconds.
    ///   - gapless: samples that iTunes wrote down as audible.
    func audioFacts(
        _ source: any ByteSource,
        isMOV: Bool,
        zero: RationalTime,
        gapless: Int64?
    ) throws(MediaError) -> AudioStreamFacts {
        let count = try sampleCount(source, isMOV: isMOV, gapless: gapless)
        do {
            return try AudioStreamFacts(
                streamIndex: streamIndex,
                codec: facts.codec,
                profile: facts.profile,
                sampleRate: sampleRate,
                channels: channels,
                channelLayout: channelLayout,
                start: RationalTime(origin, of: timeBase).subtracting(zero),
                sampleCount: count,
                language: facts.language,
                isDefault: facts.isDefault
            )
        } catch {
            throw .unsupported("Sound stream \(streamIndex) has impossible times; remux the file with ffmpeg -c copy.")
        }
    }

    private func sampleCount(
        _ source: any ByteSource,
        isMOV: Bool,
        gapless: Int64?
    ) throws(MediaError) -> Int64 {
        let counted: Int64
        if let count = counter.count() { counted = count } else { counted = try decodedCount(source) }
        // A file that was cut later still carries the note of the whole.
        return min(limited(counted, isMOV: isMOV), gapless ?? .max)
    }

    /// In MP4 the edit list ends the sound inside its last packet: the stream's duration is exact, decoding gives up to
    /// 1,023 samples more (FFMPEG.md §2).
    private func limited(_ count: Int64, isMOV: Bool) -> Int64 {
        let (start, duration) = (facts.stream.pointee.start_time, facts.stream.pointee.duration)
        guard isMOV, start.magnitude <= MediaLimits.ticks.magnitude, (1...MediaLimits.ticks).contains(duration) else {
            return count
        }
        let clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: origin)
        let end = clock.sample(at: start + duration)
        return end > 0 ? min(count, end) : count
    }

    private func decodedCount(_ source: any ByteSource) throws(MediaError) -> Int64 {
        let reader = try SoundReader(
            decoder: SoundDecoder(source, streamIndex: streamIndex),
            streamIndex: streamIndex,
            sampleRate: sampleRate,
            channels: channels,
            end: nil
        )
        var count: Int64 = 0
        while let block = try reader.next() { count = block.start + Int64(block.count) }
        return count
    }
}

/// iTunes' note of what is audible: ` 00000000 PRIMING PADDING COUNT …`, hexadecimal.
enum GaplessNote {
    static func count(_ demuxer: Demuxer) -> Int64? {
        guard demuxer.isMOV, let entry = av_dict_get(demuxer.raw.pointee.metadata, "iTunSMPB", nil, 0) else {
            return nil
        }
        return count(String(cString: entry.pointee.value))
    }

    /// - Returns: nil unless there are four numbers, the last of them above 0.
    static func count(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count >= 4, let count = Int64(words[3], radix: 16), count > 0 else { return nil }
        return count
    }
}
