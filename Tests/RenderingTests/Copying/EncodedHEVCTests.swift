import Bitstream
import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing
import Timing

@testable import Media
@testable import Rendering

/// Movies that follow 8-bit HEVC of the profile Main: what cannot be copied is encoded beside the copies, in one track.
@Suite struct EncodedHEVCTests {
    private static let sources = WholeSource.hevc[0].sources

    /// Cuts at any frame of the source, a dissolve, a faded clip and a title.
    private func text(_ movie: TestMovie, _ random: inout SplitMix) throws -> String {
        var clips: [String] = []
        for place in 0..<5 {
            let start = Int.random(in: 0..<60, using: &random)
            let count = Int.random(in: 40...130 - start, using: &random)
            let more = place == 3 ? ", \"opacity\": 0.5" : ""
            clips.append("{ \"asset\": \"a\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\"\(more) }")
        }
        clips.insert(#"{ "transition": "dissolve", "duration": "8f" }"#, at: 2)
        let box = ##"[{ "layer": "shape", "shape": "rectangle", "size": [40, 20], "color": "#ff8000" }]"##
        let title =
            "{ \"layers\": \(box), \"at\": \"\(Int.random(in: 0..<100, using: &random))f\", \"duration\": \"9f\" }"
        let tracks = [CopyCutList.track("video", clips), CopyCutList.track("title", [title])]
        return try WholeCopyTests.text([], movie).replacingOccurrences(
            of: CopyCutList.track("video", []),
            with: tracks.joined(separator: ", ")
        )
    }

    /// Copied frames are the source's for every way of decoding, every frame is there, and no program finds anything
    /// wrong; the same again gives the same bytes.
    @Test(arguments: sources.indices) func copiesStandBesideEncodedPictures(number: Int) async throws {
        let folder = try TemporaryFolder()
        let source = try await Self.sources[number].make(in: folder, seed: number)
        let hashes = try await WholeCopyTests.hashes(source.path, ["-threads", "1"])
        var random = SplitMix(seed: UInt64(number) &+ 41)
        let edit = try PlannedEdit(text(source, &random), ["a": source], preset: nil)
        let plan = try edit.plan(nil)
        #expect(plan.output.video?.codec == .hevc && plan.output.video?.isCopyOnly == false)
        #expect(plan.output.video?.isSteady == true, "\(String(describing: plan.output.video))")
        let spans = plan.copiedSpans
        let copiedCount = spans.reduce(0) { $0 + $1.frames.count }
        #expect(copiedCount > 20 && copiedCount < plan.frameCount)
        let movie = try await edit.copiedMovie(plan, in: folder, name: "out." + plan.output.fileExtension)
        #expect(try await movie.decoderMessages() == "")
        for threads in [
            ["-threads", "1"], ["-threads", "4", "-thread_type", "frame"], ["-threads", "3", "-thread_type", "slice"],
        ] {
            let found = try await WholeCopyTests.hashes(movie.path, threads)
            #expect(found.count == Int(plan.frameCount))
            for span in spans {
                let wanted = hashes[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
                let shown = found[Int(span.frames.start)..<Int(span.frames.end)]
                #expect(Array(shown) == Array(wanted), "\(span), \(threads)")
            }
        }
        #expect(try await movie.packets().map(\.pts).sorted() == Array(0..<Int(plan.frameCount)))
        let again = try await edit.copiedMovie(edit.plan(nil), in: folder, name: "again." + plan.output.fileExtension)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: movie.path))
                == Data(contentsOf: URL(fileURLWithPath: again.path))
        )
        try await checkTrack(movie)
    }

    /// One sample entry says of all parameter sets what each of them says, and other programs read the same.
    private func checkTrack(_ movie: StitchedMovie) async throws {
        let video = try #require(TestMovie(path: movie.path).facts.defaultVideo)
        #expect(video.copy?.forms.count == 1 && video.codec == "hevc")
        let record = try HEVCConfiguration([UInt8](try #require(video.copy?.forms.first).configuration)[...])
        let sets = try HEVCParameterSets(record)
        #expect(sets.sps.count > 1 && sets.pps.count > 1)
        #expect(Set(sets.sps.values.map(\.profileTierLevel.level)) == [record.level])
        #expect(Set(sets.sps.values.map(\.profileTierLevel.profile.idc)) == [1])
        #expect(Set(sets.sps.values.map(\.highestBuffering)).count == 1)
        #expect(Set(sets.sps.values.map(\.vui?.timing)).count == 1)
        #expect(Set(sets.sps.values.map(\.vui?.signal?.colour)).count == 1)
        #expect(sets.sps.values.allSatisfy { $0.vui?.hrd == nil })
        let stream = try await movie.stream("v:0", ["profile", "level", "nb_read_packets", "codec_tag_string"])
        let info = try await movie.mediaInfo()
        // Of several sequence parameter sets mediainfo says profile, level and tier together.
        let words = (info["Format_Profile"] ?? "").split(separator: "@").map(String.init)
        let level = (info["Format_Level"] ?? words.dropFirst().first?.trimmingPrefix("L").description).flatMap(
            Double.init
        )
        #expect(stream["profile"] == "Main" && words.first == "Main", "\(info)")
        #expect(
            stream["level"].flatMap(Int.init) == record.level && level.map { Int($0 * 30) } == record.level,
            "\(info)"
        )
        #expect(info["FrameCount"] == stream["nb_read_packets"] && info["FrameRate"] == "25.000", "\(info)")
        if !movie.path.hasSuffix("mkv") { #expect(stream["codec_tag_string"] == "hvc1") }
    }

    /// What stands between a cut and a key picture is encoded about as well as the source: 42 dB, with at most 1.5 times
    /// the bytes of the source's pictures.
    @Test(arguments: [16, 22, 26]) func encodedPicturesAreNearTheSource(crf: Int) async throws {
        let folder = try TemporaryFolder()
        let coding = ["-c:v", "libx265", "-preset", "medium", "-crf", "\(crf)", "-pix_fmt", "yuv420p"]
        let parameters = ["-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=50:min-keyint=50:scenecut=0"]
        let source = try await TestMovie.make(
            "a.mp4",
            in: folder,
            ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25,noise=alls=4:allf=t:all_seed=4", "-frames:v", "150"]
                + coding + parameters + TestPattern.bt709
        )
        let clips = (0..<3).map { "{ \"asset\": \"a\", \"in\": \"\(10 + $0)f\", \"duration\": \"\(110 + $0)f\" }" }
        let edit = try PlannedEdit(WholeCopyTests.text(clips, source), ["a": source], preset: nil)
        let plan = try edit.plan(1)
        let movie = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        let size = edit.composition.format.size
        let (found, shown) = (
            try await RawPictures(movie.path, size: size), try await RawPictures(source.path, size: size)
        )
        let (sizes, own) = (try await movie.packetSizes(), try await StitchedMovie(path: source.path).packetSizes())
        var (frame, errors, bytes): (Int, [Double], [Int]) = (0, [], [])
        for clip in 0..<3 {
            for place in 10 + clip..<120 + 2 * clip {
                defer { frame += 1 }
                guard !plan.copiedSpans.contains(where: { $0.frames.contains(Int64(frame)) }) else { continue }
                errors.append(found[frame].squaredError(from: shown[place]))
                bytes.append(sizes[frame])
            }
        }
        // 10 · log10(255² / 4.1) = 42 dB.
        let mean = errors.reduce(0, +) / Double(max(errors.count, 1))
        #expect(errors.count > 60 && mean < 4.1, "\(mean)")
        let share = Double(bytes.reduce(0, +)) / Double(bytes.count) * Double(own.count) / Double(own.reduce(0, +))
        #expect(share < 1.5, "\(share)")
    }

    /// Captions of a frame: one triplet with two bytes that tell its number.
    private static func captions(_ number: Int) -> SEIMessage {
        let pair = [UInt8(0x20 + number / 64), UInt8(0x20 + number % 64)]
        return SEIMessage(
            type: 4,
            payload: [0xB5, 0, 0x31] + Array("GA94".utf8) + [3, 0xC1, 0xFF, 0xFC] + pair + [0xFF]
        )
    }

    private static func accessUnits(_ stream: Data) throws -> [HEVCAccessUnit] {
        var reader = HEVCAccessUnitReader(sets: HEVCParameterSets())
        return try reader.accessUnits(of: AnnexB.units(of: [UInt8](stream)[...])).filter { !$0.slices.isEmpty }
    }

    /// Captions of copied and of encoded frames are those of the frame that they show.
    @Test func captionsStayWithTheirFrames() async throws {
        let folder = try TemporaryFolder()
        let parameters = "log-level=none:pools=1:frame-threads=1:bframes=0:keyint=30:scenecut=0:repeat-headers=1"
        let plain = try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x144:r=25", "-frames:v", "130", "-c:v", "libx265", "-pix_fmt",
                "yuv420p",
            ]
                + ["-preset", "ultrafast", "-x265-params", parameters] + TestPattern.bt709 + ["-f", "hevc", "-"]
        )
        // Without B pictures frames are decoded in the order in which they are shown.
        let units = try Self.accessUnits(plain).enumerated().map { frame, unit in
            let own = unit.units.map { Array($0) }
            let slice = try #require(unit.units.firstIndex { ($0.first ?? 0) >> 1 & 63 < 32 })
            let message = try #require(SEIUnit(header: [39 << 1, 1], messages: [Self.captions(frame)]).nal())
            return own[..<slice] + [message] + own[slice...]
        }
        let path = folder.path("a.hevc")
        try Data(AnnexB.stream(of: units.flatMap { $0 }.map { $0[...] })).write(to: URL(fileURLWithPath: path))
        let source = try TestMovie(path: path)
        #expect(source.facts.defaultVideo?.copy?.messages?.map(\.kind) == [.captions])
        let clips = [
            #"{ "asset": "a", "in": "7f", "duration": "60f" }"#,
            #"{ "asset": "a", "in": "20f", "duration": "40f", "opacity": 0.5 }"#,
            #"{ "asset": "a", "in": "40f", "duration": "30f", "speed": 2 }"#,
        ]
        let edit = try PlannedEdit(WholeCopyTests.text(clips, source), ["a": source], preset: nil)
        let plan = try edit.plan(nil)
        #expect(plan.lost == [LostMessages(kind: .captions, frames: 30)] && !plan.copiedSpans.isEmpty)
        let movie = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        #expect(try await movie.decoderMessages() == "")
        let annexB = ["-c", "copy", "-bsf:v", "hevc_mp4toannexb", "-f", "hevc", "-"]
        let found = try Self.accessUnits(try await Shell.ffmpeg(["-i", movie.path] + annexB))
        let packets = try await movie.packets()
        #expect(found.count == 130 && packets.count == 130)
        for (packet, unit) in zip(packets, found) {
            let wanted = packet.pts < 60 ? packet.pts + 7 : packet.pts < 100 ? packet.pts - 40 : nil
            let captions = unit.messages.filter { $0.kind == .captions }
            #expect(captions == (wanted.map { [Self.captions($0)] } ?? []), "frame \(packet.pts)")
        }
    }
}
