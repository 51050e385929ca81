package import CompositionModel
package import Media
import Titles

/// Fonts as assets: they are read as media are, block by block, and drawn from memory.
package enum FontSource {
    /// The largest font file that is taken in.
    private static let mostBytes: Int64 = 256 << 20

    /// What a font file says of itself.
    /// - Returns: nil for what is no font.
    /// - Throws: `TitleError` for a font that cannot be read; what `source` throws.
    package static func facts(of source: any ByteSource) throws -> AssetFacts? {
        var head = [UInt8](repeating: 0, count: 4)
        let count = try head.withUnsafeMutableBytes { try source.read(into: $0, at: 0) }
        guard count == 4, FontProbe.isFont(head) else { return nil }
        let faces = try FontProbe.faces(of: file(source, digest: nil))
        return AssetFacts(container: "font", byteCount: source.byteCount, video: [], audio: [], fonts: faces)
    }

    /// - Parameter digest: the digest of the bytes; nil when nobody knows it yet.
    static func file(_ source: any ByteSource, digest: ContentDigest?) throws -> FontFile {
        guard source.byteCount <= mostBytes else {
            throw TitleError.unreadableFont(
                "A font of \(source.byteCount) bytes is too large; the limit is \(mostBytes)."
            )
        }
        guard let bytes = try WholeSource.bytes(source) else {
            throw TitleError.unreadableFont("The font ends before its end; copy it again.")
        }
        if let damage = FontProbe.damage(in: bytes) { throw TitleError.unreadableFont(damage) }
        return try FontFile(bytes, digest: digest ?? ContentDigest(of: bytes))
    }
}
