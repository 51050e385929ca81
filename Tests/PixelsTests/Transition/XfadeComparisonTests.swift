import Foundation
import Pixels
import TestSupport
import Testing

/// Every kind that the installed ffmpeg knows, in 4:4:4, against its filter: at most 2 code values apart.
///
/// One in a thousand samples of `dissolve` may be another: there FFmpeg compares libm's sine times 43758, and the last
/// bit of that sine decides.
@Suite struct XfadeComparisonTests {
    static let frame = (width: 118, height: 74)
    /// Frames of the transition; 5 of them are compared.
    static let steps = 11
    static let compared = [1, 3, 5, 8, 10]
    /// FFmpeg 5.1 has 46 of the 58.
    static let shared = Array(XfadeKind.allCases.prefix(46))

    @Test(arguments: shared) func isWhatFFmpegMakes(kind: XfadeKind) async throws {
        let sites = TransitionFrame.sites(Self.frame.width, Self.frame.height, chromaShift: 0)
        let first = TransitionFrame.sample(sites, seed: 1)
        let second = TransitionFrame.sample(sites, seed: 2)
        let frames = try await Self.ffmpeg(kind, first, second)
        // FFmpeg's black and white of 8-bit Y′CbCr are 0 and 255, beside 127.
        let painter = TransitionPainter(
            .xfade(kind, black: PlaneColor(0, 127, 127), white: PlaneColor(255, 127, 127)),
            sites: sites
        )
        for step in Self.compared {
            let progress = Double(step) / Double(Self.steps)
            let ours = TransitionFrame.paint(painter, first, second, progress: progress).bytes
            let theirs = frames[step].bytes
            try #require(ours.count == theirs.count)
            let wrong = zip(ours, theirs).filter { abs(Int($0) - Int($1)) > 2 }.count
            #expect(
                wrong <= (kind == .dissolve ? ours.count / 1000 : 0),
                "\(kind.rawValue) at \(step)/\(Self.steps): \(wrong) of \(ours.count) samples"
            )
        }
    }

    private static func ffmpeg(
        _ kind: XfadeKind,
        _ first: TransitionFrame,
        _ second: TransitionFrame
    ) async throws -> [TransitionFrame] {
        let folder = try TemporaryFolder()
        let input = ["-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "\(frame.width)x\(frame.height)", "-r", "10"]
        for (name, picture) in [("a.yuv", first), ("b.yuv", second)] {
            let data = Data(Array(repeating: picture.bytes, count: steps + 2).joined())
            try data.write(to: URL(fileURLWithPath: folder.path(name)))
        }
        let filter = "[0][1]xfade=transition=\(kind.rawValue):duration=\(Double(steps) / 10):offset=0"
        let output = try await Shell.ffmpeg(
            input + ["-i", folder.path("a.yuv")] + input + ["-i", folder.path("b.yuv")]
                + ["-filter_complex", filter, "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]
        )
        let size = first.bytes.count
        let bytes = Array(output)
        try #require(bytes.count >= size * (steps + 1))
        return (0...steps).map { TransitionFrame(first.sites, bytes: bytes[($0 * size)..<(($0 + 1) * size)]) }
    }
}
