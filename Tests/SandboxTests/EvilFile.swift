import Foundation
import TestSupport

/// Files that are made to harm who opens them.
struct EvilFile: Sendable, CustomStringConvertible {
    let name: String
    let bytes: Data
    var description: String { name }

    // MARK: Mutations

    /// Kinds of files that decode: one for each demuxer that ffmpeg also writes.
    static let kinds: [(file: String, arguments: [String])] = {
        let picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=0.6"]
        let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.6"]
        let both = picture + sound
        return [
            ("a.mp4", both + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
            ("b.mov", both + ["-c:v", "prores_ks", "-c:a", "pcm_s16le"]),
            ("c.mkv", both + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac"]),
            ("d.webm", both + ["-c:v", "libvpx", "-c:a", "libopus"]),
            ("e.ts", both + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
            ("f.mpg", both + ["-c:v", "mpeg2video", "-c:a", "mp2"]),
            ("g.avi", both + ["-c:v", "mpeg4", "-c:a", "libmp3lame"]),
            ("h.flv", both + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
            ("i.mxf", picture + ["-c:v", "mpeg2video"]),
            ("j.asf", both + ["-c:v", "mpeg4", "-c:a", "ac3"]),
            ("k.nut", both + ["-c:v", "ffv1", "-c:a", "pcm_s16le"]),
            ("l.y4m", picture),
            ("m.h264", picture + ["-c:v", "libx264", "-preset", "ultrafast"]),
            ("n.hevc", picture + ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]),
            ("o.ivf", picture + ["-c:v", "libvpx"]),
            ("p.wav", sound), ("q.w64", sound), ("r.aiff", sound), ("s.caf", sound), ("t.au", sound), ("u.mp3", sound),
            ("v.flac", sound), ("w.ogg", sound + ["-c:a", "libvorbis"]), ("x.aac", sound + ["-c:a", "aac"]),
            ("y.ac3", sound), ("z.eac3", sound), ("A.wv", sound + ["-c:a", "wavpack"]), ("B.tta", sound),
            ("C.png", picture + ["-frames:v", "1"]), ("D.jpg", picture + ["-frames:v", "1"]),
            ("E.mp4", sound + ["-c:a", "alac"]),
        ]
    }()

    /// A file that decodes, damaged in one of the ways in which files are damaged on purpose.
    static func mutation(of bytes: Data, _ name: String, seed: Int) -> EvilFile {
        var random = SplitMix(seed: UInt64(seed) &* 0x9E37)
        var mutated = [UInt8](bytes)
        // Most of a container's structure stands at its beginning or at its end.
        func place() -> Int {
            switch random.below(4) {
            case 0: random.below(min(mutated.count, 256))
            case 1: max(0, mutated.count - 1 - random.below(2048))
            default: random.below(mutated.count)
            }
        }
        for _ in 0...random.below(12) {
            let at = place()
            switch random.below(7) {
            case 0: mutated[at] = UInt8(truncatingIfNeeded: random.next())
            case 1: mutated[at] ^= 1 << UInt8(random.below(8))
            case 2:
                // Lengths and counts: the largest and the smallest numbers of four bytes.
                let first: UInt8 = [0xFF, 0x7F, 0, 0x80][random.below(4)]
                let others: UInt8 = first & 1 == 1 ? 0xFF : 0
                for (offset, byte) in [first, others, others, others].enumerated() where at + offset < mutated.count {
                    mutated[at + offset] = byte
                }
            case 3: mutated.removeSubrange(at..<min(mutated.count, at + 1 + random.below(16)))
            case 4:
                let from = place()
                mutated.insert(contentsOf: mutated[from..<min(mutated.count, from + 1 + random.below(64))], at: at)
            case 5: mutated.removeSubrange(max(1, at)...)
            default:
                for offset in 0..<random.below(32) where at + offset < mutated.count {
                    mutated[at + offset] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            if mutated.isEmpty { mutated = [0] }
        }
        return EvilFile(name: "\(seed)-\(name)", bytes: Data(mutated))
    }

    // MARK: Bombs

    /// Few bytes that ask for much memory, time or room: those that `Tests/Oracles/evil_files.py` writes.
    static func bombs(in folder: TemporaryFolder) async throws -> [EvilFile] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = root.appendingPathComponent("Oracles/evil_files.py").path
        let outcome = try await Shell.run("python3", [script, folder.url.path])
        return try outcome.text.split(separator: "\n").map { name in
            try EvilFile(name: String(name), bytes: Data(contentsOf: URL(fileURLWithPath: folder.path(String(name)))))
        }
    }

    // MARK: Texts that name other files

    /// Playlists and scripts that would have their reader fetch `url`, or open `file`.
    static func references(to url: String, _ file: String) -> [EvilFile] {
        let targets = [
            url + "/a.ts", "file:" + file, file, "concat:\(file)|\(file)", "subfile,,start,0,end,0,,:" + file,
        ]
        return targets.flatMap { target in
            texts(naming: target).map { EvilFile(name: $0.name, bytes: Data($0.text.utf8)) }
        }
    }

    private static func texts(naming target: String) -> [(name: String, text: String)] {
        let list = "#EXTINF:1,\n\(target)\n#EXT-X-ENDLIST\n"
        return [
            ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + list),
            ("list.ts", "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"\(target)\"\n" + list),
            ("script.ffconcat", "ffconcat version 1.0\nfile '\(target)'\n"),
            ("script.mp4", "ffconcat version 1.0\nfile '\(target)'\n"),
            (
                "list.mpd",
                """
                <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet>
                <Representation id="1" bandwidth="1"><BaseURL>\(target)</BaseURL><SegmentList>
                <SegmentURL media="\(target)"/></SegmentList></Representation></AdaptationSet></Period></MPD>
                """
            ),
            (
                "call.sdp",
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n"
                    + "a=rtpmap:96 H264/90000\na=control:\(target)\n"
            ),
            ("picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"\(target)\"/></svg>"),
        ]
    }
}
