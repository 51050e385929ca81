import CompositionModel
import Foundation
import Media
import Planning
import Testing
import Timing

@testable import Rendering

/// What `{ "generate": … }` draws.
@Suite struct GeneratedPictureTests {
    private let rate: FrameRate

    init() throws { rate = try FrameRate(25) }

    private func picture(
        _ kind: GeneratedPicture.Kind,
        _ width: Int = 320,
        _ height: Int = 180,
        colors: [String] = [],
        direction: GeneratedPicture.Direction? = nil,
        frame: Int64 = 0
    ) throws -> Picture {
        let generated = GeneratedPicture(
            kind: kind,
            size: PictureSize(width: width, height: height),
            colors: colors,
            direction: direction,
            frameRate: rate,
            frameCount: kind == .pattern ? 1 << 22 : 1
        )
        return try PictureGenerator(generated).picture(at: rate.time(ofFrame: frame), direction: .forwards)
    }

    @Test func solidIsOneColor() throws {
        // BT.709 limited: pure red is 63, 102, 240.
        let red = try picture(.solid, colors: ["#ff0000"])
        #expect(Set(red.samples(0)) == [63] && Set(red.samples(1)) == [102] && Set(red.samples(2)) == [240])
    }

    @Test func barsAreOfSeventyFivePercent() throws {
        let bars = try picture(.bars)
        let middles = (0..<8).map { bar in (0..<3).map { bars.samples($0)[bar * ($0 == 0 ? 40 : 20) + 10] } }
        // ITU-R BT.709 at 75 %: SMPTE RP 219's values, within a rounding.
        let expected: [[Int]] = [
            [180, 128, 128], [168, 44, 136], [145, 147, 44], [134, 63, 52], [63, 193, 204], [51, 109, 212],
            [28, 212, 120], [16, 128, 128],
        ]
        for (found, wanted) in zip(middles, expected) {
            #expect(zip(found, wanted).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(found) \(wanted)")
        }
    }

    @Test(arguments: GeneratedPicture.Direction.allCases)
    func aGradientGoesItsWay(direction: GeneratedPicture.Direction) throws {
        let picture = try picture(.gradient, 64, 36, colors: ["#000000", "#ffffff"], direction: direction)
        let luma = picture.samples(0)
        let line =
            direction == .right || direction == .left
            ? Array(luma[0..<64]) : (0..<36).map { luma[$0 * 64] }
        let way = direction == .left || direction == .up ? line.reversed() : line
        #expect(zip(way, way.dropFirst()).allSatisfy { $0 < $1 })
        #expect(way[0] < 20 && way[way.count - 1] > 231)
    }

    @Test(arguments: [(320, 180), (64, 36), (1920, 1080), (2, 2), (126, 94), (50, 600)])
    func aPatternTellsItsFrame(width: Int, height: Int) throws {
        var seen: Set<ContentDigest> = []
        for frame: Int64 in [0, 1, 2, 99, 123_456, 4_194_303] {
            let picture = try picture(.pattern, width, height, frame: frame)
            #expect(picture.size == PictureSize(width: width, height: height))
            seen.insert(picture.digest())
            guard width >= 64 else { continue }
            let luma = picture.samples(0)
            let read = (0..<PictureGenerator.squares).reduce(Int64(0)) { number, bit in
                let area = DrawingArea(x: 0, y: 0, endX: width, endY: height).column(bit, of: PictureGenerator.squares)
                return luma[area.x] > 125 ? number | 1 << bit : number
            }
            #expect(read == frame)
        }
        #expect(seen.count == 6 || width < 64)
    }

    @Test func outsideIsAnError() throws {
        #expect(throws: MediaError.self) { try picture(.solid, colors: ["#000000"], frame: 1) }
        #expect(throws: MediaError.self) { try picture(.pattern, frame: -1) }
    }

    /// Its file is probed as any other, and damage to it is said.
    @Test func itsFileIsAnAsset() throws {
        let size = PictureSize(width: 64, height: 36)
        let generated = GeneratedPicture(kind: .pattern, size: size, frameRate: rate, frameCount: 100)
        let (facts, indexes) = try AssetProbe.probe(BytesSource(generated.bytes))
        #expect(facts == generated.facts && indexes.isEmpty)
        #expect(facts.video[0].duration == RationalTime(whole: 4) && !facts.video[0].isStill)
        var damaged = generated.bytes
        damaged.replaceSubrange(damaged.count - 20..<damaged.count - 19, with: Data("?".utf8))
        #expect(throws: MediaError.self) { try AssetProbe.probe(BytesSource(damaged)) }
        var large = generated
        large.size = PictureSize(width: 99_998, height: 36)
        #expect(throws: MediaError.self) { try AssetProbe.probe(BytesSource(large.bytes)) }
    }

    /// A still that is faded into a moving pattern, in any number of parts.
    @Test func partsAgree() throws {
        let size = PictureSize(width: 64, height: 36)
        let all = [
            GeneratedPicture(kind: .bars, size: size, frameRate: rate),
            GeneratedPicture(kind: .pattern, size: size, frameRate: rate, frameCount: 100),
        ]
        let still = SliceSource(asset: 0, stream: 0, start: .zero, fit: .contain, speed: .zero)
        let moving = SliceSource(asset: 1, stream: 0, start: RationalTime(whole: 1), fit: .contain)
        let ramp = TransitionRamp(firstStep: 0, steps: 10)
        let edit = TestTimeline(
            movies: [],
            size: size,
            rate: rate,
            frameCount: 40,
            instructions: [
                SliceInstruction(0..<20, SliceLayer(from: still)),
                SliceInstruction(20..<30, SliceLayer(from: still, to: moving, transition: ramp)),
            ]
        )
        func digests(_ range: Range<Int64>) throws -> [ContentDigest] {
            let sources = all.map { RenderSource(bytes: BytesSource($0.bytes), facts: $0.facts, indexes: [:]) }
            let compositor = try Compositor(task: edit.task(range), sources: sources)
            return try range.map { try compositor.picture(at: $0 - range.lowerBound).digest() }
        }
        let whole = try digests(0..<30)
        #expect(try [0..<7, 7..<23, 23..<30].flatMap(digests) == whole)
        #expect(Set(whole[..<20]).count == 1 && Set(whole).count == 10)
    }
}

/// A file in memory.
final class BytesSource: ByteSource {
    private let data: [UInt8]

    init(_ data: Data) { self.data = Array(data) }

    var byteCount: Int64 { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let count = max(0, min(buffer.count, data.count - Int(offset)))
        if count > 0 { buffer.copyBytes(from: data[Int(offset)..<Int(offset) + count]) }
        return count
    }
}
