// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditLanguage
import EditSamples
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// Compositions as AV Foundation would refuse them.
@Suite struct CompositionFindingsTests {
    struct Break: Sendable, CustomTestStringConvertible {
        let rule: String
        let pointer: String
        let apply: @Sendable (inout Composition) -> Void
        var testDescription: String { "\(rule) at \(pointer)" }

        init(_ rule: String, _ pointer: String, _ apply: @escaping @Sendable (inout Composition) -> Void) {
            (self.rule, self.pointer, self.apply) = (rule, pointer, apply)
        }
    }

    static func frames(_ start: Int64, _ count: Int64) -> FrameRange {
        // As a file may have it: decoding does not pass the initialiser's precondition.
        var range = FrameRange(start: start, count: 0)
        withUnsafeMutableBytes(of: &range) { bytes in
            bytes.storeBytes(of: count, toByteOffset: MemoryLayout<Int64>.size, as: Int64.self)
        }
        return range
    }

    static let breaks: [Break] = [
        Break("schema", "/schema") { $0.schema = "composition/2" },
        Break("size", "/format/size") { $0.format.size.width = 1279 },
        Break("size", "/format/size") { $0.format.size.height = 0 },
        Break("size", "/format/size") { $0.format.size.width = 16_386 },
        Break("frame-rate", "/format/frameRate") { $0.format.frameRate = try! FrameRate(.max) },
        Break("sample-rate", "/format/sampleRate") { $0.format.sampleRate = 0 },
        Break("channels", "/format/channels") { $0.format.channels = 9 },
        Break("color", "/format/background") { $0.format.background = "black" },
        Break("color", "/format/color") { $0.format.color.matrix = "ycgco" },
        Break("color", "/format/color") { $0.format.color.isFullRange = true },
        Break("empty-timeline", "/frameCount") { $0.frameCount = 0 },
        Break("empty-timeline", "/frameCount") { $0.frameCount = .min },
        Break("too-long", "/frameCount") { $0.frameCount = .max },
        Break("duplicate-track", "/videoTracks/1/id") { $0.videoTracks[1].id = $0.videoTracks[0].id },
        Break("duplicate-track", "/audioTracks/1/id") { $0.audioTracks[1].id = $0.audioTracks[0].id },
        Break("unknown-asset", "/videoTracks/0/segments/0/asset") { $0.videoTracks[0].segments[0].asset = 1 },
        Break("unknown-asset", "/videoTracks/0/segments/0/asset") { $0.videoTracks[0].segments[0].asset = -1 },
        Break("unknown-asset", "/audioTracks/0/segments/0/asset") { $0.audioTracks[0].segments[0].asset = .max },
        Break("source-negative", "/videoTracks/0/segments/0/sourceStart") {
            $0.videoTracks[0].segments[0].sourceStart = RationalTime(whole: -1)
        },
        Break("range-invalid", "/videoTracks/0/segments/0/target") {
            $0.videoTracks[0].segments[0].target = frames(-1, 9)
        },
        Break("range-invalid", "/videoTracks/0/segments/0/target") {
            $0.videoTracks[0].segments[0].target = frames(0, 0)
        },
        Break("range-invalid", "/videoTracks/0/segments/0/target") {
            $0.videoTracks[0].segments[0].target = frames(9, -9)
        },
        Break("too-long", "/videoTracks/0/segments/0/target") {
            $0.videoTracks[0].segments[0].target = frames(.max, .max)
        },
        Break("segments-overlap", "/videoTracks/0/segments/1/target") {
            var segment = $0.videoTracks[0].segments[0]
            segment.target = frames(124, 10)
            $0.videoTracks[0].segments.append(segment)
        },
        Break("instruction-hole", "/instructions/0/frames") { $0.instructions[0].frames = frames(1, 99) },
        Break("instruction-hole", "/instructions/1/frames") { $0.instructions.remove(at: 1) },
        Break("instruction-overlap", "/instructions/1/frames") { $0.instructions[0].frames = frames(0, 101) },
        Break("instructions-too-short", "/instructions") { $0.instructions.removeLast() },
        Break("instructions-too-short", "/instructions") { $0.instructions = [] },
        Break("instructions-too-long", "/instructions") { $0.instructions[2].frames = frames(125, 101) },
        Break("range-invalid", "/instructions/1/frames") { $0.instructions[1].frames = frames(100, 0) },
        Break("range-invalid", "/instructions/1/frames") { $0.instructions[1].frames = frames(100, .min) },
        Break("too-long", "/instructions/2/frames") { $0.instructions[2].frames = frames(125, .max) },
        Break("unknown-track", "/instructions/0/layers/0") { $0.instructions[0].layers[0].from = "nobody" },
        Break("layer-sides", "/instructions/0/layers/0") { $0.instructions[0].layers[0].from = nil },
        Break("layer-sides", "/instructions/0/layers/0") { $0.instructions[0].layers[0].to = "main.b" },
        Break("layer-sides", "/instructions/1/layers/0") { $0.instructions[1].layers[0].to = "main.a" },
        Break("dissolve-steps", "/instructions/1/layers/0/dissolve") {
            $0.instructions[1].layers[0].transition?.steps = 24
        },
        Break("dissolve-steps", "/instructions/1/layers/0/dissolve") {
            $0.instructions[1].layers[0].transition?.steps = 0
        },
        Break("dissolve-steps", "/instructions/1/layers/0/dissolve") {
            $0.instructions[1].layers[0].transition?.firstStep = -1
        },
        Break("dissolve-steps", "/instructions/1/layers/0/dissolve") {
            $0.instructions[1].layers[0].transition?.firstStep = .max
        },
        Break("range-invalid", "/audioTracks/0/segments/0") { $0.audioTracks[0].segments[0].start = -1 },
        Break("range-invalid", "/audioTracks/0/segments/0") { $0.audioTracks[0].segments[0].count = .max },
        Break("range-invalid", "/audioTracks/0/segments/0") { $0.audioTracks[0].segments[0].sourceStart = .min },
        Break("fade", "/audioTracks/0/segments/0/fadeOut") { $0.audioTracks[0].segments[0].fadeOut?.count = 240_001 },
        Break("fade", "/audioTracks/1/segments/0/fadeIn") { $0.audioTracks[1].segments[0].fadeIn?.count = 0 },
        Break("volume", "/audioTracks/0/segments/0/volume/0") {
            $0.audioTracks[0].segments[0].volume = [VolumeKey(at: 0, millionths: -1, unit: .linear)]
        },
        Break("volume-order", "/audioTracks/0/volume/1/at") {
            $0.audioTracks[0].volume = [9, 8].map { VolumeKey(at: $0, millionths: 0, unit: .decibel) }
        },
        Break("range-past-end", "/outputs/0/range") { $0.outputs[0].range = frames(200, 26) },
        Break("range-invalid", "/outputs/0/range") { $0.outputs[0].range = frames(0, 0) },
        Break("size", "/outputs/0/size") { $0.outputs[0].size.width = 3 },
        Break("container", "/outputs/1/video/codec") { $0.outputs[1].container = .mp4 },
        Break("container", "/outputs/1/audio/codec") { $0.outputs[1].container = .mp4 },
        Break("dither", "/outputs/0/audio/dither") { $0.outputs[0].audio?.dither = .triangular },
        Break("encoding", "/outputs/0/video/speed") { $0.outputs[0].video?.speed = "--help" },
        Break("encoding", "/outputs/0/video/crfThousandths") { $0.outputs[0].video?.crfThousandths = nil },
        Break("encoding", "/outputs/0/video/keyframeInterval") { $0.outputs[0].video?.keyframeInterval = 0 },
        Break("encoding", "/outputs/0/video/postRoll") { $0.outputs[0].video?.postRoll = -1 },
        Break("encoding", "/outputs/0/audio/bitRate") { $0.outputs[0].audio?.bitRate = 7 },
        Break("empty-output", "/outputs/0") {
            $0.outputs[0].video = nil
            $0.outputs[0].audio = nil
        },
    ]

    @Test func aCompiledCompositionIsSound() throws {
        let composition = try Compiled.dissolveWithSound()
        #expect(composition.findings().isEmpty)
        #expect(
            composition.instructions.map(\.frames)
                == [(0, 100), (100, 25), (125, 100)].map { FrameRange(start: $0, count: $1) }
        )
    }

    @Test(arguments: breaks)
    func eachBreakIsFoundWhereItIs(broken: Break) throws {
        var composition = try Compiled.dissolveWithSound()
        broken.apply(&composition)
        let found = composition.findings()
        #expect(found.contains { $0.rule == broken.rule && $0.pointer == broken.pointer }, "\(found)")
        #expect(found.allSatisfy { $0.severity == .error && !$0.message.isEmpty })
    }

    @Test func noMoreIsCollectedThanAnyoneReads() throws {
        var composition = try Compiled.dissolveWithSound()
        let keys = Array(repeating: AnimationKey(at: .zero, value: []), count: 3000)
        composition.videoTracks[0].segments[0].appearance = LayerAppearance()
        composition.videoTracks[0].segments[0].appearance?.opacity = AnimatedProperty(keys: keys)
        #expect(composition.findings().count == FindingShortlist.most + 1)
    }

    /// Whatever is in a file, planning answers and does not trap.
    @Test(arguments: breaks)
    func planningRefusesWhatIsBroken(broken: Break) throws {
        var composition = try Compiled.dissolveWithSound()
        broken.apply(&composition)
        let facts = [SampleAsset.digest("a"): SampleAsset.minute("a").facts]
        #expect(throws: PlanError.self) { try Planner.plan(composition, output: 0, facts: facts, segmentCount: nil) }
    }
}
