import Foundation
import TestSupport
import Testing

/// What other programs find in a movie, and what is left of it when ffmpeg copies its packets into another file.
extension StitchedMovie {
    /// The pictures and sounds of it, as ffmpeg's `-c copy` puts them into a transport stream, Matroska and HLS.
    /// - Returns: the movies that were written.
    func remuxed(in folder: TemporaryFolder) async throws -> [StitchedMovie] {
        let name = (path as NSString).lastPathComponent
        let hls = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"]
        var movies: [StitchedMovie] = []
        for (ending, options) in [("ts", []), ("mkv", []), ("m3u8", hls)] {
            let copy = folder.path("\(name).copy.\(ending)")
            // PCM has no place in a transport stream.
            let streams = name.hasSuffix(".mkv") ? ["-an"] : []
            let words = ["-nostdin", "-v", "warning", "-y", "-i", path, "-c", "copy"] + streams + options + [copy]
            let outcome = try await Shell.run("ffmpeg", words)
            // PCM in Matroska names no loudspeakers, and HEVC there has no tag.
            let excused = ["Guessed Channel Layout"] + (name.hasSuffix(".mkv") ? ["is not hvc1"] : [])
            let said = outcome.errors.split(separator: "\n").filter { line in !excused.contains { line.contains($0) } }
            #expect(outcome.exitCode == 0 && said.joined().allSatisfy(\.isWhitespace), "\(ending): \(said)")
            movies.append(StitchedMovie(path: copy))
        }
        return movies
    }

    /// MediaInfo's account of the first picture stream.
    func mediaInfo() async throws -> [String: String] {
        let outcome = try await Shell.run("mediainfo", ["--Output=JSON", path])
        let answer = try JSONDecoder().decode(MediaInfo.self, from: outcome.output)
        let track = try #require(answer.media.track.first { $0["@type"]?.text == "Video" })
        return track.compactMapValues(\.text).mapValues { text in
            let values = Set(text.components(separatedBy: " / "))
            return values.count == 1 ? values.first ?? text : text
        }
    }

    private struct MediaInfo: Decodable {
        struct Media: Decodable { var track: [[String: Value]] }
        /// A string; what has parts of its own is left out.
        struct Value: Decodable {
            var text: String?
            init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
        }
        var media: Media
    }

    /// Packets of the picture in order of decoding: pts and dts in frames, and whether the table of key pictures has it.
    func packets(frameRate: Double = 25) async throws -> [(pts: Int, dts: Int?, isKey: Bool)] {
        let entries = ["-show_entries", "packet=pts_time,dts_time,flags", "-of", "csv=p=0", path]
        let text = try await Shell.run("ffprobe", ["-v", "error", "-select_streams", "v"] + entries).text
        return try text.split(separator: "\n").map { line in
            let parts = line.split(separator: ",", omittingEmptySubsequences: false)
            func frame(_ part: Substring) -> Int? { Double(part).map { Int(($0 * frameRate).rounded()) } }
            return (try #require(frame(parts[0])), frame(parts[1]), parts[2].hasPrefix("K"))
        }
    }
}
