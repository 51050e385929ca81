// Keys that other programs have for encoding, size and rate. Here the preset and the format say these.
extension EditObject {
    /// - Returns: what is said of `member` of an output or of the edit, and what to write; nil when it is no word for a
    ///   setting.
    func setting(_ member: JSONMember) -> (message: String, suggestion: String?)? {
        guard self == .output || self == .edit else { return nil }
        let letters = member.key.prefix(40).lowercased().filter { $0.isLetter || $0.isNumber }
        guard let place = Self.places.first(where: { $0.words.contains(letters) }) else { return nil }
        let isEdit = self == .edit
        let sentence =
            place.ofPreset.map { "\(isEdit ? "the preset of an output" : "its preset") \($0)" }
            ?? place.ofFormat ?? ""
        return ("\(name) has no key \"\(member.key)\"; \(sentence)", isEdit ? place.inEdit : place.inOutput)
    }

    private struct Place {
        /// Keys of other programs, as lower-case letters and digits.
        let words: Set<String>
        /// What the preset does about it; nil where the format says it.
        var ofPreset: String?
        /// What the format does about it; nil where the preset says it.
        var ofFormat: String?
        /// What to write in the edit, in place of the key.
        var inEdit: String?
        /// What to write in the output, or in the edit where that is the place for it.
        var inOutput: String?
    }

    private static let places = [
        Place(
            words: [
                "crf", "quality", "q", "qp", "qscale", "bitrate", "videobitrate", "vb", "bv", "maxrate", "bufsize",
                "speed", "tune", "profile", "level", "gop", "g", "keyint", "pixfmt", "pixelformat", "twopass", "pass",
            ],
            ofPreset: "says the encoding, and `cutfarm presets` lists all"
        ),
        Place(
            words: [
                "codec", "vcodec", "videocodec", "cv", "encoder", "acodec", "audiocodec", "ca", "ext", "extension",
                "container", "muxer", "type", "f", "preset",
            ],
            ofPreset: "says codecs and container, and `cutfarm presets` lists all",
            inEdit: "\"outputs\": [{ \"preset\": \"h264\" }]",
            inOutput: "\"preset\": \"h264\""
        ),
        Place(
            words: ["audiobitrate", "ab", "ba"],
            ofPreset: "says the bit rate of sound, and `cutfarm presets` lists all"
        ),
        Place(
            words: ["size", "resolution", "scale", "width", "height", "w", "h", "s", "dimensions"],
            ofFormat: "the edit's \"format\" says the size, and presets such as h264-720p make it smaller",
            inEdit: "\"format\": { \"size\": [1920, 1080] }",
            inOutput: "\"preset\": \"h264-720p\""
        ),
        Place(
            words: ["fps", "framerate", "rate", "r"],
            ofFormat: "the edit's \"format\" says the frame rate",
            inEdit: "\"format\": { \"frameRate\": \"25\" }",
            inOutput: "\"format\": { \"frameRate\": \"25\" }"
        ),
        Place(
            words: ["samplerate", "ar", "channels", "ac", "channellayout"],
            ofFormat: "the edit's \"format\" says sample rate and channels",
            inEdit: "\"format\": { \"sampleRate\": 48000, \"channels\": 2 }",
            inOutput: "\"format\": { \"sampleRate\": 48000, \"channels\": 2 }"
        ),
    ]
}
