import CompositionModel
import EditLanguage
import Foundation
import Media
import Planning
import Rendering
import Testing

/// Titles in composited frames.
@Suite(.enabled(if: TitleEdit.hasFont))
struct TitleTests {
    @Test(arguments: [2, 7] as [Int])
    func anyNumberOfSegmentsGivesTheSameFrames(count: Int) throws {
        let edit = try TitleEdit(
            #"""
            { "text": "Typed, risen", "duration": "30f", "enter": { "move": "type", "duration": "15f" }, "exit": "rise",
              "box": { "anchor": "bottom", "background": "#00000080" } },
            { "text": "Turning", "duration": "33f", "font": { "size": "20%" }, "outline": { "width": 2 },
              "enter": { "move": "pop", "duration": "9f" }, "shadow": {},
              "rotateY": [{ "at": "0s", "value": 0, "ease": "inOutSine" }, { "at": "1s", "value": 360 }],
              "scale": [{ "at": "0s", "value": 1 }, { "at": "33f", "value": [2.5, 1.5] }] },
            { "gap": "3f" },
            { "text": "Slides\nout", "duration": "20f", "exit": { "move": "slide", "from": "right" }, "opacity": 0.7 }
            """#
        )
        let whole = try edit.frames(segments: 1)
        #expect(whole.count == 86)
        #expect(Set(whole).count > 60)
        #expect(try edit.frames(segments: count) == whole)
    }

    @Test func aFrameIsThatOfItsTimeAlone() throws {
        let edit = try TitleEdit(#"{ "text": "Type me", "duration": "20f", "enter": "type", "exit": "pop" }"#)
        let compositor = try edit.compositor()
        let forward = try (0..<20).map { try compositor.picture(at: $0).digest() }
        let backward = try (0..<20).reversed().map { try compositor.picture(at: $0).digest() }
        #expect(backward.reversed() == forward)
    }

    /// A group of shapes and text that swings, whatever piece of the timeline is rendered.
    @Test func layersRunInTheirOwnTimeInAnyPiece() throws {
        let edit = try TitleEdit(
            #"""
            { "duration": "50f", "exit": "fade", "layers": [
              { "layer": "shape", "shape": "rectangle", "size": ["60%", 60], "radius": 12, "color": "#203040" },
              { "layer": "group", "beginTime": "5f", "duration": "10f", "repeat": 2, "autoreverse": true,
                "rotate": [{ "at": "0s", "value": 0 }, { "at": "10f", "value": 40 }], "layers": [
                { "layer": "shape", "shape": "ellipse", "size": [120, 40], "color": "#c03020" },
                { "layer": "text", "text": "Swing", "font": { "size": 30 } } ] } ] }
            """#
        )
        let whole = try edit.frames(segments: 1)
        #expect(try edit.frames(segments: 3) == whole)
        // There and back: from frame 5 on a period of 20, until 45, when the fade has begun.
        #expect(whole[0] == whole[5])
        #expect((5..<15).allSatisfy { whole[$0] == whole[$0 + 20] })
        #expect((6..<15).allSatisfy { whole[$0] == whole[30 - $0] })
        #expect(Set(whole[5...15]).count == 11)
    }

    /// A news ticker of one line, wider than any source may be, crosses the frame.
    @Test func aLongCrawlIsDrawn() throws {
        let words = String(repeating: "All the news of the day. ", count: 40)
        let edit = try TitleEdit(
            """
            { "text": "\(words)", "duration": "20f", "font": { "size": 65 },
              "position": [{ "at": "0s", "value": ["100%", "50%"] }, { "at": "20f", "value": [-12000, "50%"] }] }
            """
        )
        let frames = try edit.frames(segments: 1)
        #expect(Set(frames).count == 20)
        #expect(try edit.frames(segments: 3) == frames)
    }

    @Test func aTitleStaysInItsBox() throws {
        let edit = try TitleEdit(
            ##"{ "text": "Ag", "duration": "1s", "box": { "anchor": "topLeft", "margin": 8, "background": "#c03020" } }"##
        )
        let picture = try edit.compositor().picture(at: 0)
        let luma = picture.samples(0)
        #expect((0..<8).allSatisfy { y in luma[y * 320..<(y + 1) * 320].allSatisfy { $0 == 16 } })
        #expect((0..<180).allSatisfy { y in luma[y * 320..<y * 320 + 8].allSatisfy { $0 == 16 } })
        #expect(luma[100 * 320..<180 * 320].allSatisfy { $0 == 16 })
        // The box's corner in BT.709: R 192, G 48, B 32.
        #expect(luma[9 * 320 + 9] == code(0.2126 * 192 + 0.7152 * 48 + 0.0722 * 32, 219, 16))
        #expect(luma.contains { $0 > 200 })
    }

    @Test func aFadeShowsEachFramesPart() throws {
        let edit = try TitleEdit(
            ##"{ "text": " ", "duration": "1s", "enter": { "move": "fade", "duration": "10f" }, "##
                + ##""box": { "width": "100%w", "background": "#ffffff" } }"##
        )
        let compositor = try edit.compositor()
        for frame in 0...12 {
            let middle = try compositor.picture(at: Int64(frame)).samples(0)[90 * 320 + 160]
            #expect(abs(Double(middle) - (16 + 219 * min(1, Double(frame) / 10))) <= 1)
        }
    }

    /// A text is drawn as large as its group shows it.
    @Test(arguments: [#""scale": 4"#, #""scale": [2, 4]"#]) func aTextInAGroupIsSharp(scale: String) throws {
        let font = #""text": "Sharp", "font": { "size": 20 }"#
        let own = try TitleEdit("{ \(font), \"duration\": \"1s\", \(scale) }").compositor().picture(at: 0)
        let layers = [
            "{ \"duration\": \"1s\", \(scale), \"layers\": [{ \"layer\": \"text\", \(font) }] }",
            """
            { "duration": "1s", "layers": [{ "layer": "group", \(scale), "layers": [
              { "layer": "text", \(font) } ] }] }
            """,
        ]
        for layers in layers {
            let grouped = try TitleEdit(layers).compositor().picture(at: 0)
            let worst = zip(own.samples(0), grouped.samples(0)).map { abs(Int($0) - Int($1)) }.max()
            #expect(worst ?? 255 <= 2)
        }
    }

    /// Nothing moves when another size is rendered.
    @Test func halfTheSizeIsTheSamePicture() throws {
        let title =
            #"{ "text": "Size", "duration": "1s", "position": ["30%", 100], "rotate": 20, "font": { "size": 60 } }"#
        let edit = try TitleEdit(title)
        let (x, y) = centre(try edit.compositor().picture(at: 3))
        let half = try edit.compositor(size: PictureSize(width: 160, height: 90)).picture(at: 3)
        #expect(half.size == PictureSize(width: 160, height: 90))
        #expect(abs(centre(half).x - x / 2) < 0.1)
        #expect(abs(centre(half).y - y / 2) < 0.1)
    }

    @Test func aTitleMovesByPartsOfAPixel() throws {
        let edit = try TitleEdit(
            #"{ "text": "Slow", "duration": "2s", "position": [{ "at": "0s", "value": [100, 90] }, { "at": "2s", "value": [110, 90] }] }"#
        )
        let compositor = try edit.compositor()
        let start = centre(try compositor.picture(at: 0)).x
        for frame in 1..<50 {
            let moved = centre(try compositor.picture(at: Int64(frame))).x - start
            #expect(abs(moved - 0.2 * Double(frame)) < 0.05)
        }
    }

    private func code(_ value: Double, _ range: Double, _ base: Double) -> UInt8 {
        UInt8((base + range * value / 255).rounded())
    }

    /// Centre of what is brighter than the background, in luma's samples.
    private func centre(_ picture: Picture) -> (x: Double, y: Double) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for (index, value) in picture.samples(0).enumerated() {
            let light = Double(value) - 16
            sum += light
            x += light * (Double(index % picture.width) + 0.5)
            y += light * (Double(index / picture.width) + 0.5)
        }
        return (x / sum, y / sum)
    }
}

/// An edit of titles over black, 320 × 180 at 25 frames per second, compiled with one font.
struct TitleEdit {
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    static var hasFont: Bool { FileManager.default.fileExists(atPath: font) }

    private let composition: Composition
    private let asset: CompilerAsset

    init(_ titles: String) throws {
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "tracks": [{ "kind": "title", "segments": [ \(titles) ] }], "outputs": [{ "preset": "lossless" }] }
            """
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.font))
        let facts = try #require(try FontSource.facts(of: FileByteSource(path: Self.font)))
        asset = CompilerAsset(digest: ContentDigest(of: bytes), facts: facts)
        let read = EditReader.read(text)
        let result = EditCompiler.compile(
            try #require(read.document, "\(read.findings)"),
            assets: ["font:dejavu": asset]
        )
        composition = try #require(result.composition, "\(result.findings)")
    }

    private func compositor(_ task: PictureTask) throws -> Compositor {
        let source = RenderSource(bytes: try FileByteSource(path: Self.font), facts: asset.facts, indexes: [:])
        return try Compositor(task: task, sources: task.assets.map { _ in source })
    }

    private func tasks(_ count: Int, size: PictureSize? = nil) throws -> [PictureTask] {
        var composition = composition
        if let size { composition.outputs[0].size = size }
        let plan = try Planner.plan(composition, output: 0, facts: [asset.digest: asset.facts], segmentCount: count)
        return plan.segments.map(\.task)
    }

    func compositor(size: PictureSize? = nil) throws -> Compositor { try compositor(tasks(1, size: size)[0]) }

    /// Digests of all frames, made in `segments` pieces.
    func frames(segments: Int) throws -> [ContentDigest] {
        try tasks(segments).flatMap { task in
            let compositor = try compositor(task)
            return try (0..<task.frameCount).map { try compositor.picture(at: $0).digest() }
        }
    }
}
