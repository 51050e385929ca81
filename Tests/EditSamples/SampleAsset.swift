// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

package import CompositionModel
package import EditLanguage
import Foundation
package import Timing

/// Facts of assets that exist only as facts: compiling and planning open no media.
package enum SampleAsset {
    package static func digest(_ name: String) -> ContentDigest { ContentDigest(of: Data(name.utf8)) }

    /// A stream of constant rate with a keyframe every `gop` frames.
    package static func video(
        rate: FrameRate,
        seconds: Int64,
        gop: Int64 = 50,
        width: Int = 1280,
        height: Int = 720,
        pixelFormat: String = "yuv420p",
        orientation: Orientation = .upright,
        pixelAspect: RationalTime = RationalTime(whole: 1),
        streamIndex: Int = 0,
        language: String? = nil
    ) -> VideoStreamFacts {
        let count = try! rate.frame(at: RationalTime(whole: seconds)).value
        return VideoStreamFacts(
            streamIndex: streamIndex,
            codec: "h264",
            profile: "High",
            width: width,
            height: height,
            pixelFormat: pixelFormat,
            pixelAspect: pixelAspect,
            orientation: orientation,
            color: .bt709,
            timeBase: try! RationalTime(1, 90_000),
            frameRate: rate,
            isVariableRate: false,
            frameCount: count,
            duration: try! rate.time(ofFrame: count),
            keyframes: Array(stride(from: 0, to: count, by: Int64.Stride(gop))),
            language: language,
            isDefault: streamIndex == 0
        )
    }

    /// A stream of variable rate: frames last `ticks[n % ticks.count]` milliseconds.
    package static func variable(ticks: [Int64], count: Int64, gop: Int64) -> VideoStreamFacts {
        var stream = video(rate: try! FrameRate(30), seconds: 1, width: 640, height: 480)
        var times: [Int64] = [0]
        for frame in 0..<count { times.append(times[Int(frame)] + ticks[Int(frame) % ticks.count]) }
        stream.timeBase = try! RationalTime(1, 1000)
        stream.isVariableRate = true
        stream.frameTimes = Array(times.dropLast())
        stream.frameCount = count
        stream.duration = try! RationalTime(times[Int(count)], 1000)
        stream.frameRate = try! FrameRate(count * 1000, times[Int(count)])
        stream.keyframes = Array(stride(from: 0, to: count, by: Int64.Stride(gop)))
        return stream
    }

    package static func audio(
        sampleRate: Int = 48_000,
        seconds: Int64,
        start: RationalTime = .zero,
        channels: Int = 2,
        streamIndex: Int = 1,
        language: String? = nil,
        isDefault: Bool = true
    ) -> AudioStreamFacts {
        AudioStreamFacts(
            streamIndex: streamIndex,
            codec: "aac",
            profile: "LC",
            sampleRate: sampleRate,
            channels: channels,
            channelLayout: "stereo",
            start: start,
            sampleCount: Int64(sampleRate) * seconds,
            language: language,
            isDefault: isDefault
        )
    }

    package static func asset(
        _ name: String,
        _ video: [VideoStreamFacts],
        _ audio: [AudioStreamFacts] = []
    ) -> CompilerAsset {
        let facts = AssetFacts(container: "mov", byteCount: 1_000_000, video: video, audio: audio)
        return CompilerAsset(digest: digest(name), facts: facts)
    }

    /// A font file with one face.
    package static func font(_ name: String, _ face: FontFaceFacts) -> CompilerAsset {
        let facts = AssetFacts(container: "font", byteCount: 1, video: [], audio: [], fonts: [face])
        return CompilerAsset(digest: digest(name), facts: facts)
    }

    /// A face of normal width.
    /// - Parameter coverage: the characters it has: of each run the first and their number.
    package static func face(
        _ family: String,
        _ weight: Int = 400,
        covers coverage: [Int] = [32, 95],
        isColor: Bool = false,
        isItalic: Bool = false
    ) -> FontFaceFacts {
        FontFaceFacts(
            index: 0,
            families: [family],
            style: "",
            weight: weight,
            isItalic: isItalic,
            width: 100,
            isMonospaced: false,
            isColor: isColor,
            coverage: coverage
        )
    }

    /// One minute at 25 fps, a keyframe every 2 s, with sound.
    package static func minute(_ name: String, gop: Int64 = 50) -> CompilerAsset {
        asset(name, [video(rate: try! FrameRate(25), seconds: 60, gop: gop)], [audio(seconds: 60)])
    }

    /// A minute at 25 fps with an IDR picture every 50 frames, in groups of `P B b b`: a copy may end before every
    /// fourth frame behind an IDR picture, and before the next one.
    /// - Parameters:
    ///   - form: stands for its parameter sets.
    ///   - profile: profile_idc.
    ///   - change: changes the stream's facts.
    package static func copyable(
        _ name: String,
        form: UInt8 = 1,
        profile: Int = 100,
        quantiser: Int? = nil,
        container: String = "mov,mp4,m4a,3gp,3g2,mj2",
        brand: String? = "isom",
        change: (inout VideoStreamFacts) -> Void = { _ in }
    ) -> CompilerAsset {
        var stream = video(rate: try! FrameRate(25), seconds: 60)
        stream.copy = CopyFacts(
            forms: [
                CodedForm(
                    configuration: Data([form]),
                    profile: profile,
                    level: 31,
                    chromaFormat: 1,
                    bits: 8,
                    size: PictureSize(width: 1280, height: 720)
                )
            ],
            stretches: [
                CopyStretch(
                    frames: FrameRange(start: 0, count: 1500),
                    form: 0,
                    entries: FrameSet(stride(from: 0, to: 1500, by: 50)),
                    ends: FrameSet((1...1500).filter { $0 % 50 == 0 || $0 % 50 % 4 == 1 })
                )
            ],
            obstacles: [],
            quantiserThousandths: quantiser
        )
        change(&stream)
        let facts = AssetFacts(
            container: container,
            brand: brand,
            byteCount: 1_000_000,
            video: [stream],
            audio: [audio(seconds: 60)]
        )
        return CompilerAsset(digest: digest(name), facts: facts)
    }
}
