import CompositionModel
import EditSamples
import Foundation
import TestSupport
import Testing
import Timing

@testable import Planning

/// Tasks and what they are made of write their members by hand, because plans have very many, and write all of them:
/// one that was forgotten would be lost between the coordinator and its workers, and would not count for keys of parts.
@Suite struct WrittenMembersTests {
    private static let appearance: LayerAppearance = {
        var appearance = LayerAppearance()
        appearance.opacity = AnimatedProperty(constant: [500_000])
        return appearance
    }()
    private static let one = RationalTime(whole: 1)

    private static let source = SliceSource(
        asset: 1,
        stream: 2,
        start: one,
        fit: .cover,
        speed: RationalTime(whole: 2),
        curve: RetimeCurve(frames: [0, 9], progress: [0, 18_000_000]),
        appearance: appearance,
        itemTime: one,
        track: appearance,
        trackTime: one,
        isNested: true,
        blending: .frames
    )

    @Test func aSourceWritesAllOfItsMembers() throws {
        let bare = SliceSource(asset: 1, stream: 2, start: .zero, fit: .contain)
        #expect(try WrittenMembers.members(of: Self.source) == WrittenMembers.properties(of: Self.source))
        #expect(try WrittenMembers.members(of: bare) == ["asset", "fit", "start", "stream"])
        for source in [Self.source, bare] { #expect(try WrittenMembers.areRead(source)) }
    }

    /// A title, a dissolve, and a wipe, which stands under another name.
    @Test func aLayerWritesAllOfItsMembers() throws {
        let title = SliceTitle(frame: PictureSize(width: 64, height: 36), layers: [], itemTime: nil)
        var whole = SliceLayer(title: title)
        (whole.from, whole.to) = (Self.source, Self.source)
        for (look, name) in [(nil, "dissolve"), (TransitionLook(.wipe), "transition")] as [(TransitionLook?, String)] {
            whole.transition = TransitionRamp(firstStep: 1, steps: 10, look: look)
            #expect(try WrittenMembers.members(of: whole) == ["title", "from", "to", name])
            #expect(try WrittenMembers.areRead(whole))
        }
        #expect(try WrittenMembers.members(of: SliceLayer(from: Self.source)) == ["from"])
        let instruction = SliceInstruction(frames: FrameRange(start: 3, count: 4), layers: [whole, whole])
        #expect(try WrittenMembers.members(of: instruction) == WrittenMembers.properties(of: instruction))
        #expect(try WrittenMembers.areRead(instruction))
    }

    private static func plan() throws -> RenderPlan {
        let items = [#"{ "asset": "a", "duration": "40s" }"#]
        return try Compiled(editText(items, assets: ["a"]), ["a": SampleAsset.minute("a")]).plan()
    }

    @Test func aPictureTaskWritesAllOfItsMembers() throws {
        let bare = try Self.plan().segments[0].task
        var whole = bare
        let frames = FrameRange(start: 0, count: 1)
        whole.nested = [
            NestedSlice(
                frameRate: whole.frameRate,
                size: whole.size,
                color: whole.color,
                background: "#000000",
                frameCount: 1,
                instructions: whole.instructions
            )
        ]
        let configuration = Data([1, 2])
        whole.copies = [CopiedSpan(frames: frames, asset: 0, stream: 0, sourceFrame: 9, configuration: configuration)]
        whole.carried = [CarriedSpan(frames: frames, asset: 0, stream: 0, sourceFrame: 9, kinds: [])]
        whole.libraries = ["libavcodec": "59.37.100"]
        #expect(try WrittenMembers.members(of: whole) == WrittenMembers.properties(of: whole))
        let absent: Set = ["nested", "copies", "carried", "libraries"]
        #expect(try WrittenMembers.members(of: bare) == WrittenMembers.properties(of: whole).subtracting(absent))
        #expect(try WrittenMembers.areRead(bare))
        // Bytes are a list of numbers in keys, and base 64 in what is stored.
        let stored = try CanonicalJSON.foundation(whole)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try stored == encoder.encode(whole))
        #expect(try JSONDecoder().decode(PictureTask.self, from: stored) == whole)
        #expect(String(decoding: stored, as: UTF8.self).contains(#""configuration":"AQI=""#))
        #expect(String(decoding: try CanonicalJSON.data(whole), as: UTF8.self).contains(#""configuration":[1,2]"#))
    }

    @Test func aSoundTaskWritesAllOfItsMembers() throws {
        let bare = try #require(Self.plan().sound)
        var whole = bare
        let programme = SoundProgramme(key: ContentDigest(of: Data()), firstSample: 0, sampleCount: 1)
        whole.extent = .piece(SoundPiece(preRoll: 1, postRoll: 2, programme: programme))
        whole.speakers = ["FL", "FR"]
        whole.nested = [NestedSound(sampleRate: 48_000, channels: 2, sampleCount: 1, tracks: whole.tracks)]
        whole.master = MasterMix(ceiling: -1_000_000)
        whole.loudness = LoudnessGain(millionths: 1, isLimited: true)
        whole.packets = SoundPacketPlan(priming: 1024, count: 1, start: 0, runs: [])
        whole.libraries = ["libavcodec": "59.37.100"]
        // The members of the extent stand beside the others.
        let properties = WrittenMembers.properties(of: whole).subtracting(["extent"])
        #expect(try WrittenMembers.members(of: whole) == properties.union(["lead", "tail", "programme"]))
        let absent: Set = ["speakers", "nested", "master", "loudness", "packets", "libraries"]
        let least = properties.subtracting(absent)
        #expect(try WrittenMembers.members(of: bare).subtracting(["lead", "tail"]) == least)
        for task in [whole, bare] { #expect(try WrittenMembers.areRead(task)) }
    }
}
