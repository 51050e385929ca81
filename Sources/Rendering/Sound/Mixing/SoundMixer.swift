import CompositionModel
import Pixels
import Samples

/// Sums the clips of all tracks, each sample a pure function of its number:
/// ```
/// output[n] = master( Σ tracks  duck(n) · track( Σ clips  clip(n) ) )
/// ```
/// in Double, in the order of the lists, by absolute sample. So any way of asking for it gives the same bits.
final class SoundMixer {
    typealias Samples = SampleKernels.Samples

    private let plan: MixPlan
    private let tracks: [TrackVoice]
    private let ducks: [Int: SidechainDucker]
    private let track: SampleBuffers
    private let gains = SampleBuffers(channels: 1)
    private let before: ProcessorChain?
    private let after: ProcessorChain?
    private let limiter: ProcessorChain?
    /// What brings the whole to its loudness; nil leaves it as it is.
    private var loudness: (factor: Double, limiter: ProcessorChain?)?

    /// - Parameter sources: every stream of the plan; what is missing is silent.
    init(_ plan: MixPlan, sources: [SoundStream: any SampleSource]) {
        self.plan = plan
        let samples = SampleBuffers(channels: plan.channels)
        let (channels, rate) = (plan.channels, plan.sampleRate)
        func voice(_ track: MixTrack) -> TrackVoice {
            TrackVoice(track, channels: channels, sampleRate: rate) { clip in
                ClipVoice(clip, source: sources[clip.stream], channels: channels, sampleRate: rate, samples: samples)
            }
        }
        tracks = plan.tracks.map(voice)
        var ducks: [Int: SidechainDucker] = [:]
        for (index, track) in plan.tracks.enumerated() {
            guard let duck = track.duck else { continue }
            let others = duck.under.map { voice(plan.tracks[$0]) }
            ducks[index] = SidechainDucker(duck, tracks: others, channels: channels, sampleRate: rate)
        }
        self.ducks = ducks
        track = SampleBuffers(channels: channels)
        (before, after) = ProcessorChain.pair(plan.master?.processors, channels: channels, sampleRate: rate)
        limiter = plan.master?.limiter.map { ProcessorChain([$0], channels: channels, sampleRate: rate) }
        adjust(plan.loudness)
    }

    /// Sets what brings the whole to its loudness; nil leaves it as it is.
    func adjust(_ gain: LoudnessGain?) {
        loudness = nil
        guard let gain, let target = plan.master?.loudness else { return }
        let (channels, rate) = (plan.channels, plan.sampleRate)
        let limiter =
            gain.isLimited ? ProcessorChain([target.limiter], channels: channels, sampleRate: rate) : nil
        loudness = (gain.factor, limiter)
    }

    /// Fills `output` with the samples from `first` on (0 is the first of the output), unclipped.
    /// - Parameter output: one buffer a channel, of equal length.
    func mix(from first: Int64, into output: [Samples]) throws {
        let start = plan.window.lowerBound + first
        let range = start..<start + Int64(output[0].count)
        if let limiter = loudness?.limiter {
            try limiter.read(range, into: output, from: readAdjusted)
        } else {
            try readAdjusted(range, into: output)
        }
    }

    private func readAdjusted(_ range: Range<Int64>, into output: [Samples]) throws {
        if let limiter {
            try limiter.read(range, into: output, from: readMaster)
        } else {
            try readMaster(range, into: output)
        }
        guard let loudness else { return }
        let gain = gains.take(range.count)[0]
        SampleKernels.fill(gain, with: loudness.factor)
        for channel in output { SampleKernels.multiply(channel, by: gain) }
    }

    private func readMaster(_ range: Range<Int64>, into output: [Samples]) throws {
        guard let after else { return try readLoud(range, into: output) }
        try after.read(range, into: output, from: readLoud)
    }

    private func readLoud(_ range: Range<Int64>, into output: [Samples]) throws {
        if let before { try before.read(range, into: output, from: sum) } else { try sum(range, into: output) }
        guard let volume = plan.masterVolume, !volume.isUnity else { return }
        let gain = unityGains(range.count)
        volume.multiply(gain, from: range.lowerBound)
        for channel in output { SampleKernels.multiply(channel, by: gain) }
    }

    private func sum(_ range: Range<Int64>, into output: [Samples]) throws {
        let heard = tracks.enumerated().filter { $0.element.mayBeHeard(in: range) }
        // Adding 0 changes only −0, which no sum from 0 is.
        if heard.count == 1, heard[0].element.isSumAlone, ducks[heard[0].offset] == nil {
            return try heard[0].element.read(range, into: output)
        }
        for channel in output { SampleKernels.fill(channel, with: 0) }
        for (index, voice) in heard {
            let sums = track.take(range.count)
            try voice.read(range, into: sums)
            if let duck = ducks[index] {
                let gain = unityGains(range.count)
                try duck.multiply(gain, from: range.lowerBound)
                for channel in sums { SampleKernels.multiply(channel, by: gain) }
            }
            for (channel, sum) in zip(output, sums) { SampleKernels.add(sum, to: channel) }
        }
    }

    private func unityGains(_ count: Int) -> Samples {
        let gain = gains.take(count)[0]
        SampleKernels.fill(gain, with: 1)
        return gain
    }
}
