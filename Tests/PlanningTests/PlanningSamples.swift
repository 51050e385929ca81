// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import Foundation
import Testing

@testable import Timing
@testable import CompositionModel
@testable import Planning
@testable import EditLanguage

/// Facts of assets that exist only as facts: compiling and planning open no media.
enum SampleAsset {
    static func digest(_ name: String) -> ContentDigest { ContentDigest(of: Data(name.utf8)) }

    /// A stream of constant rate with a keyframe every `gop` frames.
    static func video(
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
    static func variable(ticks: [Int64], count: Int64, gop: Int64) -> VideoStreamFacts {
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

    static func audio(
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

    static func asset(
        _ name: String,
        _ video: [VideoStreamFacts],
        _ audio: [AudioStreamFacts] = []
    ) -> CompilerAsset {
        let facts = AssetFacts(container: "mov", byteCount: 1_000_000, video: video, audio: audio)
        return CompilerAsset(digest: digest(name), facts: facts)
    }

    /// One minute at 25 fps, a keyframe every 2 s, with sound.
    static func minute(_ name: String, gop: Int64 = 50) -> CompilerAsset {
        asset(name, [video(rate: try! FrameRate(25), seconds: 60, gop: gop)], [audio(seconds: 60)])
    }
}

/// An edit's text compiled as a client and a coordinator do it.
struct Compiled {
    let composition: Composition?
    let findings: [Finding]
    let facts: [ContentDigest: AssetFacts]

    init(
        _ text: String,
        _ assets: [String: CompilerAsset],
        _ options: CompileOptions = CompileOptions(),
        nested: [String: NestedEdit] = [:],
        unusable: [String: UnusableAsset] = [:]
    ) throws {
        let read = EditReader.read(text)
        let document = try #require(read.document, "\(read.findings)")
        let result = EditCompiler.compile(
            document,
            assets: assets,
            nested: nested,
            unusable: unusable,
            options: options
        )
        composition = result.composition
        findings = result.findings
        let all = nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets }
        facts = Dictionary(all.map { ($0.digest, $0.facts) }) { first, _ in first }
    }

    var errors: [Finding] { findings.filter { $0.severity == .error } }

    func plan(output: Int = 0, segmentCount: Int? = nil) throws -> RenderPlan {
        let composition = try #require(composition, "\(errors)")
        return try Planner.plan(composition, output: output, facts: facts, segmentCount: segmentCount)
    }
}

extension NestedEdit {
    /// From its text, which is called `file`.
    init(
        _ file: String,
        _ text: String,
        _ assets: [String: CompilerAsset],
        nested: [String: NestedEdit] = [:],
        parameters: [String: String] = [:]
    ) {
        self.init(
            file: file,
            read: EditReader.read(text, parameters: parameters),
            assets: assets,
            nested: nested
        )
    }

    var allAssets: [CompilerAsset] { nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets } }
}

/// The text of an edit with one video track, of the given items.
func editText(
    _ items: [String],
    assets: [String],
    rate: String = "25",
    size: String = "[1280, 720]",
    outputs: String = #"[{ "preset": "h264" }]"#
) -> String {
    let named = assets.map { "\"\($0)\": \"\($0).mp4\"" }.joined(separator: ", ")
    return """
        { "schema": "edit/1",
          "format": { "size": \(size), "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
          "assets": { \(named) },
          "tracks": [ { "kind": "video", "id": "main", "segments": [ \(items.joined(separator: ",\n")) ] } ],
          "outputs": \(outputs) }
        """
}
