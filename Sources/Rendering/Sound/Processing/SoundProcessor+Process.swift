import CompositionModel
import Samples

extension SoundProcessor {
    /// The process that does its work, in its state before the first sample.
    func process(channels: Int, sampleRate: Int) -> any SoundProcess {
        let rate = Double(sampleRate)
        switch processor {
        case .equalizer, .highPass, .lowPass: return FilterChain(sections(sampleRate: rate), channels: channels)
        case .compressor: return Compressor(compressor, sampleRate: rate)
        case .limiter: return Limiter(limiter, channels: channels, sampleRate: rate)
        case .gate: return Gate(gate, sampleRate: rate)
        case .delay: return Echo(echo, channels: channels, sampleRate: rate)
        case .reverb: return Reverb(reverb, sampleRate: rate)
        case .noiseReduction: return NoiseReduction(noiseReduction, channels: channels)
        }
    }

    private var compressor: Compressor.Settings {
        var settings = Compressor.Settings()
        settings.threshold = self[.threshold]
        settings.ratio = self[.ratio]
        settings.attack = self[.attack]
        settings.release = self[.release]
        settings.knee = self[.knee]
        settings.makeup = self[.makeup]
        return settings
    }

    private var limiter: Limiter.Settings {
        var settings = Limiter.Settings()
        settings.ceiling = self[.ceiling]
        settings.release = self[.release]
        return settings
    }

    private var gate: Gate.Settings {
        var settings = Gate.Settings()
        settings.threshold = self[.threshold]
        settings.attack = self[.attack]
        settings.hold = self[.hold]
        settings.release = self[.release]
        settings.range = self[.range]
        return settings
    }

    private var echo: Echo.Settings {
        var settings = Echo.Settings()
        settings.time = self[.time]
        settings.feedback = self[.feedback]
        settings.mix = self[.mix]
        settings.dry = self[.dry]
        return settings
    }

    private var reverb: Reverb.Settings {
        var settings = Reverb.Settings()
        settings.decay = self[.decay]
        settings.size = self[.size]
        settings.damping = self[.damping]
        settings.preDelay = self[.preDelay]
        settings.mix = self[.mix]
        settings.dry = self[.dry]
        return settings
    }

    private var noiseReduction: NoiseReduction.Settings {
        var settings = NoiseReduction.Settings()
        settings.amount = self[.amount]
        settings.sensitivity = self[.sensitivity]
        return settings
    }
}
