package import Timing

extension SoundProcessor {
    /// The sections of an equaliser, a high pass or a low pass, to be applied one after another; empty for other
    /// processors.
    package func sections(sampleRate: Double) -> [Biquad] {
        switch processor {
        case .equalizer: (bands ?? []).map { $0.section(sampleRate) }
        case .highPass: pass(.high, sampleRate)
        case .lowPass: pass(.low, sampleRate)
        case .compressor, .limiter, .gate, .delay, .reverb, .noiseReduction: []
        }
    }

    private func pass(_ pass: Biquad.Pass, _ rate: Double) -> [Biquad] {
        Biquad.butterworth(pass, frequency: self[.frequency], order: Int(self[.order]), sampleRate: rate)
    }

    /// The number of past samples that affect the output, rounded up: earlier ones count less than −140 dB. 2^40 means
    /// that it is endless.
    package func memory(sampleRate: Int) -> Int64 {
        let rate = Double(sampleRate)
        return switch processor {
        case .equalizer, .highPass, .lowPass:
            sections(sampleRate: rate).reduce(0) { $0 + Fading.samples(by: $1.poleRadius) }
        case .compressor: Fading.levels(self[.attack], self[.release], rate)
        // The limiter has its window, its look-ahead of 5 ms and its oversampling.
        case .limiter: Fading.levels(0.01, self[.release], rate) + Fading.whole(0.02 * rate) + 512
        case .gate: Fading.levels(self[.attack], self[.release], rate) + Fading.whole(self[.hold] * rate)
        case .delay: Fading.whole((self[.time] * rate + 1) * (Fading.turns(by: self[.feedback]) + 3))
        // The delay lines of the room are 347 ms long together.
        case .reverb:
            Fading.whole((self[.decay] * 140 / 60 + self[.preDelay] + self[.size] * 0.35) * rate) + 16
        case .noiseReduction: 2 * Fading.noise
        }
    }

    /// The largest number of samples by which the output is later than the input.
    package func latency(sampleRate: Int) -> Int64 {
        switch processor {
        case .limiter: Fading.whole(0.01 * Double(sampleRate)) + 512
        case .noiseReduction: Fading.noise
        case .equalizer, .highPass, .lowPass, .compressor, .gate, .delay, .reverb: 0
        }
    }
}

/// The number of samples after which a decaying sound no longer counts.
private enum Fading {
    static let endless: Int64 = 1 << 40
    /// The samples of a frame of the noise reduction and of its look-ahead.
    static let noise: Int64 = 2048 + 72 * 512
    /// A little more than ln(10^7).
    private static let least = 16.2

    /// A little more than the number of steps after which a factor of `ratio` per step has brought 1 below 10⁻⁷.
    static func turns(by ratio: Double) -> Double {
        guard ratio > 0 else { return 0 }
        return ratio < 1 ? 23.4 / max(-ExactMath.log2(ratio), 1e-12) : Double(endless)
    }

    static func samples(by ratio: Double) -> Int64 { whole(turns(by: ratio)) + 2 }

    /// The samples that a level follower remembers, with the seconds to 1/e of the change up and down.
    static func levels(_ attack: Double, _ release: Double, _ rate: Double) -> Int64 {
        whole(least * (attack + release) * rate) + 4
    }

    static func whole(_ samples: Double) -> Int64 {
        samples < Double(endless) ? Int64(samples.rounded(.up)) : endless
    }
}

extension EqualizerBand {
    fileprivate func section(_ rate: Double) -> Biquad {
        let (frequency, gain) = (Double(self.frequency) / 1_000_000, Double(self.gain) / 1_000_000)
        let quality = Double(self.quality) / 1_000_000
        switch band {
        case .peak: return .peak(frequency: frequency, quality: quality, gain: gain, sampleRate: rate)
        case .lowShelf: return .lowShelf(frequency: frequency, quality: quality, gain: gain, sampleRate: rate)
        case .highShelf: return .highShelf(frequency: frequency, quality: quality, gain: gain, sampleRate: rate)
        case .notch: return .notch(frequency: frequency, quality: quality, sampleRate: rate)
        case .bandPass: return .bandPass(frequency: frequency, quality: quality, sampleRate: rate)
        }
    }
}
