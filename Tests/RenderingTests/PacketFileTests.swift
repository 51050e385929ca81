import CompositionModel
import Foundation
import Rendering
import TestSupport
import Testing
import Timing

@Suite struct PacketFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("part")
    }

    private static func video() throws -> PacketFileHeader {
        PacketFileHeader(
            content: .video(
                .init(
                    codec: .h264,
                    size: PictureSize(width: 64, height: 36),
                    frameRate: try FrameRate(30000, 1001),
                    color: .bt709
                )
            ),
            extradata: Data([1, 2, 3])
        )
    }

    /// Display order of a small B pyramid: I0 P4 B2 b1 b3, twice.
    private static let packets: [CodedPacket] = [0, 4, 2, 1, 3, 5, 9, 7, 6, 8].enumerated().map { place, display in
        CodedPacket(
            decodeIndex: Int64(place),
            displayIndex: display,
            duration: 1,
            isKey: place % 5 == 0,
            data: Data((0..<(place * 40_000 + 3)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ place) })
        )
    }

    private static let digests = [0, 9].map {
        PacketFileSummary.FrameDigest(displayIndex: $0, digest: ContentDigest(of: Data([UInt8($0)])))
    }

    private func write(digests: [PacketFileSummary.FrameDigest] = PacketFileTests.digests) throws {
        let writer = try PacketFileWriter(path: path, header: PacketFileTests.video())
        for packet in PacketFileTests.packets { try writer.write(packet) }
        try writer.finish(digests: digests)
    }

    private func readAll() throws -> [CodedPacket] {
        let reader = try PacketFileReader(path: path)
        var packets: [CodedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return packets
    }

    /// What reading all of the file at `path` ends with.
    private func failure() -> String {
        do {
            _ = try readAll()
            return "none"
        } catch { return (error as? RenderError)?.failure.code ?? "\(error)" }
    }

    @Test func whatWasWrittenIsRead() throws {
        try write()
        let reader = try PacketFileReader(path: path)
        #expect(try reader.header == PacketFileTests.video())
        #expect(reader.summary.packetCount == 10)
        #expect(reader.summary.unitCount == 10)
        #expect(reader.summary.reorderDelay == 2)
        #expect(reader.summary.lastKeyIndex == 5)
        #expect(reader.summary.byteCount == PacketFileTests.packets.reduce(0) { $0 + Int64($1.data.count) })
        #expect(reader.summary.digests == PacketFileTests.digests)
        #expect(try readAll() == PacketFileTests.packets)
    }

    @Test func soundKeepsItsPrimingAndNegativeIndexes() throws {
        let header = PacketFileHeader(
            content: .audio(.init(codec: .aac, sampleRate: 48000, channels: 2, priming: 1024, frameSize: 1024)),
            extradata: Data([0x11, 0x90])
        )
        let packet = CodedPacket(decodeIndex: 0, displayIndex: -1024, duration: 1024, isKey: true, data: Data([7]))
        let writer = try PacketFileWriter(path: path, header: header)
        try writer.write(packet)
        try writer.finish()
        #expect(try PacketFileReader(path: path).header == header)
        #expect(try readAll() == [packet])
    }

    @Test func theSamePacketsGiveTheSameBytes() throws {
        try write()
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        try write()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
    }

    @Test func aCutOffFileIsRefusedWhenItIsOpened() throws {
        try write()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in [0, 10, 200, whole.count / 2, whole.count - 49, whole.count - 1] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect { try PacketFileReader(path: path) } throws: {
                ($0 as? RenderError)?.failure.code == "packet_file_truncated"
            }
        }
    }

    @Test func anUnfinishedFileIsRefused() throws {
        let writer = try PacketFileWriter(path: path, header: PacketFileTests.video())
        for packet in PacketFileTests.packets { try writer.write(packet) }
        #expect(failure() == "packet_file_truncated")
        try writer.finish()
        #expect(failure() == "none")
    }

    @Test func anyChangedByteIsRecognised() throws {
        try write()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let places =
            Array(0..<40) + Array(stride(from: 40, to: 400, by: 7))
            + Array(stride(from: 400, to: whole.count, by: 90_001))
        for place in places + Array(stride(from: whole.count - 190, to: whole.count, by: 5)) {
            var damaged = whole
            damaged[place] ^= 0x40
            try damaged.write(to: URL(fileURLWithPath: path))
            #expect(failure().hasPrefix("packet_file_"), "byte \(place)")
        }
    }

    @Test func packetsOutOfOrderAreRefused() throws {
        let writer = try PacketFileWriter(path: path, header: PacketFileTests.video())
        #expect(throws: RenderError.self) { try writer.write(PacketFileTests.packets[1]) }
    }

    @Test func aFullDiskSaysSo() throws {
        let writer = try PacketFileWriter(path: "/dev/full", header: PacketFileTests.video())
        #expect { try writer.finish() } throws: { ($0 as? RenderError)?.failure.code == "no_space" }
    }
}
