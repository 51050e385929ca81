import Pixels
import Shared

/// Sums the clips of all tracks, each sample a pure function of its number:
/// ```
/// output[n] = Σ tracks  v(n) · Σ clips  x[n] · (volume · fadeIn · fadeOut)
/// ```
/// in Double, in the order of the lists, by absolute sample. So any way of asking for it gives the same bits.
final class SoundMixer {
    typealias Samples = UnsafeMutableBufferPointer<Double>

    private let plan: MixPlan
    private let sources: [SoundStream: any SampleSource]
    private let source: SampleBuffers
    private let clip: SampleBuffers
    private let track: SampleBuffers
    private let gains = SampleBuffers(channels: 1)

    /// - Parameter sources: every stream of the plan; what is missing is silent.
    init(_ plan: MixPlan, sources: [SoundStream: any SampleSource]) {
        self.plan = plan
        self.sources = sources
        source = SampleBuffers(channels: plan.channels)
        clip = SampleBuffers(channels: plan.channels)
        track = SampleBuffers(channels: plan.channels)
    }

    /// Fills `output` with the samples from `first` on (0 is the first of the output), unclipped.
    /// - Parameter output: one buffer a channel, of equal length.
    func mix(from first: Int64, into output: [Samples]) throws {
        let start = plan.window.lowerBound + first
        let range = start..<start + Int64(output[0].count)
        for channel in output { SampleKernels.fill(channel, with: 0) }
        for track in plan.tracks {
            let clips = track.clips(in: range)
            if !clips.isEmpty { try add(track, clips, over: range, to: output) }
        }
    }

    private func add(_ mixed: MixTrack, _ clips: [MixClip], over range: Range<Int64>, to output: [Samples]) throws {
        let sums = track.take(range.count)
        for channel in sums { SampleKernels.fill(channel, with: 0) }
        for clip in clips { try add(clip, over: range, to: sums) }
        if !mixed.volume.isUnity {
            let gain = unityGains(range.count)
            mixed.volume.multiply(gain, from: range.lowerBound)
            for channel in sums { SampleKernels.multiply(channel, by: gain) }
        }
        for (channel, sum) in zip(output, sums) { SampleKernels.add(sum, to: channel) }
    }

    private func add(_ mixed: MixClip, over range: Range<Int64>, to sums: [Samples]) throws {
        let part = mixed.target.clamped(to: range)
        let samples = clip.take(part.count)
        try read(mixed, part, into: samples)
        if !mixed.isUnity {
            let gain = unityGains(part.count)
            mixed.multiply(gain, over: part)
            for channel in samples { SampleKernels.multiply(channel, by: gain) }
        }
        let offset = Int(part.lowerBound - range.lowerBound)
        for (sum, channel) in zip(sums, samples) {
            SampleKernels.add(channel, to: Samples(rebasing: sum[offset..<offset + part.count]))
        }
    }

    /// The clip's samples at the edit's rate.
    private func read(_ clip: MixClip, _ part: Range<Int64>, into output: [Samples]) throws {
        let needed = clip.sourceRange(of: part)
        let samples = source.take(needed.count)
        for channel in samples { SampleKernels.fill(channel, with: 0) }
        try sources[clip.stream]?.read(needed, into: samples)
        for (from, to) in zip(samples, output) {
            if let to = to.baseAddress { clip.convert(from, range: part, into: to) }
        }
    }

    private func unityGains(_ count: Int) -> Samples {
        let gain = gains.take(count)[0]
        SampleKernels.fill(gain, with: 1)
        return gain
    }
}
