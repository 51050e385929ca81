package import CompositionModel
package import Media
import Titles

/// Subtitle files as assets: small texts that are read at once.
package enum SubtitleSource {
    private static let headLength = 16 << 10

    /// What a subtitle file says of itself, and the fonts that it carries.
    /// - Returns: nil for what does not look like one.
    /// - Throws: `SubtitleProblem` with the line at fault; what `source` throws.
    package static func facts(of source: any ByteSource) throws -> AssetFacts? {
        var head = [UInt8](repeating: 0, count: Int(min(Int64(headLength), source.byteCount)))
        let count = try head.withUnsafeMutableBytes { try source.read(into: $0, at: 0) }
        guard SubtitleScript.looksLikeSubtitles(head.prefix(count)) else { return nil }
        let script = try script(source)
        // A font that cannot be read is as one that is not there.
        let fonts = try script.fonts.enumerated().compactMap { number, bytes -> SubtitleFacts.Font? in
            guard FontProbe.isFont(bytes) else { return nil }
            let file = try FontFile(bytes, digest: ContentDigest(of: bytes))
            return (try? FontProbe.faces(of: file)).map { SubtitleFacts.Font(number: number, faces: $0) }
        }
        return AssetFacts(
            container: script.format.rawValue,
            byteCount: source.byteCount,
            video: [],
            audio: [],
            subtitles: SubtitleFacts(script, fonts: fonts)
        )
    }

    /// The cues of a subtitle file.
    /// - Throws: ``RenderError`` `subtitles_unreadable` for one that is too large, and with the line at fault; what
    ///   `source` throws.
    static func script(_ source: any ByteSource) throws -> SubtitleScript {
        guard source.byteCount <= 32 << 20, let bytes = try WholeSource.bytes(source) else {
            throw RenderError(
                "subtitles_unreadable",
                "A subtitle file of \(source.byteCount) bytes is too large, or ends before its end.",
                isPermanent: true
            )
        }
        do {
            return try SubtitleScript(bytes)
        } catch {
            throw RenderError(failure: error.failure)
        }
    }
}
