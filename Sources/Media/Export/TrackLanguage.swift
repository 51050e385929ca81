import CLibAV

/// Writes the languages of a finished QuickTime file's tracks, because libavformat's writer knows Macintosh codes there
/// alone, and calls German (`deu`) and many others undetermined.
///
/// QuickTime reads the packed letters of ISO 639-2 in `mdhd` as MP4 does (QuickTime File Format, "Language Code Values"):
/// three letters of five bits each, counted from 0x60.
enum TrackLanguage {
    /// - Parameter streams: the source of each track, in the file's order.
    /// - Throws: ``MediaError/writing(_:)``.
    static func write(_ streams: [ExportStream], to path: String) throws(MediaError) {
        try FilePatch.apply(toTracksOf: path, streams) { (track, stream, reader, source) throws(MediaError) in
            guard let language = StreamFacts(stream.stream)?.language, let code = code(language),
                let head = try reader.boxes(at: ["mdia", "mdhd"], in: track).first
            else { return nil }
            let isWide = try source.bytes(at: head.content.lowerBound, count: 1).first == 1
            let bytes = [UInt8(code >> 8), UInt8(code & 255)]
            return FilePatch(offset: head.content.lowerBound + (isWide ? 32 : 20), bytes: bytes)
        }
    }

    /// The packed letters; nil for a text that is no code of three letters.
    static func code(_ language: String) -> UInt16? {
        let letters = Array(language.utf8)
        guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
    }
}
