import Bitstream
import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// What users report of programs that cut without encoding (LosslessCut, smartcut, VidCutter, Avidemux, VideoReDo), each
/// as a movie in which it would be seen.
@Suite struct KnownFailureTests {
    /// A movie of clips, and the frame of the source that each of its frames shows.
    private struct Cut {
        var edit: PlannedEdit
        var plan: RenderPlan
        var movie: StitchedMovie
        var source: TestMovie
        var shown: [Int]

        func isCopied(_ frame: Int) -> Bool { plan.copiedSpans.contains { $0.frames.contains(Int64(frame)) } }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func cut(
        _ source: CopySource,
        _ clips: [Range<Int>],
        hasSound: Bool = false,
        name: String = "out.mp4"
    ) async throws -> Cut {
        let movie = try await source.make(in: folder, seed: 3)
        return try await cut(movie, source.asset, clips, hasSound: hasSound, name: name)
    }

    private func cut(
        _ movie: TestMovie,
        _ asset: String,
        _ clips: [Range<Int>],
        hasSound: Bool = false,
        name: String = "out.mp4"
    ) async throws -> Cut {
        let items = clips.map {
            "{ \"asset\": \"\(asset)\", \"in\": \"\($0.lowerBound)f\", \"duration\": \"\($0.count)f\" }"
        }
        let text = CopyCutList.text(tracks: [CopyCutList.track("video", items)], [(asset, asset)])
        let edit = try PlannedEdit(text, [asset: movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        let out = try await edit.copiedMovie(plan, in: folder, name: name, hasSound: hasSound)
        return Cut(edit: edit, plan: plan, movie: out, source: movie, shown: clips.flatMap(Array.init))
    }

    /// Frames at a cut are missing, come twice, or come from before the cut.
    @Test func framesAtCutsAreNeitherMissingNorDoubled() async throws {
        let cut = try await cut(.named("pyramid"), [7..<93, 94..<181, 30..<77, 76..<140, 139..<141, 160..<260])
        let decoded = try await RawPictures(cut.movie.path, size: cut.plan.output.size)
        let source = try await RawPictures(cut.source.path, size: cut.plan.output.size)
        #expect(decoded.count == cut.shown.count)
        for (frame, own) in cut.shown.enumerated() {
            let errors = (max(0, own - 2)...min(source.count - 1, own + 2)).map {
                (number: $0, error: decoded[frame].squaredError(from: source[$0]))
            }
            #expect(errors.min { $0.error < $1.error }?.number == own, "frame \(frame)")
        }
    }

    /// A clip between two key pictures comes out empty, or begins at a key picture.
    @Test func aClipBetweenTwoKeyPicturesIsWhole() async throws {
        let cut = try await cut(.named("groups of 10 s"), [31..<90])
        #expect(cut.plan.copiedSpans.isEmpty)
        let decoded = try await RawPictures(cut.movie.path, size: cut.plan.output.size)
        let source = try await RawPictures(cut.source.path, size: cut.plan.output.size)
        #expect(decoded.count == 59)
        for frame in 0..<59 { #expect(decoded[frame].squaredError(from: source[31 + frame]) < 120) }
    }

    /// A last part of one or two frames gets other durations, and the movie a variable rate.
    @Test func everyFrameLastsAsLong() async throws {
        for end in 98...103 {
            let cut = try await cut(.named("pyramid"), [0..<end, 149..<201], name: "\(end).mp4")
            let stream = try await cut.movie.stream(
                "v",
                ["avg_frame_rate", "r_frame_rate", "nb_frames", "duration_ts", "time_base"]
            )
            #expect(stream["avg_frame_rate"] == "25/1" && stream["r_frame_rate"] == "25/1", "\(stream)")
            let ticks = try #require(stream["time_base"].flatMap { Int($0.dropFirst(2)) })
            #expect(stream["duration_ts"] == "\(cut.shown.count * ticks / 25)", "\(stream)")
            // ISO/IEC 14496-12, 8.6.1.2: one entry.
            let file = try Data(contentsOf: URL(fileURLWithPath: cut.movie.path))
            let table = try #require(file.range(of: Data("stts".utf8)))
            let entries = file[table.upperBound + 4..<table.upperBound + 8].reduce(0) { $0 << 8 | Int($1) }
            #expect(entries == 1, "\(end)")
        }
    }

    /// Key pictures in the file's table at which decoding cannot begin: a player stalls or shows blocks after a seek.
    @Test func decodingBeginsAtEveryKeyPicture() async throws {
        let cut = try await cut(.named("CAVLC"), [11..<130, 20..<61, 90..<239])
        let hashes = try await cut.movie.frameHashes()
        let packets = try await cut.movie.packets()
        let keys = packets.indices.filter { packets[$0].isKey }
        #expect(keys.count > 4 && keys.first == 0)
        for key in keys {
            let start = packets[key].pts
            let seek = ["-ss", "\(Double(start) / 25)", "-i", cut.movie.path, "-map", "0:v", "-frames:v", "12"]
            let text = try await Shell.ffmpeg(seek + ["-f", "framehash", "-hash", "sha256", "-"])
            let found = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
                .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
            #expect(found == Array(hashes[start..<min(start + 12, hashes.count)]), "frame \(start)")
        }
        // The table names IDR pictures, and all of them.
        let stream = try await Shell.ffmpeg(
            [
                "-i", cut.movie.path, "-c", "copy", "-bsf:v", "h264_mp4toannexb,h264_metadata=aud=insert", "-f", "h264",
                "-",
            ]
        )
        var pictures: [Bool] = []
        for unit in AnnexB.units(of: [UInt8](stream)[...]) {
            let type = H264UnitType(of: unit)
            if type == .accessUnitDelimiter { pictures.append(false) }
            if type == .idrSlice, !pictures.isEmpty { pictures[pictures.count - 1] = true }
        }
        #expect(pictures == packets.map(\.isKey))
    }

    /// The picture stops at a join while the sound goes on, because times stand still, go back or leave a hole.
    @Test(arguments: ["pyramid", "HRD", "all IDR"]) func timesNeitherStandStillNorLeaveHoles(name: String) async throws
    {
        let clips = [3..<60, 61..<62, 10..<81, 80..<83, 20..<79]
        let cut = try await cut(.named(name), clips, hasSound: true)
        let packets = try await cut.movie.packets()
        let times = packets.compactMap(\.dts)
        #expect(times.count == packets.count && zip(times, times.dropFirst()).allSatisfy { $0 + 1 == $1 })
        #expect(packets.allSatisfy { $0.pts >= $0.dts ?? .max })
        #expect(packets.map(\.pts).sorted() == Array(0..<cut.shown.count))
        let ends = try await ["v", "a"].asyncMap { try await cut.movie.stream($0, ["start_time", "duration"]) }
        #expect(ends.allSatisfy { $0["start_time"].flatMap(Double.init) == 0 }, "\(ends)")
        let wanted = Double(cut.shown.count) / 25
        #expect(ends.allSatisfy { $0["duration"].flatMap(Double.init) == wanted }, "\(ends)")
    }

    /// File managers show a black picture, or one from before the cut.
    @Test func thumbnailsAreTheFrames() async throws {
        let cut = try await cut(.named("slices in a transport stream"), [13..<130, 55..<190])
        let hashes = try await cut.movie.frameHashes()
        for frame in [0, 1, 26, 27, 116, 117, 118, 200, 251] {
            let seek = frame == 0 ? [] : ["-ss", "\(Double(frame) / 25)"]
            let words = seek + ["-i", cut.movie.path, "-frames:v", "1", "-f", "framehash", "-hash", "sha256", "-"]
            let text = String(decoding: try await Shell.ffmpeg(["-an"] + words), as: UTF8.self)
            #expect(text.contains(hashes[frame]), "frame \(frame)")
        }
    }

    /// Sound drifts from the picture, by a packet at each cut.
    @Test func soundStaysWithThePictureOverManyCuts() async throws {
        let beep = "0.7*sin(2*PI*1000*t)*lt(mod(t,1),0.04)"
        let inputs = [
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-f", "lavfi", "-i", "aevalsrc='\(beep)|\(beep)':s=48000",
        ]
        let coding = ["-t", "20", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-pix_fmt", "yuv420p"]
        let arguments: [String] = inputs + coding + TestPattern.bt709 + ["-c:a", "aac"]
        let movie = try await TestMovie.make("beeps.mp4", in: folder, arguments)
        // Each shows 20 frames before a full second, and 17 behind it.
        let clips = (1...19).flatMap { second in [second * 25 - 20..<second * 25 + 17] }
        let cut = try await cut(movie, "beeps", clips + clips.reversed() + clips, hasSound: true)
        let samples = try await Shell.ffmpeg(["-i", cut.movie.path, "-map", "0:a", "-ac", "1", "-f", "s16le", "-"])
        let levels = samples.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(levels.count >= cut.shown.count * 1920)
        for (number, _) in (clips + clips + clips).enumerated() {
            let place = (number * 37 + 20) * 1920
            let onset = (place - 2000..<place + 2000).first { abs(Int(levels[$0])) > 6000 } ?? 0
            #expect(abs(onset - place) < 64, "beep \(number) is \(onset - place) samples late")
        }
    }

    /// A source whose table of composition times was lost says that pictures are shown in the order in which they are
    /// decoded. Who goes by its times copies frames of another place. Nothing of it is copied, and encoding refuses it,
    /// because its pictures do not come out at their times.
    @Test func aSourceWithoutCompositionTimesIsNotCutBlindly() async throws {
        let whole = try await CopySource.named("pyramid").make(in: folder, seed: 3)
        var file = try Data(contentsOf: URL(fileURLWithPath: whole.path))
        let table = try #require(file.range(of: Data("ctts".utf8)))
        file.replaceSubrange(table, with: Data("free".utf8))
        let path = folder.path("lost.mp4")
        try file.write(to: URL(fileURLWithPath: path))
        let clip = #"{ "asset": "lost", "in": "40f", "duration": "91f" }"#
        let text = CopyCutList.text(tracks: [CopyCutList.track("video", [clip])], [("lost", "lost")])
        let edit = try PlannedEdit(text, ["lost": TestMovie(path: path)], preset: nil, copies: true)
        #expect(try edit.plan(nil).copiedSpans.isEmpty)
        #expect {
            try edit.frames()
        } throws: {
            "\($0)".hasPrefix("decode_failed")
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
