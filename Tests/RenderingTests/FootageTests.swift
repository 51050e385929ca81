import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Testing
import Timing

@Suite(.enabled(if: SampleMedia.folder != nil, "CUTFARM_FOOTAGE names no folder with real clips"))
struct FootageTests {
    private static let clips = ["01_nebula", "02_blackhole", "03_nebula", "04_quasar", "05_blackhole"]

    /// Frames off keyframes, from ffmpeg's decode of the whole file.
    @Test(arguments: clips)
    func realClipsAreShownFrameForFrame(name: String) async throws {
        let path = try #require(SampleMedia.folder) + "/\(name).mp4"
        let movie = try TestMovie(path: path)
        let facts = try #require(movie.facts.defaultVideo)
        let size = PictureSize(width: 1280, height: 720)
        let filter = "pad=1280:720:(ow-iw)/2:(oh-ih)/2:black"
        let raw = try await RawPictures(path, size: size, ["-frames:v", "48", "-vf", filter])
        let rate = try FrameRate(25)
        let source = SliceSource(asset: 0, stream: facts.streamIndex, start: try rate.time(ofFrame: 37), fit: .contain)
        let edit = TestTimeline(
            movies: [movie],
            size: size,
            rate: rate,
            frameCount: 10,
            background: "#000000",
            instructions: [SliceInstruction(0..<10, SliceLayer(from: source))]
        )
        let compositor = try edit.compositor()
        let starts = try await presentationTimes(path)
        for frame in 0..<10 {
            // Their first frames last longer than the others: frame 37 of the clock is not their picture 37.
            let shown = try #require(starts.lastIndex { $0 - starts[0] <= Int64(37 + frame) * 3600 })
            #expect(try compositor.picture(at: Int64(frame)).difference(from: raw[shown]) == nil, "frame \(frame)")
        }
    }

    /// Of all shown frames, in ticks of 1/90000 s, as ffprobe tells them.
    private func presentationTimes(_ path: String) async throws -> [Int64] {
        let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts", "-of", "csv=p=0", path]
        let lines = try await Shell.run("ffprobe", arguments).text.split(whereSeparator: \.isNewline)
        return lines.compactMap { Int64($0.prefix { $0 != "," }) }.sorted()
    }
}
