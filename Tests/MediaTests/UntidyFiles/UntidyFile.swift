import Foundation
import TestSupport

/// A small media file with the habits of real footage, made from a seed, and what is known of it because it was made.
package struct UntidyFile: Sendable {
    package let seed: Int
    package let path: String
    /// What was drawn, for the message of a failing test.
    package let words: String
    package let habits: Set<Habit>
    package let pictures: MadePictures?
    package let sound: MadeSound?

    /// Something that files in the wild do and a tidy muxer does not.
    package enum Habit: String, Sendable, Hashable, CaseIterable {
        /// The file ends before its last byte; it may be refused, or end early.
        case cut
        /// The times of pictures are early and late by up to half a millisecond.
        case pictureJitter
        /// Pictures are missing for a while, and the times say so.
        case pictureGap
        /// The rate changes on the way.
        case rateChange
        /// Single pictures are left out, as by a screen recorder.
        case drops
        /// The times of sound are late by 0, 10 or 20 ms.
        case soundJitter
        /// Sound is missing for a while, and the times say so.
        case soundGap
        /// Sound and picture do not begin together.
        case offset
        /// The whole begins at a time that is not zero.
        case laterStart
        /// Times run through 2³³.
        case wrap
        /// An edit list with several entries.
        case edits
        /// The edit list shows a part of the media twice.
        case repeats
        /// The edit list holds one picture for a while (media_rate 0).
        case dwell
        /// Durations in headers are zero or unknown.
        case noDuration
        /// Durations in headers are wrong.
        case wrongDuration
        /// A tag lies about the rate.
        case wrongRate
        /// Written to a pipe, so that no length could be filled in.
        case streamed
        /// Priming or padding is said in a tag beside the edit list.
        case gaplessNote
        /// Fragments instead of one table.
        case fragments
        /// Tags before or behind the sound.
        case tags
        /// The container stores no presentation times.
        case noTimes
    }
}

/// Pictures as they were made: each shows its number.
package struct MadePictures: Sendable {
    /// The numbers of the shown pictures, in the order in which they are shown.
    package var numbers: [Int]
    /// When each is shown, in seconds after the first.
    package var times: [Double]
    /// How far a container's ticks may move a time, in seconds.
    package var tolerance: Double
    /// Frames a second, as numerator and denominator, if all have one distance; else nil.
    package var rate: (Int64, Int64)?
    package var width: Int
    package var height: Int
    package var pixelAspect: (Int64, Int64) = (1, 1)
    /// Clockwise, in degrees.
    package var turn = 0
    /// Whether the pictures come out with their numbers at all: damage may take some.
    package var isWhole = true
    /// Whether the last picture's length is known, and with it the duration of the stream, in seconds.
    package var duration: Double?
}

/// Sound as it was made: noise of which every sample has its place.
package struct MadeSound: Sendable {
    package var sampleRate: Int
    package var channels: Int
    /// The samples of the first channel before encoding; the second channel is half of it.
    package var samples: [Int16]
    package var isLossless: Bool
    /// The samples that are to be heard, where container and codec say it exactly.
    package var count: Int?
    /// Where the first of ``samples`` is heard: seconds after the first picture, or after the first audible sample of a
    /// file without pictures; nil where the container cannot say it.
    package var start: Double?
    /// How far a container's ticks may move ``start``, in seconds.
    package var tolerance: Double
    /// Silence that the times ask for, which begins with the first packet from sample `at` on.
    package var gap: (at: Int, count: Int)?
    package var isWhole = true
}

extension MadeSound {
    /// Noise with most of its power below 3 kHz, which every codec keeps in shape.
    static func noise(_ count: Int, seed: Int) -> [Int16] {
        var random = SplitMixSource(UInt64(seed))
        var (slow, samples): (Int, [Int16]) = (0, [])
        samples.reserveCapacity(count)
        for _ in 0..<count {
            slow += (random.next() - slow) / 4
            samples.append(Int16(slow))
        }
        return samples
    }

    private struct SplitMixSource {
        var state: UInt64
        init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
        /// −16,384 … 16,383.
        mutating func next() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 49) - 16_384
        }
    }
}
