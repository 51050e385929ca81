import Bitstream
import Foundation
import TestSupport
import Testing

/// Pictures, their order and their kinds, held against what ffprobe says of the same stream.
@Suite struct H264AccessUnitTests {
    static func accessUnits(of stream: [UInt8]) throws -> [H264AccessUnit] {
        var reader = H264AccessUnitReader()
        return try reader.accessUnits(of: AnnexB.units(of: stream[...]))
    }

    /// ffprobe's packets are access units, and its frames say in which order pictures come out.
    @Test(arguments: H264Sample.all) func picturesComeInTheDecodersOrder(sample: H264Sample) async throws {
        let units = try Self.accessUnits(of: try await sample.stream())
        let folder = try TemporaryFolder()
        let (packets, coded) = try await Self.probe(sample.file(in: folder))
        #expect(packets == units.count && units.count == sample.pictures)
        #expect(try Self.outputOrder(units) == coded)
        #expect(units.allSatisfy { $0.units == $0.units && !$0.slices.isEmpty })
    }

    /// Decoding indices in output order: sequences one behind the other, each by its counts.
    private static func outputOrder(_ units: [H264AccessUnit]) throws -> [Int] {
        var order = H264PictureOrder()
        var sequence = -1
        var keys: [(sequence: Int, count: Int, index: Int)] = []
        for (index, unit) in units.enumerated() {
            let first = try #require(unit.slices.first)
            if first.isIDR { sequence += 1 }
            keys.append((sequence, order.next(first, try unit.sets.active(pps: first.ppsID).sps).value, index))
        }
        return keys.sorted { ($0.sequence, $0.count) < ($1.sequence, $1.count) }.map(\.index)
    }

    /// The number of packets, and for each frame in output order its place in decoding order.
    private static func probe(_ path: String) async throws -> (packets: Int, coded: [Int]) {
        let entries = "packet=size:frame=coded_picture_number"
        let sections = ["-show_packets", "-show_frames", "-show_entries", entries, "-of", "csv"]
        let arguments = ["-v", "error", "-threads", "1"] + sections + [path]
        let lines = try await Shell.run("ffprobe", arguments).text.split(separator: "\n").map {
            $0.split(separator: ",")
        }
        let frames = lines.filter { $0[0] == "frame" }
        return (lines.count { $0[0] == "packet" }, frames.compactMap { Int($0[1]) })
    }

    private func facts(_ name: String) async throws -> (entries: [H264AccessUnit.Entry], features: Set<H264Feature>) {
        let units = try Self.accessUnits(of: try await H264Sample.named(name).stream())
        return (units.map(\.entry), units.reduce(into: []) { $0.formUnion($1.features) })
    }

    @Test func entriesAreNamed() async throws {
        let closed = try await facts("defaults").entries
        #expect(closed.indices.filter { closed[$0] == .idr } == [0, 24])
        let open = try await facts("open GOP").entries
        let points = open.filter { if case .recoveryPoint = $0 { true } else { false } }
        #expect(open.filter { $0 == .idr }.count == 1 && points.count == 3)
        let refreshed = try await facts("intra refresh").entries
        let gradual = refreshed.filter { if case .gradualRecovery = $0 { true } else { false } }
        #expect(refreshed.filter { $0 == .idr }.count == 1 && gradual.count >= 2)
    }

    @Test func featuresAreNamed() async throws {
        for name in ["defaults", "pyramid", "8 slices", "CAVLC", "Baseline", "HRD", "4:4:4"] {
            #expect(try await facts(name).features.isEmpty)
        }
        #expect(try await facts("interlaced").features == [.adaptiveFrameField])
        #expect(try await facts("fake interlaced").features.isEmpty)
        let structures = Set(
            try Self.accessUnits(of: try await H264Sample.named("interlaced").stream()).map(\.structure)
        )
        #expect(structures == [.adaptiveFrame])
    }

    /// Every second reference frame of a stream without B-frames is taken out: its number is missing.
    @Test func aMissingFrameIsAGap() async throws {
        let units = try Self.accessUnits(of: try await H264Sample.named("Baseline").stream())
        let kept = units.enumerated().filter { $0.offset % 20 != 7 }.flatMap(\.element.units)
        var reader = H264AccessUnitReader()
        let rest = try reader.accessUnits(of: kept)
        #expect(rest.indices.filter { rest[$0].features.contains(.frameNumGap) } == [7, 26])
    }
}
