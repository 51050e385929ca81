import Foundation

/// Something that a random edit may show: how it is called in the edit, and how a test makes it.
struct RandomSource: Sendable {
    enum Form: Sendable {
        /// What `ffmpeg` writes to `name` of the media folder.
        case made([String])
        /// What the edit says in place of a file.
        case generated(String)
        /// PNG files that ffmpeg writes.
        case numbered([String], rate: String)
        /// A file without a header that ffmpeg writes, and what the edit says of it.
        case raw([String], String)
        /// A file with this text.
        case written(String)
        /// Another edit, its text, and values for its parameters.
        case edit(String, parameters: String)
    }

    var name: String
    var file: String
    var form: Form
    /// Of the source, exclusive; nil is a still.
    var seconds: Double?
    /// Frames in a second where all last equally long.
    var rate: Double?
    var hasSound = false

    var isNested: Bool {
        if case .edit = form { true } else { false }
    }

    /// What `assets` says.
    var json: String {
        switch form {
        case .made, .written: "\"\(file)\""
        case .generated(let json): json
        case .numbered(_, let rate): "{ \"src\": \"\(file)\", \"frameRate\": \"\(rate)\" }"
        case .raw(_, let raw): "{ \"src\": \"\(file)\", \"raw\": \(raw) }"
        case .edit(_, let parameters): "{ \"edit\": \"\(file)\", \"params\": \(parameters) }"
        }
    }

    private static let tags = [
        "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
    ]
    private static let sine = ["-f", "lavfi", "-i", "sine=330:r=48000:d=6"]
    /// Another tone in each of six channels.
    private static let surround =
        "aevalsrc='\([200, 300, 400, 50, 600, 700].map { "0.1*sin(2*PI*\($0)*t)" }.joined(separator: "|"))':s=48000:d=6:c=5.1"
    private static let aac = ["-c:a", "aac", "-ac", "2", "-b:a", "96k"]

    private static func input(_ graph: String) -> [String] { ["-f", "lavfi", "-i", graph] }

    private static func h264(_ format: String, _ parameters: String) -> [String] {
        ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", format, "-x264-params", parameters] + tags
    }

    private static func movie(
        _ name: String,
        _ file: String,
        rate: Double?,
        hasSound: Bool = false,
        _ arguments: [String]
    ) -> RandomSource {
        RandomSource(name: name, file: file, form: .made(arguments), seconds: 6, rate: rate, hasSound: hasSound)
    }

    private static let movies = [
        movie(
            "plain",
            "plain.mp4",
            rate: 25,
            hasSound: true,
            input("testsrc2=s=160x90:r=25:d=6") + sine + h264("yuv420p", "keyint=30:bframes=2") + aac
        ),
        movie(
            "ntsc",
            "ntsc.mkv",
            rate: 30000.0 / 1001,
            hasSound: true,
            input("mandelbrot=s=128x96:r=30000/1001") + ["-f", "lavfi", "-i", "sine=500:r=44100:d=6", "-t", "6"]
                + h264("yuv420p", "keyint=40:bframes=3:open-gop=1") + aac
        ),
        movie(
            "around",
            "around.mkv",
            rate: 50,
            hasSound: true,
            input("testsrc2=s=112x64:r=50:d=6") + ["-f", "lavfi", "-i", surround] + h264("yuv420p", "keyint=25")
                + ["-c:a", "ac3", "-b:a", "384k"]
        ),
        movie("odd", "odd.mkv", rate: 24, input("testsrc=s=101x77:r=24:d=6") + h264("yuv444p", "keyint=24")),
        movie(
            "varying",
            "varying.mp4",
            rate: nil,
            input("testsrc2=s=96x54:r=25:d=6")
                + ["-vf", "select='not(eq(mod(n,7),3)+eq(mod(n,11),5))'", "-fps_mode", "vfr"]
                + h264("yuv420p", "keyint=25:bframes=2")
        ),
        movie("fast", "fast.mp4", rate: 60, input("testsrc2=s=80x60:r=60:d=6") + h264("yuv420p", "keyint=60")),
        movie(
            "deep",
            "deep.mp4",
            rate: 25,
            input("mandelbrot=s=96x64:r=25") + ["-t", "6"] + h264("yuv422p10le", "keyint=20")
        ),
        movie(
            "wide",
            "wide.mp4",
            rate: 25,
            input("testsrc=s=90x72:r=25:d=6,setsar=16/15") + h264("yuv420p", "keyint=50:bframes=3")
        ),
        movie("clear", "clear.mov", rate: 15, input(clear) + ["-c:v", "qtrle", "-pix_fmt", "argb"]),
        movie(
            "bright",
            "bright.mkv",
            rate: 25,
            input("testsrc2=s=96x54:r=25:d=6") + [
                "-pix_fmt", "yuv420p10", "-c:v", "ffv1", "-g", "12", "-color_range", "tv", "-color_primaries", "bt2020",
                "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc",
            ]
        ),
        movie(
            "woven",
            "woven.ts",
            rate: 25,
            input("testsrc2=s=128x96:r=50:d=12,tinterlace=interleave_top,setfield=tff,format=yuv420p") + [
                "-t", "6", "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-q:v", "3", "-g", "12", "-bf", "2", "-top",
                "1",
            ]
        ),
        movie(
            "old",
            "old.avi",
            rate: 25,
            input("testsrc2=s=96x64:r=25:d=6") + ["-c:v", "mpeg4", "-q:v", "4", "-g", "15", "-bf", "2"]
        ),
    ]

    /// A ring that turns about nothing, its inside transparent.
    private static let clear =
        "testsrc2=s=64x48:r=15:d=6,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='clip(abs(X-32-20*sin(T))*12,0,255)'"

    private static let stills = [
        RandomSource(
            name: "logo",
            file: "logo.png",
            form: .made(
                input("testsrc2=s=48x32,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='clip(X*8,0,255)'")
                    + ["-frames:v", "1"]
            )
        ),
        RandomSource(name: "photo", file: "photo.jpg", form: .made(input("mandelbrot=s=120x81") + ["-frames:v", "1"])),
        RandomSource(name: "solid", file: "", form: .generated(##"{ "generate": "solid", "color": "#2a6080" }"##)),
        RandomSource(name: "bars", file: "", form: .generated(#"{ "generate": "bars", "size": [128, 72] }"#)),
        RandomSource(
            name: "gradient",
            file: "",
            form: .generated(##"{ "generate": "gradient", "colors": ["#400000", "#40ffa0"], "direction": "up" }"##)
        ),
    ]

    /// All that a clip may show.
    static let all =
        movies + [
            RandomSource(
                name: "turned",
                file: "turned.mp4",
                form: .made(["-i", "FOLDER/plain.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=90"]),
                seconds: 6,
                rate: 25,
                hasSound: true
            ),
            RandomSource(
                name: "pattern",
                file: "",
                form: .generated(#"{ "generate": "pattern", "size": [160, 90], "frameRate": "25" }"#),
                seconds: 60,
                rate: 25
            ),
            RandomSource(
                name: "numbered",
                file: "frame_%03d.png",
                form: .numbered(input("testsrc=s=64x64:r=12:d=6"), rate: "12"),
                seconds: 6,
                rate: 12
            ),
        ] + raws + nested + stills

    /// Files that say nothing of themselves.
    private static let raws = [
        RandomSource(
            name: "raw",
            file: "scan.yuv",
            form: .raw(
                input("testsrc2=s=96x54:r=25:d=6,format=yuv422p10le") + ["-f", "rawvideo"],
                #"{ "pixelFormat": "yuv422p10le", "size": [96, 54], "frameRate": "25" }"#
            ),
            seconds: 6,
            rate: 25
        ),
        RandomSource(
            name: "raw clear",
            file: "scan.rgba",
            form: .raw(
                input(clear) + ["-f", "rawvideo"],
                #"{ "pixelFormat": "rgba", "size": [64, 48], "frameRate": "15" }"#
            ),
            seconds: 6,
            rate: 15
        ),
    ]

    /// Edits as sources, the second with the first in it.
    private static let nested = [
        RandomSource(
            name: "nested",
            file: "part.json",
            form: .edit(
                ##"""
                { "schema": "edit/1",
                  "params": { "word": { "type": "string", "default": "Part" },
                              "tint": { "type": "color", "default": "#80a040" } },
                  "format": { "size": [128, 72], "frameRate": "24", "sampleRate": 44100, "channels": 2,
                              "background": { "$param": "tint" } },
                  "assets": { "a": "plain.mp4", "b": "odd.mkv", "c": "clear.mov" },
                  "tracks": [
                    { "kind": "video", "segments": [
                      { "asset": "a", "in": "7f", "duration": "70f", "blending": "frames", "speed": "4/5" },
                      { "transition": "wipe", "duration": "10f" },
                      { "asset": "b", "duration": "60f", "rotate": [{ "at": "0s", "value": 0 }, { "at": "2s", "value": 40 }] },
                      { "gap": "24f" } ] },
                    { "kind": "video", "segments": [
                      { "gap": "20f" }, { "asset": "c", "duration": "60f", "opacity": 0.7, "position": ["60%", "40%"] } ] },
                    { "kind": "title", "segments": [
                      { "gap": "10f" },
                      { "text": "{{word}}", "duration": "110f", "font": { "size": "20%" }, "enter": "type", "exit": "rise",
                        "scale": [{ "at": "0s", "value": 0.6 }, { "at": "4s", "value": 1.4 }] } ] } ] }
                """##,
                parameters: ##"{ "word": "Näme", "tint": "#c04020" }"##
            ),
            seconds: 6,
            hasSound: true
        ),
        RandomSource(
            name: "nested twice",
            file: "whole.json",
            form: .edit(
                ##"""
                { "schema": "edit/1", "params": { "turn": { "type": "number", "default": 0 } },
                  "format": { "size": [96, 96], "frameRate": "30000/1001", "sampleRate": 48000, "channels": 1 },
                  "assets": { "part": { "edit": "part.json" }, "b": "ntsc.mkv" },
                  "tracks": [
                    { "kind": "video", "segments": [
                      { "asset": "part", "duration": "3s", "snap": "nearest", "speed": "-3/2", "fit": "cover" },
                      { "transition": "dissolve", "duration": "9f" },
                      { "asset": "b", "duration": "3.5s", "snap": "nearest", "rotate": { "$param": "turn" } } ] } ] }
                """##,
                parameters: #"{ "turn": 15 }"#
            ),
            seconds: 6,
            hasSound: true
        ),
    ]

    /// Subtitles of five seconds.
    static let cues = [
        RandomSource(
            name: "srt",
            file: "words.srt",
            form: .written(
                (0..<12).map { cue in
                    let (start, end) = (cue * 410, cue * 410 + 330 + cue % 3 * 200)
                    let (coloured, above) = (##"<b>Three</b> of <font color="#40ffa0">them</font>"##, #"{\an8}Above"#)
                    let text = ["One <i>and</i> two", coloured, above][cue % 3]
                    return "\(cue + 1)\n\(time(start, ",")) --> \(time(end, ","))\n\(text) \(cue)\n"
                }
                .joined(separator: "\n")
            )
        ),
        RandomSource(
            name: "vtt",
            file: "words.vtt",
            form: .written(
                "WEBVTT\n\n"
                    + (0..<12).map { cue in
                        let place = ["", " align:left position:10%", " line:20%", " size:40%"][cue % 4]
                        let times = "\(time(cue * 400, ".")) --> \(time(cue * 400 + 550, "."))"
                        return "\(times)\(place)\nWords <i>number</i> \(cue)\n"
                    }
                    .joined(separator: "\n")
            )
        ),
        RandomSource(
            name: "ass",
            file: "words.ass",
            form: .written(
                #"""
                [Script Info]
                ScriptType: v4.00+
                PlayResX: 320
                PlayResY: 180
                ScaledBorderAndShadow: yes

                [V4+ Styles]
                Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
                Style: Default,DejaVu Sans,32,&H0040FFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Dialogue: 0,0:00:00.00,0:00:02.50,Default,,0,0,0,,{\k40}ka{\kf60}ra{\ko80}oke
                Dialogue: 1,0:00:00.20,0:00:03.20,Default,,0,0,0,,{\an5\t(\frz70\fscx150)}Turning {\blur3\c&H2040FF&}soft
                Dialogue: 0,0:00:02.40,0:00:05.00,Default,,0,0,0,,{\fad(400,800)}Fades
                Dialogue: 0,0:00:00.60,0:00:04.80,Default,,0,0,0,,{\move(10,10,300,90)\p1}m 0 0 l 30 0 30 30 0 30{\p0}
                Dialogue: 0,0:00:02.00,0:00:05.00,Default,,0,0,0,Banner;20,runs along
                """#
            )
        ),
    ]

    /// Of `milliseconds`, below a minute.
    private static func time(_ milliseconds: Int, _ point: String) -> String {
        let digits = { (number: Int, count: Int) in String("\(number + 10000)".suffix(count)) }
        return "00:00:\(digits(milliseconds / 1000, 2))\(point)\(digits(milliseconds % 1000, 3))"
    }

    static let sounds = [
        RandomSource(
            name: "music",
            file: "music.m4a",
            form: .made(input("anoisesrc=r=44100:a=0.3:seed=5:d=9") + aac),
            seconds: 9,
            hasSound: true
        ),
        RandomSource(
            name: "voice",
            file: "voice.wav",
            form: .made(input("sine=700:r=48000:d=9")),
            seconds: 9,
            hasSound: true
        ),
    ]

    /// What a luma wipe runs by.
    static let map = RandomSource(
        name: "map",
        file: "map.png",
        form: .made(input("color=s=64x36,format=gray,geq=lum='(X*4+Y*3)*255/360'") + ["-frames:v", "1"])
    )

    /// What a mask shows: with alpha and moving, a still, moving without alpha.
    static let masks = all.filter { ["clear", "plain", "pattern"].contains($0.name) } + [map]

    /// A table of colours that swaps them and bends them.
    static let table = RandomSource(
        name: "look",
        file: "look.cube",
        form: .written(
            "TITLE \"Look\"\nLUT_3D_SIZE 3\n"
                + (0..<27).map { "\(Double($0 / 9) / 2) 0.\($0 * 37 % 100 + 100) \(Double($0 % 3) / 2.2)\n" }.joined()
        )
    )

    /// Fonts as files of the edit.
    static let font = RandomSource(
        name: "serif",
        file: "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf",
        form: .made([])
    )
}

/// The media of random edits, made with ffmpeg.
package enum RandomMedia {
    /// Writes all of it into `folder`, below the names that ``RandomEdit/text`` uses.
    package static func make(in folder: String) async throws {
        let others = RandomSource.sounds + RandomSource.cues + [RandomSource.map, RandomSource.table]
        for source in RandomSource.all + others {
            switch source.form {
            case .made(let arguments), .numbered(let arguments, _), .raw(let arguments, _):
                let arguments = arguments.map { $0.replacing("FOLDER", with: folder) }
                try await Shell.ffmpeg(arguments + [folder + "/" + source.file])
            case .generated: break
            case .written(let text), .edit(let text, _):
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + source.file))
            }
        }
    }

    package static var hasFonts: Bool { fonts.allSatisfy { FileManager.default.fileExists(atPath: $0) } }

    /// Fonts that together have every character of the edits' texts; without them an edit cannot be compiled.
    package static let fonts = [
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    ]
}
