import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

@Suite struct CompositionReadingTests {
    private func sample() throws -> Composition {
        let rate = try FrameRate(25)
        let digest = ContentDigest(of: Data("a".utf8))
        let segment = VideoTrackSegment(
            target: FrameRange(start: 0, count: 50),
            asset: 0,
            stream: 0,
            sourceStart: .zero,
            fit: .contain
        )
        let format = Format(
            size: PictureSize(width: 640, height: 360),
            frameRate: rate,
            sampleRate: 48_000,
            channels: 2,
            color: .bt709,
            background: "#000000"
        )
        return Composition(
            format: format,
            frameCount: 50,
            assets: [CompositionAsset(name: "a", digest: digest)],
            videoTracks: [VideoTrack(id: "v", segments: [segment])],
            instructions: [
                VideoCompositionInstruction(
                    frames: FrameRange(start: 0, count: 50),
                    layers: [LayerInstruction(track: "v")]
                )
            ],
            audioTracks: [],
            outputs: []
        )
    }

    private func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(sample()), as: UTF8.self)
    }

    @Test func readsTheCanonicalForm() throws {
        let result = EditReader.read("// canonical\n" + (try text()))
        #expect(result.findings.isEmpty)
        #expect(result.document == .composition(try sample()))
    }

    /// what is replaced, by what, the pointer, a part of the message
    static let wrong: [(String, String, String, String)] = [
        ("\"frameRate\" : \"25/1\"", "\"frameRate\" : \"0/1\"", "/format/frameRate", "above 0"),
        ("\"frameRate\" : \"25/1\"", "\"frameRate\" : \"25\"", "/format/frameRate", "fraction"),
        ("\"frameRate\" : \"25/1\"", "\"frameRate\" : \"25/0\"", "/format/frameRate", "zeroDenominator"),
        ("\"channels\" : 2", "\"channels\" : \"2\"", "/format/channels", "Int"),
        ("\"channels\" : 2,", "", "/format", "\"channels\" is missing"),
        ("\"count\" : 50", "\"count\" : -1", "/instructions/0/frames/count", "-1"),
        ("\"fit\" : \"contain\"", "\"fit\" : \"stretch\"", "/videoTracks/0/segments/0/fit", "stretch"),
        ("sha256:", "sha512:", "/assets/0/digest", "sha256"),
        ("\"frameCount\" : 50", "\"frameCount\" : 5e99", "/frameCount", "5e99"),
    ]

    @Test(arguments: wrong) func saysWhereTheFormIsWrong(
        old: String,
        new: String,
        pointer: String,
        message: String
    ) throws {
        let text = try text()
        try #require(text.contains(old))
        let result = EditReader.read(text.replacing(old, with: new, maxReplacements: 1))
        let finding = try #require(result.findings.first)
        #expect(result.document == nil && finding.rule == "composition")
        #expect(finding.pointer.hasPrefix(pointer), "\(finding)")
        #expect(finding.message.contains(message), "\(finding)")
        #expect(finding.line > 1)
    }

    @Test func refusesKeysThatDecodingWouldIgnore() throws {
        let result = EditReader.read(try text().replacing("\"fit\" :", with: "\"x-a\" : 1, \"fitt\" : 3, \"fit\" :"))
        #expect(result.document == nil)
        #expect(result.findings.map(\.pointer) == ["/videoTracks/0/segments/0/fitt"])
        #expect(result.findings.map(\.suggestion) == ["\"fit\""])
    }
}
