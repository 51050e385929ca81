import Bitstream
import CompositionModel
import Foundation
import Media
import Rendering
import TestSupport
import Testing
import Timing

@Suite struct StitcherTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stitch(
        _ edit: TestTimeline,
        _ ranges: [Range<Int64>],
        parts: [String],
        container: Container,
        sound: String? = nil
    ) throws -> StitchedMovie {
        let path = folder.path("\(UUID().uuidString).\(container.fileExtension)")
        let task = try edit.stitchTask(ranges, container: container, sound: sound != nil)
        let count = try Stitcher.stitch(task, parts: parts, sounds: sound.map { [$0] } ?? [], to: path) { _ in }
        guard count == edit.frameCount else { throw WrongCount(count: count) }
        return StitchedMovie(path: path)
    }

    /// What stitching `parts` fails with.
    private func failure(_ edit: TestTimeline, _ ranges: [Range<Int64>], parts: [String]) -> String {
        do {
            _ = try stitch(edit, ranges, parts: parts, container: .matroska)
            return "none"
        } catch { return (error as? RenderError)?.failure.code ?? "\(error)" }
    }

    @Test func anyNumberOfSegmentsGivesTheSameFrames() async throws {
        let edit = try await TestTimeline.example()
        var expected: [String] = []
        for frame in 0..<edit.frameCount {
            expected.append(try edit.compositor().picture(at: frame).digest().hex)
        }
        for count: Int64 in [1, 2, 7, 31] {
            let ranges = edit.ranges(count)
            let parts = try edit.render(ranges, in: folder)
            let movie = try stitch(edit, ranges, parts: parts, container: .matroska)
            #expect(try await movie.frameHashes() == expected, "\(count) segments")
        }
    }

    @Test(arguments: [(25, 1), (30000, 1001), (24, 1), (60, 1)] as [(Int64, Int64)])
    func aStitchedMovieIsExactInEveryTable(numerator: Int64, denominator: Int64) async throws {
        let edit = try await TestTimeline.example(rate: (numerator, denominator), encoding: .testH264)
        let ranges: [Range<Int64>] = [0..<15, 15..<16, 16..<40, 40..<62]
        let movie = try stitch(edit, ranges, parts: edit.render(ranges, in: folder), container: .mp4)
        let facts = try await movie.stream(
            "v",
            ["nb_read_packets", "start_time", "duration_ts", "time_base", "r_frame_rate"]
        )
        #expect(facts["nb_read_packets"] == "62")
        #expect(facts["start_time"].flatMap(Double.init) == 0)
        #expect(facts["r_frame_rate"] == "\(numerator)/\(denominator)")
        let ticks = Int64(try #require(facts["time_base"]).dropFirst(2))!
        #expect(facts["duration_ts"] == "\(62 * denominator * ticks / numerator)")
        #expect(try await movie.decoderMessages() == "")
        #expect(try await movie.frameHashes().count == 62)
    }

    /// A stitcher that was killed leaves half a file; the next one does not care.
    @Test func whatLiesAtTheOutputsPathIsReplaced() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let ranges = edit.ranges(2)
        let parts = try edit.render(ranges, in: folder)
        let fresh = try stitch(edit, ranges, parts: parts, container: .mp4).path
        let taken = folder.path("taken.mp4")
        try Data(repeating: 0x55, count: 3_000_000).write(to: URL(fileURLWithPath: taken))
        _ = try Stitcher.stitch(edit.stitchTask(ranges, container: .mp4), parts: parts, sounds: [], to: taken) { _ in }
        let bytes = try [fresh, taken].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let areEqual = bytes[0] == bytes[1]
        #expect(areEqual)
    }

    /// Each part on its own decodes to the frames that it decodes to within the movie.
    @Test func joiningChangesNoFrame() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let ranges: [Range<Int64>] = [0..<23, 23..<62]
        let parts = try edit.render(ranges, in: folder)
        let whole = try await stitch(edit, ranges, parts: parts, container: .mp4).frameHashes()
        var alone: [String] = []
        for (range, part) in zip(ranges, parts) {
            var piece = edit
            piece.frameCount = Int64(range.count)
            let movie = try stitch(piece, [0..<piece.frameCount], parts: [part], container: .mp4)
            alone += try await movie.frameHashes()
        }
        #expect(whole == alone)
    }

    @Test func theSamePartsGiveTheSameMovie() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let ranges = edit.ranges(3)
        let parts = try edit.render(ranges, in: folder)
        let movies = try (0..<2).map { _ in try stitch(edit, ranges, parts: parts, container: .mp4).path }
        let bytes = try movies.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let areEqual = bytes[0] == bytes[1]
        #expect(areEqual)
    }

    @Test func anEditOfOneFrameIsAMovie() async throws {
        var edit = try await TestTimeline.example(encoding: .testH264)
        edit.frameCount = 1
        for container in [Container.mp4, .matroska] {
            let movie = try stitch(edit, [0..<1], parts: edit.render([0..<1], in: folder), container: container)
            #expect(try await movie.frameHashes().count == 1)
            #expect(try await movie.decoderMessages() == "")
        }
    }

    @Test func soundKeepsItsExactLengthAndPlace() async throws {
        let edit = try await TestTimeline.example(rate: (30000, 1001), encoding: .testH264)
        let ranges = edit.ranges(2)
        let sampleCount = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(.aac, samples: sampleCount, to: folder.path("sound"))
        let movie = try stitch(edit, ranges, parts: edit.render(ranges, in: folder), container: .mp4, sound: sound)
        let facts = try await movie.stream("a", ["duration_ts", "start_time", "time_base"])
        #expect(facts["duration_ts"] == "\(sampleCount)")
        #expect(facts["start_time"].flatMap(Double.init) == 0)
        #expect(facts["time_base"] == "1/48000")
        #expect(try await movie.decoderMessages() == "")
    }

    @Test func losslessSoundIsKeptToTheSample() async throws {
        let edit = try await TestTimeline.example()
        let ranges = edit.ranges(3)
        let sampleCount = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(.pcm24, samples: sampleCount, to: folder.path("sound"))
        let movie = try stitch(edit, ranges, parts: edit.render(ranges, in: folder), container: .matroska, sound: sound)
        let pcm = try await Shell.ffmpeg(["-i", movie.path, "-map", "0:a", "-f", "s24le", "-c:a", "pcm_s24le", "-"])
        let isEqual = pcm == TestSound.pcm(samples: sampleCount)
        #expect(isEqual)
    }

    /// An edit without a picture track.
    @Test(arguments: [AudioEncoding.Codec.aac, .pcm24])
    func soundAloneIsAMovieToo(codec: AudioEncoding.Codec) async throws {
        let edit = try await TestTimeline.example(rate: (30000, 1001))
        let sampleCount = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(codec, samples: sampleCount, to: folder.path("sound"))
        let container: Container = codec == .aac ? .mp4 : .matroska
        let movie = try stitch(edit, [], parts: [], container: container, sound: sound)
        #expect(try await movie.stream("v", ["codec_name"]).isEmpty)
        let facts = try await movie.stream("a", ["start_time", "duration_ts"])
        #expect(facts["start_time"].flatMap(Double.init) == 0)
        if codec == .aac {
            #expect(facts["duration_ts"] == "\(sampleCount)")
            #expect(try await movie.decoderMessages() == "")
        } else {
            let arguments = ["-i", movie.path, "-map", "0:a", "-f", "s24le", "-c:a", "pcm_s24le", "-"]
            let pcm = try await Shell.ffmpeg(arguments)
            let isEqual = pcm == TestSound.pcm(samples: sampleCount)
            #expect(isEqual)
        }
        let again = try stitch(edit, [], parts: [], container: container, sound: sound)
        let areEqual =
            try Data(contentsOf: URL(fileURLWithPath: again.path))
            == Data(contentsOf: URL(fileURLWithPath: movie.path))
        #expect(areEqual)
        let picture = try edit.render([0..<edit.frameCount], in: folder)
        #expect(failure(edit, [], parts: picture) == "parts_missing")
        #expect(failure(edit, [], parts: []) == "parts_missing")
    }

    @Test func aDamagedOrCutOffPartIsRecognised() async throws {
        let edit = try await TestTimeline.example()
        let ranges = edit.ranges(3)
        let parts = try edit.render(ranges, in: folder)
        let whole = try Data(contentsOf: URL(fileURLWithPath: parts[1]))
        try whole.prefix(whole.count - 9000).write(to: URL(fileURLWithPath: parts[1]))
        #expect(failure(edit, ranges, parts: parts) == "packet_file_truncated")
        var damaged = whole
        damaged[whole.count / 2] ^= 1
        try damaged.write(to: URL(fileURLWithPath: parts[1]))
        // The join is decoded before the checksum can be known.
        #expect(["packet_file_damaged", "join_damaged"].contains(failure(edit, ranges, parts: parts)))
        try whole.write(to: URL(fileURLWithPath: parts[1]))
        #expect(failure(edit, ranges, parts: parts) == "none")
        try FileManager.default.removeItem(atPath: parts[1])
        #expect(failure(edit, ranges, parts: parts) == "file_failed")
    }

    /// A part whose bytes were changed before its checksum was taken: only decoding the join shows it.
    @Test(arguments: [0, 1]) func aJoinThatDecodesOtherwiseIsRefused(part: Int) async throws {
        let edit = try await TestTimeline.example(encoding: .testLossless)
        let ranges = edit.ranges(2)
        var parts = try edit.render(ranges, in: folder)
        let reader = try PacketFileReader(path: parts[part])
        let damaged = folder.path("damaged")
        let writer = try PacketFileWriter(path: damaged, header: reader.header)
        let place = part == 0 ? reader.summary.packetCount - 1 : 3
        while var packet = try reader.next() {
            if packet.decodeIndex == place { packet.data[packet.data.count * 2 / 3] ^= 0x10 }
            try writer.write(packet)
        }
        try writer.finish(digests: reader.summary.digests)
        parts[part] = damaged
        #expect(failure(edit, ranges, parts: parts) == "join_damaged")
    }

    /// The second part goes on with the first one's group of pictures, and says that it begins with a key picture.
    @Test func aPartThatRefersToTheOneBeforeIsRefused() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let reader = try PacketFileReader(path: try edit.render([0..<62], in: folder)[0])
        var packets: [CodedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        let border = try #require(
            packets.indices.first { place in
                place > 20 && !packets[place].isKey && packets[..<place].allSatisfy { $0.displayIndex < place }
            }
        )
        let parts = try [packets[..<border], packets[border...]].enumerated().map { number, half in
            let path = folder.path("half\(number)")
            let writer = try PacketFileWriter(path: path, header: reader.header)
            for var packet in half {
                packet.decodeIndex -= Int64(half.startIndex)
                packet.displayIndex -= Int64(half.startIndex)
                packet.isKey = packet.isKey || packet.decodeIndex == 0
                try writer.write(packet)
            }
            try writer.finish()
            return path
        }
        #expect(failure(edit, [0..<Int64(border), Int64(border)..<62], parts: parts) == "join_damaged")
    }

    /// Of two IDR pictures that follow each other each has an idr_pic_id of its own (ITU-T H.264, 7.4.3): without, a
    /// decoder may take both for one picture.
    @Test func partsOfOneFrameHaveOtherNumbersThanTheirNeighbours() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let ranges: [Range<Int64>] = [0..<1, 1..<2, 2..<3, 3..<62]
        let movie = try stitch(edit, ranges, parts: edit.render(ranges, in: folder), container: .mp4)
        let headers = ["-v", "trace", "-i", movie.path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
        let lines = try await Shell.run("ffmpeg", headers).errors.split(separator: "\n")
        let numbers = lines.filter { $0.contains(" idr_pic_id ") }.compactMap { $0.split(separator: " ").last }
        #expect(numbers.count >= 4 && zip(numbers.prefix(3), numbers.dropFirst()).allSatisfy { $0 != $1 }, "\(numbers)")
        #expect(try await movie.frameHashes().count == 62)
    }

    /// An IDR picture may say that pictures before it which were not shown yet are not shown at all
    /// (no_output_of_prior_pics_flag; ITU-T H.264, C.4.4). In its own stream none waited there; in a movie of which other
    /// parts are reordered, some do.
    @Test func noPictureDiscardsThoseBeforeIt() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let ranges = edit.ranges(2)
        var parts = try edit.render(ranges, in: folder)
        let reader = try PacketFileReader(path: parts[1])
        var sets = H264ParameterSets()
        for nal in AnnexB.units(of: [UInt8](reader.header.extradata)[...]) { try sets.add(nal) }
        let forged = folder.path("forged")
        let writer = try PacketFileWriter(path: forged, header: reader.header)
        var count = 0
        while var packet = try reader.next() {
            let units = try AnnexB.units(of: [UInt8](packet.data)[...]).map { nal in
                guard H264UnitType(of: nal) == .idrSlice else { return Array(nal) }
                var slice = try H264Slice(nal, sets)
                slice.header.marking = .idr(discardsPrior: true, isLongTerm: false)
                count += 1
                return try slice.nal(sets)
            }
            packet.data = Data(AnnexB.stream(of: units.map { $0[...] }))
            try writer.write(packet)
        }
        try writer.finish()
        parts[1] = forged
        let movie = try stitch(edit, ranges, parts: parts, container: .mp4)
        let headers = ["-v", "trace", "-i", movie.path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
        let lines = try await Shell.run("ffmpeg", headers).errors.split(separator: "\n")
        let flags = lines.filter { $0.contains(" no_output_of_prior_pics_flag ") }.map { $0.hasSuffix("= 0") }
        #expect(count > 0 && flags.count >= 2 && flags.allSatisfy(\.self), "\(flags)")
    }

    @Test func partsThatDoNotBelongTogetherAreRefused() async throws {
        let edit = try await TestTimeline.example()
        let ranges = edit.ranges(2)
        let parts = try edit.render(ranges, in: folder)
        #expect(failure(edit, ranges, parts: [parts[0]]) == "parts_missing")
        #expect(failure(edit, [0..<30, 30..<62], parts: parts) == "frames_missing")
        var other = edit
        other.encoding = .testH264
        let foreign = try other.render(ranges, in: folder, name: "foreign")
        #expect(failure(edit, ranges, parts: [parts[0], foreign[1]]) == "parts_differ")
    }

    /// Nothing of the parts themselves tells: the finished file alone shows what a player finds in it.
    @Test func aFileThatIsNotWhatWasAskedIsRefused() async throws {
        let edit = try await TestTimeline.example()
        let ranges = edit.ranges(2)
        let sampleCount = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(.pcm24, samples: sampleCount, to: folder.path("sound"))
        let reader = try PacketFileReader(path: sound)
        let short = folder.path("short")
        let writer = try PacketFileWriter(path: short, header: reader.header)
        while var packet = try reader.next() {
            // The last one says that it has all its samples, and has ten less.
            if packet.displayIndex + packet.duration == sampleCount { packet.data.removeLast(60) }
            try writer.write(packet)
        }
        try writer.finish(digests: reader.summary.digests)
        let parts = try edit.render(ranges, in: folder)
        _ = try stitch(edit, ranges, parts: parts, container: .matroska, sound: sound)
        #expect {
            try stitch(edit, ranges, parts: parts, container: .matroska, sound: short)
        } throws: {
            ($0 as? RenderError)?.failure.code == "output_wrong"
        }
    }

    @Test func soundOfAnotherLengthIsRefused() async throws {
        let edit = try await TestTimeline.example()
        let ranges = edit.ranges(2)
        let sampleCount = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let parts = try edit.render(ranges, in: folder)
        for difference in [-10, 10] as [Int64] {
            let sound = try TestSound.write(.pcm24, samples: sampleCount + difference, to: folder.path("other"))
            #expect {
                try stitch(edit, ranges, parts: parts, container: .matroska, sound: sound)
            } throws: {
                ($0 as? RenderError)?.failure.code == "samples_missing"
            }
        }
    }

    /// Pictures and sound of one moment lie near each other in the file.
    @Test func soundIsInterleavedWithThePicture() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let part = try edit.render([0..<62], in: folder)[0]
        let count: Int64 = 8
        var long = edit
        long.frameCount = 62 * count
        let ranges = (0..<count).map { $0 * 62..<($0 + 1) * 62 }
        let samples = try long.rate.sample(ofFrame: long.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(.aac, samples: samples, to: folder.path("sound"))
        let parts = Array(repeating: part, count: Int(count))
        let movie = try stitch(long, ranges, parts: parts, container: .mp4, sound: sound)
        let arguments = [
            "-v", "error", "-show_entries", "packet=codec_type,pts_time,pos", "-of", "csv=p=0", movie.path,
        ]
        let rows = try await Shell.run("ffprobe", arguments).text.split(separator: "\n").map {
            $0.split(separator: ",")
        }
        let packets = rows.map { (kind: $0[0], time: Double($0[1])!, position: Int($0[2])!) }.sorted {
            $0.position < $1.position
        }
        var latest: [Substring: Double] = ["video": 0, "audio": 0]
        for packet in packets {
            latest[packet.kind] = max(latest[packet.kind]!, packet.time)
            #expect(abs(latest["video"]! - latest["audio"]!) <= 1.2)
        }
    }

    @Test func thousandsOfPartsAreStitchedWithOneOpenAtATime() async throws {
        var edit = try await TestTimeline.example()
        let part = try edit.render([0..<1], in: folder)[0]
        edit.frameCount = 1500
        let ranges = (0..<edit.frameCount).map { $0..<$0 + 1 }
        let parts = Array(repeating: part, count: ranges.count)
        let movie = try stitch(edit, ranges, parts: parts, container: .matroska)
        #expect(try await movie.frameHashes().count == 1500)
    }
}
