import Samples
import CompositionModel

extension SoundProcessor {
    /// What does it.
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
        settings.threshold = value("threshold")
        settings.ratio = value("ratio")
        settings.attack = value("attack")
        settings.release = value("release")
        settings.knee = value("knee")
        settings.makeup = value("makeup")
        return settings
    }

    private var limiter: Limiter.Settings {
        var settings = Limiter.Settings()
        settings.ceiling = value("ceiling")
        settings.release = value("release")
        return settings
    }

    private var gate: Gate.Settings {
        var settings = Gate.Settings()
        settings.threshold = value("threshold")
        settings.attack = value("attack")
        settings.hold = value("hold")
        settings.release = value("release")
        settings.range = value("range")
        return settings
    }

    private var echo: Echo.Settings {
        var settings = Echo.Settings()
        settings.time = value("time")
        settings.feedback = value("feedback")
        settings.mix = value("mix")
        settings.dry = value("dry")
        return settings
    }

    private var reverb: Reverb.Settings {
        var settings = Reverb.Settings()
        settings.decay = value("decay")
        settings.size = value("size")
        settings.damping = value("damping")
        settings.preDelay = value("preDelay")
        settings.mix = value("mix")
        settings.dry = value("dry")
        return settings
    }

    private var noiseReduction: NoiseReduction.Settings {
        var settings = NoiseReduction.Settings()
        settings.amount = value("amount")
        settings.sensitivity = value("sensitivity")
        return settings
    }
}
