extension AssetFacts {
    /// The streams and other contents as messages list them: `"video/0 (h264, 1280x720), audio/0 (aac, 48000 Hz, de)"`.
    package var words: String {
        let pictures = video.enumerated().map { number, stream in
            "video/\(number) (\(stream.codec), \(stream.width)x\(stream.height)\(Self.suffix(stream.language)))"
        }
        let sounds = audio.enumerated().map { number, stream in
            "audio/\(number) (\(stream.codec), \(stream.sampleRate) Hz\(Self.suffix(stream.language)))"
        }
        let others = (lut.map { ["a LUT (\($0.words))"] } ?? []) + (fonts == nil ? [] : ["a font"])
        let all = pictures + sounds + others
        return all.isEmpty ? "nothing to see or hear" : all.joined(separator: ", ")
    }

    private static func suffix(_ language: String?) -> String { language.map { ", \($0)" } ?? "" }
}
