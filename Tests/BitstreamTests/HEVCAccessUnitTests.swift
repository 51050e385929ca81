import Bitstream
import Foundation
import TestSupport
import Testing

/// Pictures, their order and their kinds, held against what ffprobe says of the same stream.
@Suite struct HEVCAccessUnitTests {
    static func accessUnits(of stream: [UInt8]) throws -> [HEVCAccessUnit] {
        var reader = HEVCAccessUnitReader()
        return try reader.accessUnits(of: AnnexB.units(of: stream[...]))
    }

    @Test(arguments: HEVCSample.all) func picturesComeInTheDecodersOrder(sample: HEVCSample) async throws {
        let stream = try await sample.stream()
        let units = try Self.accessUnits(of: stream)
        #expect(units.count == sample.pictures)
        let folder = try TemporaryFolder()
        // A picture is known by its size: that of its packet.
        let entries = ["-show_frames", "-show_entries", "frame=pkt_size", "-of", "csv=p=0"]
        let arguments = ["-v", "error", "-threads", "1"] + entries + [try await sample.file(in: folder)]
        let text = try await Shell.run("ffprobe", arguments).text
        let shown = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0.prefix { $0 != "," }) }
        let ours = try Self.outputOrder(units).map { index in AnnexBSize.size(of: units[index].units) }
        // Start codes are of three or four bytes.
        #expect(shown.count == ours.count)
        for (mine, their) in zip(ours, shown) { #expect(mine.contains(their)) }
    }

    private static func outputOrder(_ units: [HEVCAccessUnit]) throws -> [Int] {
        var order = HEVCPictureOrder()
        var sequence = -1
        var keys: [(sequence: Int, count: Int, index: Int)] = []
        for (index, unit) in units.enumerated() {
            let first = try #require(unit.slices.first)
            if first.unit.type.isIDR { sequence += 1 }
            keys.append((sequence, order.next(first, try unit.sets.active(pps: first.ppsID).sps), index))
        }
        return keys.sorted { ($0.sequence, $0.count) < ($1.sequence, $1.count) }.map(\.index)
    }

    private func facts(_ name: String) async throws -> [HEVCAccessUnit] {
        try Self.accessUnits(of: try await HEVCSample.named(name).stream())
    }

    @Test func entriesAreNamed() async throws {
        let closed = try await facts("closed GOP").map(\.entry)
        #expect(closed.indices.filter { closed[$0] == .idr } == [0, 16, 32] && !closed.contains(.cra))
        let open = try await facts("open GOP")
        #expect(open.filter { $0.entry == .cra }.count == 3 && open.contains { $0.leading == .skipped })
        #expect(open.allSatisfy { ($0.entry == .none) || $0.isIntra })
        #expect(try await facts("RADL").contains { $0.leading == .decodable })
    }

    @Test func featuresAreNamed() async throws {
        for name in ["defaults", "weights", "HRD", "10 bit", "HDR"] {
            #expect(try await facts(name).allSatisfy(\.features.isEmpty))
        }
        #expect(try await facts("fields").allSatisfy { $0.features == [.fieldPictures] })
        #expect(try await facts("temporal layers").contains { $0.features == [.temporalLayers] })
        // Dolby Vision's and other layers' units, whatever they hold.
        var reader = HEVCAccessUnitReader()
        let units = try await facts("defaults")[0].units
        let strange: [ArraySlice<UInt8>] = [[62 << 1, 1, 0x19], [63 << 1, 1, 9], [1 << 1, 1 << 3 | 1, 77]]
        let features = try reader.accessUnits(of: units + strange).map(\.features)
        #expect(features == [[.dolbyVisionMetadata, .dolbyVisionEnhancement, .layers]])
    }

    /// What x265 says of HDR, of its settings and of buffers.
    @Test func messagesAreNamed() async throws {
        let hdr = Set(try await facts("HDR").flatMap(\.messages).map(\.kind))
        #expect(hdr == [.encoderSettings, .dynamicRange(.masteringDisplay), .dynamicRange(.contentLight)])
        let hrd = Set(try await facts("HRD").flatMap(\.messages).map(\.kind))
        #expect(hrd == [.encoderSettings, .bufferingPeriod, .pictureTiming, .activeParameterSets])
        #expect(Set(try await facts("odd sizes").flatMap(\.messages).map(\.kind)).contains(.pictureHash))
    }

    @Test(arguments: ["HRD", "fields"]) func pictureTimingIsReadAndWritten(name: String) async throws {
        let folder = try TemporaryFolder()
        let sample = HEVCSample.named(name)
        let theirs = try await TraceHeaders.units(of: sample.file(in: folder)).joined()
        func values(_ name: String) -> [Int] { theirs.filter { $0.name == name }.map(\.value) }
        var timings: [HEVCPictureTiming] = []
        for unit in try Self.accessUnits(of: try await sample.stream()) {
            let sps = try #require(unit.sets.sps[0])
            for message in unit.messages where message.kind == .pictureTiming {
                let timing = try HEVCPictureTiming(message.payload, .init(sps))
                #expect(try timing.message(.init(sps)) == message)
                var bare = sps
                bare.removeHRD()
                #expect((try timing.message(.init(bare)) == nil) == (name == "HRD"))
                timings.append(timing)
            }
        }
        #expect(timings.count == sample.pictures)
        #expect(values("pic_struct") == (name == "fields" ? timings.map(\.structure) : []))
        let delays = values("au_cpb_removal_delay_minus1")
        #expect(delays == (name == "HRD" ? timings.map { $0.removalDelay - 1 } : []))
        #expect(values("pic_dpb_output_delay") == (name == "HRD" ? timings.map(\.outputDelay) : []))
    }
}

/// How many bytes NAL units take with their start codes.
enum AnnexBSize {
    /// With start codes of three bytes up to four each.
    static func size(of units: [ArraySlice<UInt8>]) -> ClosedRange<Int> {
        let bytes = units.reduce(0) { $0 + $1.count }
        return (bytes + 3 * units.count)...(bytes + 4 * units.count)
    }
}
