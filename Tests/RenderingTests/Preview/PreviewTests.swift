import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Testing
import Timing
import WireProtocol

/// What a browser is given of parts decodes to what the finished movie does: every frame at its time, every sample at its
/// place.
@Suite struct PreviewTests {
    /// A job of 131 frames of 30000/1001 per second, in parts that are encoded, or copied and joined to encoded frames.
    private static func job(copies: Bool, preset: String = "h264") async throws -> PreviewJob {
        let folder = try TemporaryFolder()
        let arguments =
            ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30000/1001"]
            + ["-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000", "-frames:v", "240", "-shortest"]
            + ["-c:v", "libx264", "-preset", "fast", "-bf", "3", "-g", "30", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        let movie = try await TestMovie.make("a.mp4", in: folder, arguments + TestPattern.bt709)
        let clip = { (kind: String) in
            """
            { "kind": "\(kind)", "segments": [
                { "asset": "a", "in": "7f", "duration": "90f" }, { "asset": "a", "in": "150f", "duration": "41f" } ] }
            """
        }
        let text = """
            { "schema": "edit/1",
              "format": { "size": [320, 180], "frameRate": "30000/1001", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a.mp4" }, "tracks": [ \(clip("video")), \(clip("audio")) ] }
            """
        let edit = try PlannedEdit(text, ["a": movie], preset: preset, copies: copies)
        return try await PreviewJob(edit, edit.plan(3), in: folder)
    }

    @Test(arguments: [false, true]) func everyFrameIsThatOfTheMovie(copies: Bool) async throws {
        let job = try await Self.job(copies: copies)
        let plan = job.plan
        #expect(plan.frameCount == 131 && plan.segments.count > 1)
        #expect(plan.segments.contains { $0.task.copies?.isEmpty == false } == copies)
        let wanted = try await job.movie.frameHashes()
        #expect(wanted.count == 131)
        let head = try job.head(ofPicture: 0)
        #expect(head.codec.hasPrefix(copies ? "avc3.64" : "avc1.64"), "\(head.codec)")
        var all = head.file
        for number in plan.segments.indices {
            let fragment = try job.fragment(ofPicture: number)
            all += fragment
            let alone = try job.write(head.file + fragment, as: "alone-\(number).mp4")
            let frames = plan.segments[number].frames
            #expect(try await alone.frameHashes() == Array(wanted[Int(frames.start)..<Int(frames.end)]), "\(number)")
        }
        let whole = try job.write(all, as: "whole.mp4")
        #expect(try await whole.frameHashes() == wanted)
        #expect(try await whole.decoderMessages() == "")
        #expect(try await whole.packetTimes("dts") == (0..<131).map { $0 * 1001 })
        let shown = try await whole.packetTimes("pts")
        #expect(shown.map { $0 - shown[0] } == (0..<131).map { $0 * 1001 })
    }

    /// The same parts in another order, as a browser takes them when somebody jumps.
    @Test func aLaterPartMayComeFirst() async throws {
        let job = try await Self.job(copies: true)
        let last = job.plan.segments.count - 1
        let frames = job.plan.segments[last].frames
        let later = try job.write(try job.head(ofPicture: last).file + job.fragment(ofPicture: last), as: "later.mp4")
        #expect(try await later.frameHashes() == Array(job.movie.frameHashes()[Int(frames.start)...]))
        #expect(try await later.packetTimes("dts").first == Int(frames.start) * 1001)
    }

    @Test func everySampleIsThatOfTheMovie() async throws {
        let job = try await Self.job(copies: false)
        let head = try job.head(ofSound: 0)
        #expect(head.codec == "mp4a.40.2")
        var all = head.file
        for number in job.sounds.indices { all += try job.fragment(ofSound: number) }
        let played = try await job.write(all, as: "sound.mp4").samples()
        let wanted = try await job.movie.samples()
        // The priming, which the head's edit list hides, has times before 0. ffmpeg decodes it all the same.
        let priming = 1024 * 2 * MemoryLayout<Float>.size
        #expect(wanted.count > 131 * 1601 * 8 && Data(played.dropFirst(priming)) == wanted, "\(played.count)")
    }

    @Test func whatBrowsersDoNotPlayIsSaid() async throws {
        let job = try await Self.job(copies: false, preset: "lossless")
        let error = #expect(throws: RenderError.self) { try job.head(ofPicture: 0) }
        #expect(error?.failure.code == "preview_unsupported")
        #expect(error?.failure.message == "Browsers do not play ffv1.")
    }

    /// Any frame of any part: the first, the last, one in the middle of a group.
    @Test(arguments: [(false, "h264"), (true, "h264"), (false, "lossless")])
    func aFrameIsThatOfTheMovie(copies: Bool, preset: String) async throws {
        let job = try await Self.job(copies: copies, preset: preset)
        let movie = try await RawPictures(job.movie.path, size: PictureSize(width: 320, height: 180))
        for (number, segment) in job.plan.segments.enumerated() {
            for frame in [0, segment.frames.count / 2, segment.frames.count - 1] {
                let image = try job.picture([(number, frame)], columns: 1, width: 4096)
                let filter = ["-vf", "scale=in_range=pc:in_color_matrix=bt601:out_range=tv:out_color_matrix=bt709"]
                let shown = try await RawPictures(image, size: PictureSize(width: 320, height: 180), filter)[0]
                let wanted = Int(segment.frames.start + frame)
                let near = distance(shown, movie[wanted])
                #expect(near < 4, "frame \(wanted)")
                for other in [wanted - 1, wanted + 1] where 0..<movie.count ~= other {
                    #expect(near < distance(shown, movie[other]), "frame \(wanted) is like \(other)")
                }
            }
        }
    }

    /// Cells stand row by row; what is not there is grey.
    @Test func aSheetShowsFramesAndHoles() async throws {
        let job = try await Self.job(copies: false)
        let image = try job.picture([(0, 3), (nil, 0), (1, 5), (nil, 0)], columns: 2, width: 160)
        let size = PictureSize(width: 320, height: 180)
        let sheet = try await RawPictures(image, size: size)[0]
        func luma(_ x: Int, _ y: Int) -> Int { Int(sheet[y * 320 + x]) }
        let holes = (160..<320).flatMap { x in (0..<180).map { (x, $0) } }.map(luma)
        #expect(holes.allSatisfy { abs($0 - 128) < 4 })
        let frames = (0..<160).flatMap { x in (0..<180).map { (x, $0) } }.map(luma)
        #expect(Set(frames).count > 50)
    }

    /// How much two pictures differ in luma on average, in code values.
    private func distance(_ one: [UInt8], _ other: [UInt8]) -> Double {
        let sum = (0..<320 * 180).reduce(0) { sum, index in sum + abs(Int(one[index]) - Int(other[index])) }
        return Double(sum) / Double(320 * 180)
    }
}
