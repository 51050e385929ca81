import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

/// What `cutfarm export` keeps beside pictures and sound, and what it refuses.
@Suite struct ExportStreamTests {
    private let cutfarm: Cutfarm

    init() throws { cutfarm = try Cutfarm() }

    private func make(_ name: String, _ arguments: [String]) async throws -> String {
        let path = cutfarm.folder.path(name)
        try await Shell.ffmpeg(arguments + [path])
        return path
    }

    private static let movie = [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=6", "-f", "lavfi", "-i", "sine=440:r=48000:d=6",
    ]
    private static let codecs = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-c:a", "aac"]

    private func chapters() throws -> String {
        let text = """
            ;FFMETADATA1
            title=The whole
            artist=Somebody
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=2000
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=2000
            END=3500
            title=Two
            [CHAPTER]
            TIMEBASE=1/1000
            START=3500
            END=6000
            title=Three
            """
        return try cutfarm.write("chapters.txt", text)
    }

    @Test(arguments: ["mp4", "mov", "mkv"]) func languagesTagsAndChaptersMoveWithTheTrim(ending: String) async throws {
        let source = try await make(
            "source." + ending,
            Self.movie + ["-i", try chapters(), "-map", "0:v", "-map", "1:a", "-map", "1:a", "-map_metadata", "2"]
                + Self.codecs + [
                    "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fra", "-disposition:a:1", "default",
                    "-disposition:a:0", "0", "-metadata", "creation_time=2020-01-02T03:04:05Z",
                ]
        )
        for target in ["mp4", "mov", "mkv"] {
            let (file, report) = try await cutfarm.export([source, "--range", "1s", "3s"], to: "out." + target)
            #expect(report.notes.isEmpty && report.range.start.approximateSeconds == 1)
            // ffmpeg's own MOV does not know what “deu” is, so there it is not said.
            let languages = try await file.probed("stream_tags=language", ["-select_streams", "a"])
            let wantedLanguages = (ending == "mov" ? [] : ["TAG:language=deu"]) + ["TAG:language=fra"]
            #expect(languages.filter { !$0.hasSuffix("=und") } == wantedLanguages, "\(ending) to \(target)")
            let defaults = try await file.probed("stream_disposition=default", ["-select_streams", "a"])
            #expect(defaults == ["DISPOSITION:default=0", "DISPOSITION:default=1"], "\(ending) to \(target)")
            let tags = try await file.probed("format_tags=title,artist,creation_time").map { $0.lowercased() }
            #expect(tags.contains("tag:title=the whole") && tags.contains("tag:artist=somebody"), "\(tags)")
            #expect(tags.contains { $0.contains("2020-01-02t03:04:05") }, "\(ending) to \(target): \(tags)")
            let list = try await file.probed("chapter=start_time,end_time:chapter_tags=title", ["-show_chapters"])
            let times = list.compactMap { line in
                line.hasPrefix("start_time=") || line.hasPrefix("end_time=")
                    ? line.split(separator: "=").last.flatMap { Double($0) } : nil
            }
            let titles = list.filter { $0.hasPrefix("TAG:title=") }.map { $0.dropFirst(10) }
            #expect(titles == ["One", "Two", "Three"], "\(ending) to \(target): \(list)")
            let wanted = [0, 1, 1, 2.5, 2.5, 3]
            // Matroska moves everything by the part of a packet with which the sound begins.
            #expect(times.count == 6 && zip(times, wanted).allSatisfy { abs($0 - $1) < 0.025 }, "\(list)")
        }
    }

    @Test func subtitlesMoveWithTheTrim() async throws {
        let cues = "1\n00:00:00,500 --> 00:00:01,800\nFirst\n\n2\n00:00:02,000 --> 00:00:04,500\nSecond\n"
        let text = try cutfarm.write("cues.srt", cues)
        for (ending, codec, target) in [
            ("mkv", "srt", "mkv"), ("mkv", "ass", "mkv"), ("mp4", "mov_text", "mp4"), ("mp4", "mov_text", "mov"),
        ] {
            let source = try await make(
                "subs." + ending,
                Self.movie + ["-i", text, "-map", "0", "-map", "1", "-map", "2"] + Self.codecs
                    + ["-c:s", codec, "-metadata:s:s:0", "language=eng"]
            )
            let (file, report) = try await cutfarm.export([source, "--range", "1s", "3s"], to: "out." + target)
            #expect(report.streams.contains { $0.hasPrefix("subtitles/0") })
            let packets = try await file.probed("packet=pts_time,duration_time,size", ["-select_streams", "s:0"])
            let sizes = packets.filter { $0.hasPrefix("size=") }.compactMap { Int($0.dropFirst(5)) }
            let times = packets.filter { $0.hasPrefix("pts_time=") }.compactMap { Double($0.dropFirst(9)) }
            let lengths = packets.filter { $0.hasPrefix("duration_time=") }.compactMap { Double($0.dropFirst(14)) }
            let shown = zip(sizes, zip(times, lengths)).filter { $0.0 > 2 }.map(\.1)
            #expect(shown.count == 2, "\(codec): \(packets)")
            let wanted = [(0.0, 0.8), (1.0, 2.0)]
            for (found, cue) in zip(shown, wanted) {
                #expect(abs(found.0 - cue.0) < 0.03 && abs(found.1 - cue.1) < 0.03, "\(codec) \(target): \(packets)")
            }
            #expect(try await file.probed("stream_tags=language", ["-select_streams", "s"]) == ["TAG:language=eng"])
        }
    }

    /// libavformat's writer enables the first subtitles where none are.
    @Test(arguments: ["0", "default"]) func subtitlesAreOnOrOffAsTheyWere(disposition: String) async throws {
        let text = try cutfarm.write("cues.srt", "1\n00:00:01,000 --> 00:00:02,000\nwords\n")
        let source = try await make(
            "subs.mkv",
            Self.movie + ["-i", text, "-map", "0", "-map", "1", "-map", "2"] + Self.codecs
                + ["-c:s", "srt", "-disposition:s:0", disposition]
        )
        for target in ["mp4", "mkv"] {
            let (file, _) = try await cutfarm.export([source], to: "out." + target)
            let isOn = try await file.probed("stream_disposition=default", ["-select_streams", "s"])
            #expect(isOn == ["DISPOSITION:default=\(disposition == "0" ? 0 : 1)"], "\(target)")
        }
    }

    @Test func plainSubtitlesChangeTheirContainer() async throws {
        let text = try cutfarm.write("cues.srt", "1\n00:00:01,000 --> 00:00:02,000\n<i>Größe</i>\nzwei\n")
        let source = try await make(
            "subs.mkv",
            Self.movie + ["-i", text, "-map", "0", "-map", "1", "-map", "2"] + Self.codecs + ["-c:s", "srt"]
        )
        let (movie, report) = try await cutfarm.export([source], to: "subs.mp4")
        #expect(report.notes.count == 1 && report.notes[0].contains("without styles"), "\(report.notes)")
        let (back, _) = try await cutfarm.export([movie.path], to: "back.mkv")
        for file in [movie, back] {
            let cues = try await Shell.ffmpeg(["-i", file.path, "-map", "0:s:0", "-f", "srt", "-"])
            let lines = String(decoding: cues, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
            #expect(lines.dropFirst(2) == ["Größe", "zwei"], "\(lines)")
            #expect(lines.dropFirst().first?.hasPrefix("00:00:01,0") == true, "\(lines)")
        }
    }

    @Test func rotationAspectColourAndTimecodeStay() async throws {
        let source = try await make(
            "phone.mov",
            Self.movie + Self.codecs + [
                "-vf", "setsar=4/3", "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709",
                "-timecode", "01:00:00:00",
            ]
        )
        let turned = try await make("turned.mov", ["-i", source, "-c", "copy", "-metadata:s:v", "rotate=90"])
        let isTurned = try await ExportedFile(path: turned).probed("stream_side_data=rotation")
        #expect(isTurned.count == 1, "\(isTurned)")
        for target in ["mp4", "mov"] {
            let (file, _) = try await cutfarm.export([turned, "--range", "2s", "2s"], to: "out." + target)
            let facts = try await file.probed(
                "stream=sample_aspect_ratio,color_space,color_transfer,color_primaries",
                ["-select_streams", "v:0"]
            )
            #expect(
                facts == [
                    "sample_aspect_ratio=4:3", "color_space=bt709", "color_transfer=bt709", "color_primaries=bt709",
                ]
            )
            #expect(try await file.probed("stream_side_data=rotation") == isTurned)
            let labels = try await file.probed("stream_tags=timecode", ["-select_streams", "v:0"])
            #expect(labels == ["TAG:timecode=01:00:02:00"], "\(target)")
            // The track of timecode ends with the others, also where pictures are hidden behind the end.
            let part = [turned, "--range", "60f", "30f", "--exact"]
            let (exact, _) = try await cutfarm.export(part, to: "exact." + target)
            let duration = try await exact.probed("format=duration")
            #expect(duration == ["duration=1.200000"], "\(target)")
        }
        let refused = try await cutfarm.run(["export", turned, "-o", cutfarm.folder.path("x.mkv")])
        #expect(refused.exitCode == 2 && refused.errors.contains("turned") && refused.errors.contains("--drop-unfit"))
    }

    @Test func fontsAndCoversStay() async throws {
        let font = try cutfarm.write("font.ttf", String(repeating: "no real font ", count: 50))
        let cover = try await make("cover.png", ["-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1"])
        let source = try await make(
            "fonts.mkv",
            Self.movie + Self.codecs + ["-attach", font, "-metadata:s:t:0", "mimetype=application/x-truetype-font"]
        )
        let (file, report) = try await cutfarm.export([source, "--range", "2s", "2s"], to: "out.mkv")
        #expect(report.streams.contains { $0.hasPrefix("attachment/0 (font.ttf") }, "\(report.streams)")
        #expect(try await file.probed("stream=codec_type").contains("codec_type=attachment"))
        let refused = try await cutfarm.run(["export", source, "-o", cutfarm.folder.path("x.mp4")])
        #expect(refused.exitCode == 2 && refused.errors.contains("attachment/0") && refused.errors.contains(".mkv"))
        #expect(!FileManager.default.fileExists(atPath: cutfarm.folder.path("x.mp4")))
        let dropped = try await cutfarm.export([source, "--drop-unfit"], to: "y.mp4")
        #expect(dropped.report.notes.count == 1 && dropped.report.streams.count == 2)

        let song = try await make(
            "song.m4a",
            [
                "-f", "lavfi", "-i", "sine=440:r=44100:d=3", "-i", cover, "-map", "0", "-map", "1", "-c:a", "aac",
                "-c:v", "copy",
            ]
                + ["-disposition:v:0", "attached_pic"]
        )
        for target in ["m4a", "mka", "mp4"] {
            let (file, _) = try await cutfarm.export([song], to: "song-out." + target)
            #expect(try await file.probed("stream_disposition=attached_pic").contains("DISPOSITION:attached_pic=1"))
        }
    }

    @Test func soundAloneIsCutToTheSample() async throws {
        let source = ExportedFile(
            path: try await make(
                "noise.m4a",
                [
                    "-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*t*(200+300*t))':s=44100:d=5", "-c:a", "aac",
                    "-aac_pns", "0",
                ]
            )
        )
        let options = ["--range", "50001@44100", "70003@44100", "--exact"]
        let (file, _) = try await cutfarm.export([source.path] + options, to: "cut.m4a")
        let (whole, cut) = (try await source.samples(), try await file.samples())
        let wanted = Array(whole[50_001..<120_004])
        #expect(zip(cut, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 } && cut.count >= wanted.count)
        let facts = try await cutfarm.run(["probe", file.path])
        #expect(facts.text.contains("70003 samples"), "\(facts.text)")

        for (ending, codec) in [("wav", "pcm_s16le"), ("flac", "flac"), ("mka", "libopus")] {
            let source = try await make("s." + ending, ["-f", "lavfi", "-i", "sine=440:r=48000:d=4", "-c:a", codec])
            let (file, _) = try await cutfarm.export([source, "--range", "1s", "2s"], to: "s-out.mka")
            let count = try await file.samples().count
            #expect(abs(count - 96_000) <= 4_700, "\(codec): \(count)")
        }
    }

    @Test func opusIsPrimedInMatroska() async throws {
        let signal = "aevalsrc='0.3*sin(2*PI*t*(200+300*t))':s=48000:d=6"
        let source = ExportedFile(
            path: try await make("o.mka", ["-f", "lavfi", "-i", signal, "-c:a", "libopus", "-b:a", "160k"])
        )
        for (target, most) in [("mka", 1000), ("mp4", 3)] {
            let (file, _) = try await cutfarm.export([source.path, "--range", "2s", "2s"], to: "out." + target)
            let (whole, cut) = (try await source.samples(), try await file.samples())
            let heard = try await file.probed("frame=pts_time", ["-select_streams", "a:0", "-read_intervals", "%+#40"])
            let first = try #require(heard.first.flatMap { Double($0.replacing("pts_time=", with: "")) })
            #expect(abs(first) < 0.0011, "\(target): the first sample is heard at \(first) s")
            let wanted = whole[96_000..<191_000]
            let worst = zip(cut, wanted).map { abs(Int($0) - Int($1)) }.max() ?? 0
            // 80 ms of priming, in Matroska, let the decoder come near to what it would have been (RFC 7845, 4.6).
            #expect(worst <= most && cut.count >= wanted.count, "\(target): \(worst)")
        }
    }

    /// FFmpeg's decoder of AV1 would show what an edit list hides.
    @Test func nothingOfAV1IsHidden() async throws {
        let source = try await make(
            "a.mkv",
            ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-c:v", "libsvtav1", "-preset", "12", "-g", "25"]
        )
        let outcome = try await cutfarm.run(
            ["export", source, "-o", cutfarm.folder.path("x.mp4"), "--range", "1300ms", "1s", "--exact"]
        )
        #expect(outcome.exitCode == 2 && outcome.errors.contains("AV1"), "\(outcome.errors)")
        let (file, report) = try await cutfarm.export([source, "--range", "1300ms", "1s"], to: "y.mp4")
        let all = try await ExportedFile(path: source).pictures()
        #expect(try await file.pictures() == Array(all[25..<25 + Int(try #require(report.frameCount))]))
    }

    @Test func refusalsAreOneSentence() async throws {
        let source = try await make("a.mp4", Self.movie + Self.codecs)
        for (arguments, words) in [
            (["-o", cutfarm.folder.path("x.avi")], "no container that export writes"),
            (["-o", cutfarm.folder.path("x.mkv"), "--range", "1s", "1s", "--exact"], "no edit lists"),
            (["-o", "-"], "standard output"),
            (["-o", cutfarm.folder.path("x.mp4"), "--range", "5s", "2s"], "goes on after 6 s"),
            (["-o", cutfarm.folder.path("x.mp4"), "--range", "1s", "1"], "is no time"),
            (["-o", cutfarm.folder.path("x.mp4"), "--without", "audio/7"], "audio/0 (aac"),
            (["-o", cutfarm.folder.path("x.m4a")], "video/0"),
            (["-o", source, "--force"], "itself"),
        ] {
            let outcome = try await cutfarm.run(["export", source] + arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: cutfarm.folder.url.path)
        #expect(!left.contains { $0.hasPrefix("x.") || $0.hasPrefix(".cutfarm") }, "\(left)")
        let (file, _) = try await cutfarm.export([source, "--without", "video/0"], to: "sound.m4a")
        #expect(try await file.probed("stream=codec_type") == ["codec_type=audio"])
    }
}
