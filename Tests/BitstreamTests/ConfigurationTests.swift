import Bitstream
import Foundation
import TestSupport
import Testing

/// avcC and hvcC, as libavformat writes them, and the framing of NAL units.
@Suite struct ConfigurationTests {
    /// The content of a box of a movie that ffmpeg makes.
    static func record(of codec: String, _ box: String, _ more: [String] = []) async throws -> [UInt8] {
        let movie = try await movie(of: codec, more)
        let name = Array(box.utf8)
        let place = try #require(movie.indices.first { movie[$0...].starts(with: name) })
        let size = movie[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
        return Array(movie[(place + 4)..<(place - 4 + size)])
    }

    private static let movies = MadeOnce<[UInt8]>()

    private static func movie(of codec: String, _ more: [String]) async throws -> [UInt8] {
        try await movies.value("\(codec) \(more)") {
            let folder = try TemporaryFolder()
            let parameters = codec == "libx265" ? ["-x265-params", "log-level=none:pools=1"] : ["-threads", "1"]
            try await Shell.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=320x192:r=25", "-frames:v", "12", "-c:v", codec] + parameters + more
                    + [folder.path("a.mp4")]
            )
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.mp4"))))
        }
    }

    @Test(arguments: ["yuv420p", "yuv422p", "yuv420p10le", "gray"]) func avcC(format: String) async throws {
        let record = try await Self.record(of: "libx264", "avcC", ["-pix_fmt", format])
        let read = try AVCConfiguration(record[...])
        #expect(try read.record() == record)
        let sps = try #require(try H264ParameterSets(read).sps[0])
        #expect(read.profile == sps.profile && read.constraints == sps.constraints && read.level == sps.level)
        let expected = AVCConfiguration.Format(
            chromaFormat: sps.chromaFormat,
            lumaBits: sps.lumaBits,
            chromaBits: sps.chromaBits
        )
        #expect(read.format == expected && read.lengthPrefix == .four)
        let made = try AVCConfiguration(H264ParameterSets(read))
        #expect(made == read)
    }

    @Test func avcCWithoutFormat() async throws {
        let record = try await Self.record(of: "libx264", "avcC", ["-pix_fmt", "yuv420p", "-profile:v", "main"])
        #expect(try AVCConfiguration(record[...]).format == nil)
        #expect(try AVCConfiguration(record[...]).record() == record)
        #expect(try AVCConfiguration((record + [0, 0, 0, 0, 0])[...]).record() == record)
        #expect(throws: BitstreamError.self) { try AVCConfiguration(record.dropLast()) }
        // A length of three bytes.
        var wrong = record
        wrong[4] = 0xFE
        #expect(throws: BitstreamError(.outOfRange(2), element: "lengthSizeMinusOne", bit: 38)) {
            try AVCConfiguration(wrong[...])
        }
    }

    /// Main beside High: the record names the higher one, and only what both keep.
    @Test func oneRecordForSeveralSequences() throws {
        var (main, high) = (H264SPS(), H264SPS())
        (main.profile, main.level, main.constraints, main.id) = (77, 42, 0b0101_0000, 0)
        (high.profile, high.level, high.constraints, high.id) = (100, 31, 0b0001_0000, 3)
        var pps = H264PPS()
        (pps.id, pps.spsID) = (9, 3)
        var sets = H264ParameterSets()
        sets.add(high)
        sets.add(main)
        sets.add(pps)
        let record = try AVCConfiguration(sets)
        #expect(record.profile == 100 && record.level == 42 && record.constraints == 0b0001_0000)
        #expect(record.format == .init(chromaFormat: 1, lumaBits: 8, chromaBits: 8))
        #expect(try H264ParameterSets(record) == sets && record.sps[0] == main.nal())
        high.lumaBits = 10
        sets.add(high)
        #expect(throws: BitstreamError.self) { try AVCConfiguration(sets) }
        #expect(throws: BitstreamError.self) { try AVCConfiguration(H264ParameterSets()) }
    }

    @Test func manyParameterSets() async throws {
        var read = try AVCConfiguration(try await Self.record(of: "libx264", "avcC")[...])
        read.sps = [[UInt8]](repeating: read.sps[0], count: AVCConfiguration.maximumSPS)
        read.pps = [[UInt8]](repeating: read.pps[0], count: AVCConfiguration.maximumPPS)
        #expect(try AVCConfiguration(read.record()[...]) == read)
        read.pps.append(read.pps[0])
        #expect(throws: BitstreamError.self) { try read.record() }
        read.pps = [[UInt8](repeating: 1, count: 65_536)]
        #expect(throws: BitstreamError.self) { try read.record() }
    }

    @Test(arguments: ["yuv420p", "yuv422p10le"]) func hvcC(format: String) async throws {
        let record = try await Self.record(of: "libx265", "hvcC", ["-pix_fmt", format, "-tag:v", "hvc1"])
        let read = try HEVCConfiguration(record[...])
        #expect(try read.record() == record)
        let sps = try #require(try HEVCParameterSets(read).sps[0])
        #expect(read.level == sps.profileTierLevel.level && read.chromaFormat == sps.chromaFormat)
        #expect(read.lumaBits == sps.lumaBits && read.chromaBits == sps.chromaBits)
        let profile = sps.profileTierLevel.profile
        #expect(read.profile == profile.idc && read.compatibility == profile.compatibility)
        #expect(read.constraints == profile.constraintIndicators)
        var made = try HEVCConfiguration(HEVCParameterSets(read))
        // x265 adds its settings; libavformat reads more of the VUI and looks at all pictures.
        made.arrays += read.arrays.filter { $0.type == .prefixSEI }
        (made.minimumSpatialSegmentation, made.parallelism) = (read.minimumSpatialSegmentation, read.parallelism)
        made.averageFrameRate = read.averageFrameRate
        #expect(made == read)
        #expect(read.units(.vps).count == 1 && read.units(.pps).count == 1 && read.arrays[0].isComplete)
        #expect(throws: BitstreamError.self) { try HEVCConfiguration(record.dropLast()) }
    }

    /// Lengths of 1, 2 and 4 bytes, and from one to another.
    @Test func lengthsOfEachSize() throws {
        let units: [ArraySlice<UInt8>] = [[1, 2, 3], [9], ArraySlice(repeating: 7, count: 255)]
        for size in [1, 2, 4] {
            let prefix = try LengthPrefix(size: size)
            let sample = try prefix.sample(of: units)
            #expect(sample.count == 259 + 3 * size)
            #expect(try prefix.units(of: sample[...]) == units)
            let four = try LengthPrefix.four.sample(of: prefix.units(of: sample[...]))
            #expect(try LengthPrefix.four.units(of: four[...]) == units)
            #expect(throws: BitstreamError.self) { try prefix.units(of: sample.dropLast()) }
        }
        let one = try LengthPrefix(size: 1)
        #expect(throws: BitstreamError.self) { try one.sample(of: [ArraySlice(repeating: 7, count: 256)]) }
        #expect(throws: BitstreamError.self) { try LengthPrefix(size: 3) }
    }

    @Test func startCodesOfEachLength() {
        let stream: [UInt8] = [5, 0, 0, 0, 1, 9, 16, 0, 0, 1, 7, 0, 0, 3, 1, 0, 0, 0, 0, 1, 8, 0, 0, 0]
        #expect(AnnexB.units(of: stream[...]) == [[9, 16], [7, 0, 0, 3, 1], [8]])
        #expect(AnnexB.units(of: []) == [] && AnnexB.units(of: [0, 0]) == [] && AnnexB.units(of: [0, 0, 1]) == [])
        #expect(AnnexB.units(of: [0, 0, 1, 0, 0, 1, 6]) == [[6]])
    }

    @Test(
        arguments: [
            ([1, 2, 3], [1, 2, 3]), ([0, 0, 1], [0, 0, 3, 1]), ([0, 0, 4], [0, 0, 4]),
            ([0, 0, 0, 0, 0, 1], [0, 0, 3, 0, 0, 3, 0, 1]),
            ([9, 0, 0], [9, 0, 0, 3]), ([0, 0, 3, 0, 0, 3], [0, 0, 3, 3, 0, 0, 3, 3]), ([], []),
        ] as [([UInt8], [UInt8])]
    ) func emulationPrevention(rbsp: [UInt8], nal: [UInt8]) {
        #expect(EmulationPrevention.added(to: rbsp) == nal)
        #expect(EmulationPrevention.removed(from: nal[...]) == rbsp)
    }

    /// Against a look at every byte.
    @Test func startCodesInRandomBytes() {
        for seed in 0..<500 {
            var random = SplitMix(state: UInt64(seed))
            let stream = (0..<random.below(40)).map { _ in [0, 0, 0, 1, 1, 2, 9, 255][random.below(8)] as UInt8 }
            let codes = stream.indices.dropLast(2).filter { Array(stream[$0..<($0 + 3)]) == [0, 0, 1] }
            var units: [ArraySlice<UInt8>] = []
            for (code, next) in zip(codes, codes.dropFirst() + [stream.count]) {
                var unit = stream[(code + 3)..<next]
                while unit.last == 0 { unit.removeLast() }
                if !unit.isEmpty { units.append(unit) }
            }
            #expect(AnnexB.units(of: stream[...]) == units)
        }
    }

    /// The fast paths, which look at eight bytes at once, against bytes one by one.
    @Test func emulationPreventionOfLongData() {
        for seed in 0..<300 {
            var random = SplitMix(state: UInt64(seed))
            // All but those of cabac_zero_words end with a bit that is 1.
            let rbsp =
                (0..<random.below(200)).map { _ in
                    random.below(3) == 0 ? UInt8(random.below(4)) : UInt8(random.below(256))
                } + [0x80]
            var nal: [UInt8] = []
            var zeros = 0
            for byte in rbsp {
                if zeros >= 2, byte <= 3 {
                    nal.append(3)
                    zeros = 0
                }
                nal.append(byte)
                zeros = byte == 0 ? zeros + 1 : 0
            }
            #expect(EmulationPrevention.added(to: rbsp) == nal)
            #expect(EmulationPrevention.removed(from: nal[...]) == rbsp)
        }
    }
}
