import CompositionModel
import Foundation
import Media
import Testing
import Timing

/// Encoders give the same bytes every time, and segments join.
struct VideoEncoderTests {
    static let h264 = VideoEncoding(
        codec: .h264,
        speed: "veryfast",
        crfThousandths: 18500,
        keyframeInterval: 50,
        postRoll: 20
    )
    static let ffv1 = VideoEncoding(codec: .ffv1, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 0)

    static func encode(
        _ encoding: VideoEncoding,
        frames: Range<Int>,
        size: PictureSize = TestPictures.size
    ) throws -> (packets: [EncodedPacket], extradata: Data) {
        let encoder = try VideoEncoder(encoding: encoding, size: size, color: .bt709, frameRate: FrameRate(30000, 1001))
        var packets: [EncodedPacket] = []
        for (index, number) in frames.enumerated() {
            let picture = try TestPictures.numbered(number, size: size)
            packets += try encoder.send(picture, frame: Int64(index), forceKey: index == 0)
        }
        return (packets + (try encoder.finish()), encoder.extradata)
    }

    static func decode(
        _ packets: [EncodedPacket],
        _ encoding: VideoEncoding,
        _ extradata: Data,
        size: PictureSize = TestPictures.size
    ) throws -> [Picture] {
        let decoder = try VideoDecoder(
            codec: encoding.codec,
            extradata: extradata,
            size: size,
            color: .bt709,
            threads: 1
        )
        return try packets.flatMap { try decoder.decode($0) } + decoder.decode(nil)
    }

    @Test(arguments: [h264, ffv1])
    func sameBytesTwice(encoding: VideoEncoding) throws {
        let first = try Self.encode(encoding, frames: 0..<40)
        let second = try Self.encode(encoding, frames: 0..<40)
        #expect(first.packets == second.packets)
        #expect(first.extradata == second.extradata)
        #expect(!first.extradata.isEmpty)
        #expect(first.packets.map(\.pts).sorted() == (0..<40).map(Int64.init))
        #expect(first.packets.allSatisfy { $0.dts <= $0.pts && $0.duration == 1 })
    }

    /// Pictures of 8K have more slices than four, and pictures of two rows or columns have one.
    @Test(arguments: [(2, 2), (64, 2), (2, 64), (4, 4), (6144, 3456), (16_384, 2)])
    func losslessTakesEverySize(width: Int, height: Int) throws {
        let size = PictureSize(width: width, height: height)
        let (packets, extradata) = try Self.encode(Self.ffv1, frames: 0..<1, size: size)
        let pictures = try Self.decode(packets, Self.ffv1, extradata, size: size)
        #expect(try pictures.map { $0.digest() } == [TestPictures.numbered(0, size: size).digest()])
    }

    @Test func losslessIsLossless() throws {
        let (packets, extradata) = try Self.encode(Self.ffv1, frames: 5..<12)
        let pictures = try Self.decode(packets, Self.ffv1, extradata)
        let sources = try (5..<12).map { try TestPictures.numbered($0).digest() }
        #expect(pictures.map { $0.digest() } == sources)
        #expect(packets.allSatisfy { $0.isKey })
    }

    /// Two segments with equal parameter sets decode joined as they do alone.
    @Test func segmentsJoin() throws {
        let first = try Self.encode(Self.h264, frames: 0..<37)
        let second = try Self.encode(Self.h264, frames: 37..<60)
        #expect(first.extradata == second.extradata)
        let alone =
            try Self.decode(first.packets, Self.h264, first.extradata)
            + Self.decode(second.packets, Self.h264, first.extradata)
        let shifted = second.packets.map { packet in
            EncodedPacket(
                pts: packet.pts + 37,
                dts: packet.dts + 37,
                duration: 1,
                isKey: packet.isKey,
                data: packet.data
            )
        }
        let joined = try Self.decode(first.packets + shifted, Self.h264, first.extradata)
        #expect(joined.map { $0.digest() } == alone.map { $0.digest() })
        #expect(joined.map(TestPictures.number) == Array(0..<60))
        #expect(joined.map(\.pts) == (0..<60).map(Int64.init))
    }

    /// Post-roll: an IDR forced at the segment's end, and the encoder dropped once the segment's packets are out.
    @Test func postRollIsClosedGroup() throws {
        let encoder = try VideoEncoder(
            encoding: Self.h264,
            size: TestPictures.size,
            color: .bt709,
            frameRate: FrameRate(25)
        )
        var packets: [EncodedPacket] = []
        for index in 0..<50 {
            let picture = try TestPictures.numbered(index)
            packets += try encoder.send(picture, frame: Int64(index), forceKey: index == 0 || index == 30)
        }
        packets += try encoder.finish()
        let own = Array(packets.prefix { $0.pts < 30 })
        #expect(own.count == 30)
        let pictures = try Self.decode(own, Self.h264, encoder.extradata)
        #expect(pictures.map(TestPictures.number) == Array(0..<30))
    }

    @Test func parameterSetHasItsOwnNumber() throws {
        // SPS: NAL type 7, profile, constraints, level, then ue(v) 31 = 00000100000.
        let (_, extradata) = try Self.encode(Self.h264, frames: 0..<1)
        let start = try #require(extradata.firstRange(of: Data([0, 0, 0, 1, 0x67])))
        let identifier = extradata[(start.upperBound + 3)..<(start.upperBound + 5)]
        #expect(identifier.first == 0b0000_0100)
        #expect(identifier.last.map { $0 >> 5 } == 0)
    }

    @Test func wrongPictureIsRefused() throws {
        let encoder = try VideoEncoder(
            encoding: Self.ffv1,
            size: PictureSize(width: 64, height: 64),
            color: .bt709,
            frameRate: FrameRate(25)
        )
        let picture = try TestPictures.numbered(0)
        #expect(throws: MediaError.self) { try encoder.send(picture, frame: 0, forceKey: true) }
    }

    @Test func versionsAreKnown() {
        let versions = LibraryVersions.all
        #expect(versions["libavcodec"]?.split(separator: ".").count == 3)
        #expect(versions["x264"]?.first?.isNumber == true)
        #expect(versions["glibc"]?.split(separator: ".").count == 2)
        #expect(["x86-64", "arm64"].contains(versions["processor"]))
    }
}
