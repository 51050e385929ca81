// Keys that other programs have for encoding, size and rate. Here the preset and the format say these.
extension EditObject {
    /// - Returns: what is said of `member` of an output, and what to write; nil when it is no word for a setting.
    func setting(_ member: JSONMember) -> (message: String, suggestion: String?)? {
        guard self == .output else { return nil }
        let letters = member.key.prefix(40).lowercased().filter { $0.isLetter || $0.isNumber }
        guard let place = Self.places.first(where: { $0.words.contains(letters) }) else { return nil }
        return ("\(name) has no key \"\(member.key)\"; \(place.sentence)", place.suggestion)
    }

    private struct Place {
        /// Keys of other programs, as lower-case letters and digits.
        let words: Set<String>
        /// Where it is said here.
        let sentence: String
        let suggestion: String?
    }

    private static let places = [
        Place(
            words: [
                "crf", "quality", "q", "qp", "qscale", "bitrate", "videobitrate", "vb", "bv", "maxrate", "bufsize",
                "speed", "tune", "profile", "level", "gop", "g", "keyint", "pixfmt", "pixelformat", "twopass", "pass",
            ],
            sentence: "its preset says the encoding, and `cutfarm presets` lists all",
            suggestion: nil
        ),
        Place(
            words: [
                "codec", "vcodec", "videocodec", "cv", "encoder", "acodec", "audiocodec", "ca", "ext", "extension",
                "container", "muxer", "type", "f",
            ],
            sentence: "its preset says codecs and container, and `cutfarm presets` lists all",
            suggestion: "\"preset\": \"h264\""
        ),
        Place(
            words: ["audiobitrate", "ab", "ba"],
            sentence: "its preset says the bit rate of sound, and `cutfarm presets` lists all",
            suggestion: nil
        ),
        Place(
            words: ["size", "resolution", "scale", "width", "height", "w", "h", "s", "dimensions"],
            sentence: "the edit's \"format\" says the size, and presets such as h264-720p make it smaller",
            suggestion: "\"preset\": \"h264-720p\""
        ),
        Place(
            words: ["fps", "framerate", "rate", "r"],
            sentence: "the edit's \"format\" says the frame rate",
            suggestion: "\"format\": { \"frameRate\": \"25\" }"
        ),
        Place(
            words: ["samplerate", "ar", "channels", "ac", "channellayout"],
            sentence: "the edit's \"format\" says sample rate and channels",
            suggestion: "\"format\": { \"sampleRate\": 48000, \"channels\": 2 }"
        ),
    ]
}
