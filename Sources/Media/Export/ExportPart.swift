import CLibAV
import CompositionModel
import Timing

/// What is taken of one file, and where it stands on the output's timeline.
struct ExportPart {
    /// A picture stream's share.
    struct Picture {
        var index: FrameIndex
        var clock: PictureClock
        var cut: PictureCut
        var times: PictureTimes

        /// Whether a packet behind the entry is decoded before the first presented frame, or holds it.
        func isHiddenAhead(_ packet: Int) -> Bool {
            cut.hides && index.packets[packet].pts <= index.shown[Int(cut.frames.lowerBound)]
        }
    }

    /// A sound stream's share.
    struct Sound {
        var facts: AudioStreamFacts
        /// Pts of the first audible sample.
        var origin: Int64
        var timeBase: RationalTime

        /// The sample nearest to a time of the source, counted from the first audible one.
        func sample(at time: RationalTime) throws(TimeError) -> Int64 {
            try time.subtracting(facts.start).count(of: RationalTime(1, Int64(facts.sampleRate))).value
        }

        /// The source time at which the sound ends.
        func end() throws(TimeError) -> RationalTime {
            try facts.start.adding(RationalTime(facts.sampleCount, Int64(facts.sampleRate)))
        }

        /// The clock on which the packets of the stream are placed.
        ///
        /// Matroska rounds times to milliseconds, also that of the first packet of Opus; how many samples lie before the
        /// first audible one is known exactly from its header.
        func clock(_ stream: ExportStream) -> SoundClock {
            let padding = Int64(stream.parameters.pointee.initial_padding)
            let isOpus = stream.parameters.pointee.codec_id == AV_CODEC_ID_OPUS
            return SoundClock(
                timeBase: timeBase,
                sampleRate: facts.sampleRate,
                origin: origin,
                jitter: facts.timeJitter ?? 0,
                next: isOpus && padding > 0 ? -padding : nil
            )
        }
    }

    let source: ExportSource
    /// The source's zero, in the file's own seconds.
    var zero: RationalTime
    /// The part of the source that is presented.
    var start: RationalTime
    var end: RationalTime
    /// The output time at which ``start`` is.
    var place = RationalTime.zero
    /// The stream by whose pictures the part was cut; nil for sound alone.
    var lead: Int?
    /// By libavformat's stream index.
    var pictures: [Int: Picture]
    var sounds: [Int: Sound]
    /// Whether another file follows.
    var isFollowed: Bool

    /// The time of the output at which a time of the source is.
    func output(_ time: RationalTime) throws(TimeError) -> RationalTime {
        try time.subtracting(start).adding(place)
    }

    /// The samples of a sound stream that are presented.
    func samples(of sound: Sound) throws(TimeError) -> Range<Int64> {
        let first = min(max(0, try sound.sample(at: start)), sound.facts.sampleCount)
        return first..<max(first, min(sound.facts.sampleCount, try sound.sample(at: end)))
    }
}

extension ExportPart {
    /// The share of the stream that users call `video/n`.
    func picture(named name: String) -> Picture? {
        source.facts.video.enumerated().first { "video/\($0.offset)" == name }.flatMap {
            pictures[$0.element.streamIndex]
        }
    }

    /// The share of the stream that users call `audio/n`.
    func sound(named name: String) -> Sound? {
        source.facts.audio.enumerated().first { "audio/\($0.offset)" == name }.flatMap {
            sounds[$0.element.streamIndex]
        }
    }
}
