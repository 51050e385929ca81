import Bitstream
import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Messages beside the pictures: kept where pictures are copied, carried into those that are encoded, or said to be lost.
@Suite struct CopiedMessageTests {
    private static let count = 150

    /// Captions of a frame: one triplet with two bytes that tell its number.
    private static func captions(_ number: Int) -> SEIMessage {
        let pair = [UInt8(0x20 + number / 64), UInt8(0x20 + number % 64)]
        return SEIMessage(
            type: 4,
            payload: [0xB5, 0, 0x31] + Array("GA94".utf8) + [3, 0xC1, 0xFF, 0xFC] + pair + [0xFF]
        )
    }

    /// The bytes of a payload that is written as bits; what is missing in the last byte is a 1 and zeros.
    private static func payload(_ bits: String) -> [UInt8] {
        var all = bits.filter { $0 != " " }
        if all.count % 8 != 0 { all += "1" }
        while all.count % 8 != 0 { all += "0" }
        return stride(from: 0, to: all.count, by: 8).map { start in
            UInt8(all.dropFirst(start).prefix(8), radix: 2) ?? 0
        }
    }

    /// What holds for a whole sequence: mastering display, content light, frame packing (side by side).
    private static let display = [
        SEIMessage(
            type: 137,
            payload: [33_000, 16_000, 15_000, 3_000, 7_500, 30_000, 15_635, 16_450].flatMap {
                [UInt8($0 >> 8), UInt8($0 & 255)]
            } + [0, 0x98, 0x96, 0x80, 0, 0, 0, 1]
        ), SEIMessage(type: 144, payload: [0x03, 0xE8, 0x01, 0x90]),
        // id, no cancel, type 3, no quincunx, interpretation 1, six flags, four positions, a byte, period 1, no extension.
        SEIMessage(type: 45, payload: payload("1 0 0000011 0 000001 000000 0000000000000000 00000000 010 0")),
    ]

    private static let userData = SEIMessage(type: 5, payload: [UInt8](repeating: 7, count: 16) + Array("flight".utf8))

    /// Grain in luma, for as long as the sequence lasts.
    private static let grain = SEIMessage(
        type: 19,
        payload: payload("0 00 0 00 0010 1 0 0 00000000 000 00000000 11111111 000000011000000 010")
    )

    /// A raw stream of 150 frames, an IDR picture every 30, whose pictures carry messages by the frame that they are.
    private func make(
        _ folder: TemporaryFolder,
        _ parameters: String = "bframes=3",
        _ messages: (_ frame: Int, _ isIDR: Bool) -> [SEIMessage]
    ) async throws -> TestMovie {
        let raw = folder.path("a.h264")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-frames:v", "\(Self.count)", "-c:v", "libx264"]
                + ["-preset", "veryfast", "-pix_fmt", "yuv420p"] + TestPattern.bt709
                + ["-x264-params", parameters + ":keyint=30:scenecut=0:aud=1", raw]
        )
        var output: [[UInt8]] = []
        let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        for (frame, unit) in try Self.numbered(stream) {
            let place = unit.units.firstIndex { H264UnitType(of: $0)?.isSlice == true } ?? 0
            var units = unit.units.map(Array.init)
            let own = messages(frame, unit.slices[0].isIDR)
            if let made = SEIUnit(header: [6], messages: own).nal() { units.insert(made, at: place) }
            if let timing = own.first(where: { $0.type == 1 }) {
                // In place of the encoder's own picture timing.
                units.removeAll { nal in
                    guard H264UnitType(of: nal[...]) == .sei else { return false }
                    let messages = (try? SEIUnit(nal[...], headerLength: 1))?.messages ?? []
                    return messages.map(\.type) == [1] && messages != [timing]
                }
            }
            output += units
        }
        let path = folder.path("b.h264")
        try Data(AnnexB.stream(of: output.map { $0[...] })).write(to: URL(fileURLWithPath: path))
        return try TestMovie(path: path)
    }

    /// The access units of a stream in decode order, with the frame that each is shown as.
    private static func numbered(_ stream: [UInt8]) throws -> [(frame: Int, unit: H264AccessUnit)] {
        var reader = H264AccessUnitReader()
        let units = try reader.accessUnits(of: AnnexB.units(of: stream[...])).filter { !$0.slices.isEmpty }
        var order = H264PictureOrder()
        var sequence = -1
        let keys = try units.enumerated().map { position, unit in
            let first = unit.slices[0]
            if first.isIDR { sequence += 1 }
            let count = order.next(first, try unit.sets.active(pps: first.ppsID).sps).value
            return (sequence, count, position)
        }
        var frames = [Int](repeating: 0, count: units.count)
        for (frame, key) in keys.sorted(by: <).enumerated() { frames[key.2] = frame }
        return zip(frames, units).map { ($0, $1) }
    }

    /// The messages of each frame of a finished movie.
    private func messages(of movie: StitchedMovie) async throws -> [[SEIMessage]] {
        let filter = ["-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "h264", "-"]
        let stream = [UInt8](try await Shell.ffmpeg(["-i", movie.path] + filter))
        return try Self.numbered(stream).sorted { $0.frame < $1.frame }.map(\.unit.messages)
    }

    /// How many frames have side data of a type, as ffprobe reads them.
    private func sideData(of movie: StitchedMovie) async throws -> [String: Int] {
        let entries = ["-v", "error", "-show_entries", "frame_side_data=side_data_type", "-of", "csv=p=0", movie.path]
        let lines = try await Shell.run("ffprobe", ["-show_frames", "-select_streams", "v"] + entries).text
        return lines.split { $0 == "\n" || $0 == "," }.reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    private static let clips = [
        #"{ "asset": "a", "in": "7f", "duration": "100f" }"#, #"{ "asset": "a", "in": "20f", "duration": "20f" }"#,
        #"{ "transition": "dissolve", "duration": "8f" }"#, #"{ "asset": "a", "in": "95f", "duration": "50f" }"#,
        #"{ "asset": "a", "in": "10f", "duration": "30f", "opacity": 0.5 }"#,
        #"{ "asset": "a", "in": "40f", "duration": "30f", "speed": 2 }"#,
    ]

    /// The frame of the source that each frame of the output shows; nil where it shows two, or at another speed.
    private func shown(_ count: Int) -> [Int?] {
        let first = Array(7..<107).map(Optional.some) + Array(20..<32).map(Optional.some)
        let rest = [Int?](repeating: nil, count: 8) + Array(103..<145).map(Optional.some) + (10..<40).map(Optional.some)
        let all = first + rest
        return all + [Int?](repeating: nil, count: count - all.count)
    }

    @Test func captionsStayWithTheirFrames() async throws {
        let folder = try TemporaryFolder()
        let movie = try await make(folder) { frame, _ in [Self.captions(frame)] }
        let edit = try PlannedEdit(
            CopyCutList.text(clips: Self.clips, of: "a"),
            ["a": movie],
            preset: nil,
            copies: true
        )
        let plan = try edit.plan(nil)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        #expect(try await copied.decoderMessages() == "")
        let found = try await messages(of: copied)
        let wanted = shown(found.count)
        #expect(found.count == Int(plan.frameCount) && plan.copiedSpans.reduce(0) { $0 + $1.frames.count } > 60)
        for (frame, source) in wanted.enumerated() {
            let captions = found[frame].filter { $0.kind == .captions }
            #expect(captions == (source.map { [Self.captions($0)] } ?? []), "frame \(frame)")
        }
        let kept = wanted.compactMap(\.self).count
        #expect(try await sideData(of: copied)["ATSC A53 Part 4 Closed Captions"] == kept)
        let lost = Int64(wanted.count - kept)
        #expect(plan.lost == [LostMessages(kind: .captions, frames: lost)])
        let lines = try #require(plan.copying).lines(of: plan.frameCount)
        #expect(lines.contains("  \(lost) frames without their source's captions"), "\(lines)")
        #expect(try await copied.frameHashes().count == found.count)
    }

    @Test func whatHoldsForASequenceBeginsEachPart() async throws {
        let folder = try TemporaryFolder()
        let movie = try await make(folder) { _, isIDR in (isIDR ? Self.display : []) + [Self.userData] }
        let edit = try PlannedEdit(
            CopyCutList.text(clips: Self.clips, of: "a"),
            ["a": movie],
            preset: nil,
            copies: true
        )
        let plan = try edit.plan(nil)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        #expect(try await copied.decoderMessages() == "")
        let found = try await messages(of: copied)
        // The first clip: its head from frame 7 on is encoded, then groups are copied, then the tail is encoded.
        let copies = plan.copiedSpans.filter { $0.frames.end <= 100 }
        let tail = try #require(copies.map { Int($0.frames.end) }.max())
        for place in [0, 23, 53, tail] {
            #expect(found[place].filter { [137, 144, 45].contains($0.type) } == Self.display, "frame \(place)")
        }
        #expect(found[..<100].allSatisfy { $0.filter { $0.kind == .unregisteredUserData } == [Self.userData] })
        let types = try await sideData(of: copied)
        let packed = found.count { messages in messages.contains { $0.type == 45 } }
        #expect(types["Stereo 3D"] == packed && packed > 5, "\(types)")
        let lost = Dictionary(uniqueKeysWithValues: try #require(plan.lost).map { ($0.kind, $0.frames) })
        #expect(Set(lost.keys) == [.userData, .display, .framePacking], "\(lost)")
    }

    /// Timecode and film grain are kept in copied pictures; encoded ones lose them, and the plan says so.
    @Test func whatIsNotCarriedIsSaid() async throws {
        let folder = try TemporaryFolder()
        let timecode = { (frame: Int) in
            // pic_struct 0; a progressive timestamp with all of its parts, and no time offset but 24 bits of it.
            let parts = [frame / 25 % 60, 0, 10].map { number in String(number, radix: 2) }
            let widths = zip(parts, [6, 6, 5]).map { String(repeating: "0", count: $1 - $0.count) + $0 }.joined()
            let number = String(frame % 25, radix: 2)
            let frames = String(repeating: "0", count: 8 - number.count) + number
            let bits = "0000 1 00 0 00000 1 0 0 \(frames) \(widths) 000000000000000000000000"
            return SEIMessage(type: 1, payload: Self.payload(bits))
        }
        let movie = try await make(folder, "bframes=3:pic-struct=1") { frame, isIDR in
            [timecode(frame)] + (isIDR ? [Self.grain] : [])
        }
        #expect(movie.facts.defaultVideo?.copy?.messages?.map(\.kind) == [.timecode, .filmGrain])
        let clip = #"{ "asset": "a", "in": "7f", "duration": "100f" }"#
        let edit = try PlannedEdit(CopyCutList.text(clips: [clip], of: "a"), ["a": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        let found = try await messages(of: copied)
        let hashes = try await StitchedMovie(path: movie.path).frameHashes()
        let shown = try await copied.frameHashes()
        let spans = plan.copiedSpans
        #expect(!spans.isEmpty)
        for span in spans {
            for frame in span.frames.start..<span.frames.end {
                let own = Int(span.sourceFrame + frame - span.frames.start)
                #expect(found[Int(frame)].filter { $0.type == 1 } == [timecode(own)], "frame \(frame)")
                #expect(found[Int(frame)].contains(Self.grain) == (own % 30 == 0), "frame \(frame)")
                #expect(shown[Int(frame)] == hashes[own], "frame \(frame)")
            }
        }
        let encoded = plan.frameCount - spans.reduce(0) { $0 + $1.frames.count }
        #expect(plan.lost == [.timecode, .filmGrain].map { LostMessages(kind: $0, frames: encoded) })
    }
}
