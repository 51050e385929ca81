package import CompositionModel
import Timing

/// Finds the gain that brings a programme to its loudness, by measuring it. Values in, values out: whoever measures,
/// here or over a farm, asks what is next and hands in the reading.
/// ```
///  as it is ─► target − loudness ─► peak below the ceiling? ── yes ─► done
///                                          │ no
///                                          ▼
///              with gain and limiter ─► near enough, or three times? ── yes ─► done
///                       ▲                  │ no
///                       └── more gain ◄────┘
/// ```
package struct LoudnessSearch: Sendable, Hashable {
    /// What is to be done next.
    package enum Step: Sendable, Hashable {
        /// Measure the whole programme, as it is (nil) or with this gain.
        case measure(LoudnessGain?)
        /// Nothing is left to measure.
        case done(LoudnessGain)
    }

    /// LU that count as reached.
    private static let tolerance = 0.1

    /// LUFS and dBTP.
    private let target: Double
    private let ceiling: Double
    private var limited: [Attempt] = []
    /// Why there is sound without a loudness, once it was measured; nil when there is one, or nothing was heard.
    package private(set) var immeasurable: Immeasurable?

    /// Why sound has no loudness.
    package enum Immeasurable: Sendable, Hashable {
        /// The sound is shorter than 0.4 s: there is no block of BS.1770.
        case shorter
        /// The sound is quieter than −70 LUFS throughout, the absolute gate of BS.1770.
        case quieter
    }

    /// What comes next.
    package private(set) var step = Step.measure(nil)

    private struct Attempt: Hashable {
        var gain: Double
        var loudness: Double
    }

    package init(_ target: LoudnessTarget) {
        self.target = Double(target.integrated) / 1_000_000
        ceiling = Double(target.truePeak) / 1_000_000
    }

    /// Takes the reading of what ``step`` asked for.
    package mutating func take(_ reading: LoudnessReading) {
        guard case .measure(let tried) = step else { return }
        guard let loudness = reading.integrated else {
            if tried == nil, reading.truePeak > 0 {
                immeasurable = reading.maximumMomentary == nil ? .shorter : .quieter
            }
            step = .done(tried ?? LoudnessGain(millionths: 0, isLimited: false))
            return
        }
        guard let tried else {
            let gain = LoudnessGain(decibels: target - loudness, isLimited: false)
            let fits = reading.truePeakDecibels + gain.decibels <= ceiling
            step = fits ? .done(gain) : .measure(LoudnessGain(millionths: gain.millionths, isLimited: true))
            return
        }
        limited.append(Attempt(gain: tried.decibels, loudness: loudness))
        if abs(target - loudness) <= Self.tolerance {
            step = .done(tried)
            return
        }
        let next = LoudnessGain(decibels: tried.decibels + correction, isLimited: true)
        step = limited.count == LoudnessTarget.mostLimitedRounds ? .done(best ?? next) : .measure(next)
    }

    /// An attempt that was nearer than the last one: then more of the same cannot be trusted.
    private var best: LoudnessGain? {
        let best = limited.min { abs(target - $0.loudness) < abs(target - $1.loudness) }
        guard let best, best != limited.last else { return nil }
        return LoudnessGain(decibels: best.gain, isLimited: true)
    }

    /// LU that are missing for the target after all attempts, as far as was measured; nil when it was reached, or
    /// nothing was heard.
    package var shortfall: Double? {
        guard case .done = step, let last = limited.last, target - last.loudness > 0.5 else { return nil }
        return target - last.loudness
    }

    /// dB that are missing: the more is limited the less a dB of gain brings, which the last two attempts tell.
    private var correction: Double {
        guard let last = limited.last else { return 0 }
        var slope = 1.0
        if let before = limited.dropLast().last, abs(last.gain - before.gain) > 1e-9 {
            slope = (last.loudness - before.loudness) / (last.gain - before.gain)
        }
        return min(max((target - last.loudness) / min(max(slope, 0.25), 1), -12), 12)
    }
}

extension LoudnessGain {
    /// Rounded to millionths, so that it is a number that can be written down.
    init(decibels: Double, isLimited: Bool) {
        self.init(millionths: Int64((decibels * 1_000_000).rounded()), isLimited: isLimited)
    }

    /// The gain in dB.
    package var decibels: Double { Double(millionths) / 1_000_000 }
    /// The gain as a factor of samples.
    package var factor: Double { ExactMath.gain(decibels: decibels) }
}
