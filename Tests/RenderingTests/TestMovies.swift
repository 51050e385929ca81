import CompositionModel
import Foundation
import Media
import Rendering
import TestSupport

/// A source that a test made with ffmpeg, and its pictures as ffmpeg decodes them.
struct TestMovie: Sendable {
    let path: String
    let facts: AssetFacts
    let indexes: [Int: FrameIndex]

    /// Writes `name` in `folder` with ffmpeg's `arguments` and probes it.
    static func make(_ name: String, in folder: TemporaryFolder, _ arguments: [String]) async throws -> TestMovie {
        let path = folder.path(name)
        try await Shell.ffmpeg(arguments + [path])
        return try TestMovie(path: path)
    }

    init(path: String) throws {
        self.path = path
        let (facts, indexes) = try AssetProbe.probe(FileByteSource(path: path))
        self.facts = facts
        self.indexes = Dictionary(uniqueKeysWithValues: indexes.map { ($0.streamIndex, $0) })
    }

    /// A colour table with `text` in it.
    static func table(_ name: String, in folder: TemporaryFolder, _ text: String) throws -> TestMovie {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        guard let facts = try ColorTableSource.facts(of: FileByteSource(path: path)) else {
            throw MediaError.notMedia("\(name) is no table.")
        }
        return TestMovie(path: path, facts: facts, indexes: [:])
    }

    private init(path: String, facts: AssetFacts, indexes: [Int: FrameIndex]) {
        (self.path, self.facts, self.indexes) = (path, facts, indexes)
    }

    /// The same samples, said to be turned.
    func turned(degrees: Int, isMirrored: Bool) -> TestMovie {
        var facts = facts
        facts.video[0].orientation = Orientation(degrees: degrees, isMirrored: isMirrored)
        return TestMovie(path: path, facts: facts, indexes: indexes)
    }

    func source() throws -> RenderSource {
        RenderSource(bytes: try FileByteSource(path: path), facts: facts, indexes: indexes)
    }
}

/// Pictures of a movie as raw yuv420p, decoded by ffmpeg.
struct RawPictures: Sendable {
    let size: PictureSize
    private let data: Data

    /// - Parameter arguments: between input and output, such as filters.
    init(_ path: String, size: PictureSize, _ arguments: [String] = []) async throws {
        self.size = size
        data = try await Shell.ffmpeg(
            ["-i", path, "-an"] + arguments + [
                "-pix_fmt", "yuv420p", "-fps_mode", "passthrough", "-f", "rawvideo", "-",
            ]
        )
    }

    private var byteCount: Int {
        size.width * size.height + 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2)
    }
    var count: Int { data.count / byteCount }
    subscript(_ frame: Int) -> [UInt8] { Array(data[frame * byteCount..<(frame + 1) * byteCount]) }
}

/// ffmpeg's sources by name, so that every movie shows something else.
enum TestPattern {
    /// H.264 without loss of its own kind: what ffmpeg decodes is what we decode.
    static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "24", "-pix_fmt", "yuv420p"]
    static let bt709 = [
        "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
    ]

    static func movie(_ pattern: String, _ size: String, rate: String = "25", frames: Int) -> [String] {
        ["-f", "lavfi", "-i", "\(pattern)=size=\(size):rate=\(rate)", "-frames:v", "\(frames)"] + h264 + bt709
    }
}
