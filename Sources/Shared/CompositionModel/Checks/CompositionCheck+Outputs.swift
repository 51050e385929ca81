import Timing

extension CompositionCheck {
    /// x264's presets (x264 164, common/base.c), and x265's.
    static let speeds = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]

    mutating func outputSettings() {
        for (index, output) in composition.outputs.enumerated() {
            var pointer: String { "/outputs/\(index)" }
            size(output.size, at: pointer + "/size")
            if let range = output.range { outputRange(range, at: pointer + "/range") }
            if let range = output.soundRange { soundRange(range, at: pointer + "/soundRange") }
            if let video = output.video { encoding(video, in: output.container, at: pointer + "/video") }
            if let audio = output.audio { encoding(audio, in: output.container, at: pointer + "/audio") }
            if output.video == nil, output.audio == nil {
                let message =
                    "the output has neither picture nor sound: no track is seen or heard; muted ones, and those "
                    + "beside a solo, are not"
                report(.emptyOutput, pointer, message)
            }
        }
    }

    private mutating func outputRange(_ range: FrameRange, at pointer: @autoclosure () -> String) {
        guard isSound(range, at: pointer()), range.end > composition.frameCount else { return }
        let message = "the range ends at frame \(range.end), past the timeline's end at \(composition.frameCount)"
        report(.rangePastEnd, pointer(), message)
    }

    /// Checks that samples are chosen of a timeline without picture alone, and that it has them.
    private mutating func soundRange(_ range: SampleRange, at pointer: @autoclosure () -> String) {
        if hasPicture {
            return report(.soundLength, pointer(), "a timeline with picture has the sound of its frames")
        }
        guard let count = try? composition.sampleCount() else { return }
        guard range.start >= 0, range.count > 0, range.start <= count else {
            return report(.rangeInvalid, pointer(), "\(range.count) samples from \(range.start) cannot be")
        }
        if range.count > count - range.start {
            let message = "the range ends past the timeline's end at sample \(count)"
            report(.rangePastEnd, pointer(), message)
        }
    }

    private mutating func encoding(
        _ video: VideoEncoding,
        in container: Container,
        at pointer: @autoclosure () -> String
    ) {
        if !container.holds(video.codec) {
            report(.container, pointer() + "/codec", "\(container) cannot hold \(video.codec)")
        }
        if !(1...100_000).contains(video.keyframeInterval) {
            report(.encoding, pointer() + "/keyframeInterval", "\(video.keyframeInterval) is not between 1 and 100000")
        }
        if !(0...250).contains(video.postRoll) {
            report(.encoding, pointer() + "/postRoll", "\(video.postRoll) is not between 0 and 250")
        }
        guard [.h264, .hevc].contains(video.codec), !video.isCopyOnly else { return }
        if !CompositionCheck.speeds.contains(video.speed ?? "") {
            report(.encoding, pointer() + "/speed", "“\(video.speed ?? "")” is no preset of its encoder")
        }
        if !(0...51_000).contains(video.crfThousandths ?? -1) {
            report(.encoding, pointer() + "/crfThousandths", "the rate factor is not between 0 and 51000")
        }
    }

    private mutating func encoding(
        _ audio: AudioEncoding,
        in container: Container,
        at pointer: @autoclosure () -> String
    ) {
        if !container.holds(audio.codec) {
            report(.container, pointer() + "/codec", "\(container) cannot hold \(audio.codec)")
        }
        if !audio.codec.channelCounts.contains(composition.format.channels) {
            let what = "\(audio.codec.title) has no sound of \(composition.format.channels) channels"
            report(.channels, pointer() + "/codec", what)
        }
        if audio.dither != nil, audio.codec.bits == nil {
            report(.dither, pointer() + "/dither", "\(audio.codec.title) of floats is not dithered")
        }
        guard let rates = audio.codec.bitRates else { return }
        if !rates.contains(audio.bitRate ?? 0) {
            let bounds = "\(rates.lowerBound) to \(rates.upperBound)"
            report(.encoding, pointer() + "/bitRate", "\(audio.bitRate ?? 0) bits per second are not \(bounds)")
        }
    }
}
