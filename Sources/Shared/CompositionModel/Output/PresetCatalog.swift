import Timing

/// The export presets by name, in the manner of AV Foundation's `AVAssetExportSession`.
package enum PresetCatalog {
    /// All presets, in the order in which lists show them.
    package static let all: [Preset] =
        [Preset(name: "h264", summary: "H.264 and AAC in MP4, at the edit's size", kind: .h264, box: nil)]
        + boxes.map { name, box in
            let size = "\(box.width)x\(box.height)"
            return Preset(name: name, summary: "H.264 and AAC in MP4, at most \(size)", kind: .h264, box: box)
        }
        + [
            Preset(
                name: matchName,
                summary: "as the source of most untouched frames, which are copied",
                kind: .match,
                box: nil
            )
        ]
        + [Preset(name: "lossless", summary: "FFV1 and 24-bit PCM in Matroska", kind: .lossless, box: nil)]
        + [
            sound("aac", "AAC of 192 kbit/s in MP4 (.m4a)", .aac, 192_000, .mp4),
            sound("opus", "Opus of 128 kbit/s in Ogg", .opus, 128_000, .ogg),
            sound("mp3", "MP3 of 256 kbit/s", .mp3, 256_000, .mp3),
            sound("ac3", "AC-3 of 448 kbit/s in MP4 (.m4a)", .ac3, 448_000, .mp4),
            sound("flac", "FLAC of 24 bit", .flac, nil, .flac),
            sound("alac", "ALAC of 24 bit in MP4 (.m4a)", .alac, nil, .mp4),
            sound("wav", "24-bit PCM in WAV", .pcm24, nil, .wav),
            sound("wav-16", "16-bit PCM in WAV", .pcm16, nil, .wav),
            sound("wav-32", "32-bit PCM in WAV", .pcm32, nil, .wav),
            sound("wav-float", "32-bit floating point in WAV", .pcmFloat, nil, .wav),
        ]

    /// The preset whose encoding and container are those of a source.
    package static let matchName = "match"

    private static func sound(
        _ name: String,
        _ summary: String,
        _ codec: AudioEncoding.Codec,
        _ bitRate: Int?,
        _ container: Container
    ) -> Preset {
        let encoding = AudioEncoding(codec: codec, bitRate: bitRate)
        return Preset(name: name, summary: "Sound alone: " + summary, kind: .sound(encoding, container), box: nil)
    }

    /// The boxes into which the presets fit the picture.
    private static let boxes = [
        ("h264-480p", PictureSize(width: 854, height: 480)),
        ("h264-540p", PictureSize(width: 960, height: 540)),
        ("h264-720p", PictureSize(width: 1280, height: 720)),
        ("h264-1080p", PictureSize(width: 1920, height: 1080)),
        ("h264-2160p", PictureSize(width: 3840, height: 2160)),
    ]

    /// The name of the preset for an edit that asks for no output.
    /// - Parameter picture: whether the edit has any picture.
    package static func standard(picture: Bool) -> String { picture ? "h264" : "aac" }

    /// The preset of this name; nil when there is none.
    package static func preset(named name: String) -> Preset? { all.first { $0.name == name } }
}

/// A named set of choices for making a file of an edit.
package struct Preset: Sendable, Hashable {
    enum Kind: Hashable {
        case h264, match, lossless
        case sound(AudioEncoding, Container)
    }

    package let name: String
    /// The preset in a few words, for lists.
    package let summary: String
    let kind: Kind
    /// The container; of ``followsSource`` the one that it has where the source's is another kind.
    package var container: Container {
        switch kind {
        case .h264, .match: .mp4
        case .lossless: .matroska
        case .sound(_, let container): container
        }
    }
    /// Whether encoding and container are those of a source of the edit, which compiling chooses.
    package var followsSource: Bool { kind == .match }
    /// Whether it copies coded pictures only when it is asked to.
    package var copiesOnRequest: Bool { kind == .h264 }
    /// Whether it makes files without a picture, whatever the edit shows.
    package var isSoundAlone: Bool {
        if case .sound = kind { true } else { false }
    }
    /// The box into which the picture is fitted, made smaller but never larger; nil keeps the edit's size.
    let box: PictureSize?

    /// The settings that the preset chooses for an edit of this format. Those of a preset that ``followsSource`` lack
    /// what the source says.
    /// - Parameters:
    ///   - range: The frames and samples to render; nil means all.
    ///   - picture: Whether the edit has any picture; without one the file has sound alone.
    ///   - sound: Whether the edit has any sound; without it the file has no audio track.
    package func settings(
        for format: Format,
        file: String?,
        range: OutputRange?,
        picture: Bool,
        sound: Bool
    ) -> OutputSettings {
        OutputSettings(
            preset: name,
            file: file,
            range: range?.frames,
            soundRange: range?.samples,
            size: box.map { format.size.fitted(into: $0) } ?? format.size,
            container: container,
            video: picture && !isSoundAlone ? video(format.frameRate) : nil,
            audio: sound ? audio(channels: format.channels) : nil
        )
    }

    /// The codec of the sound, if the edit has any.
    package var soundCodec: AudioEncoding.Codec { audio.codec }

    /// The encoding of sound for `channels` channels. With more than two channels, each gets at least 64 kbit/s, up to
    /// the codec's limit.
    private func audio(channels: Int) -> AudioEncoding {
        var audio = audio
        if channels > 2, let rate = audio.bitRate, let rates = audio.codec.bitRates {
            audio.bitRate = min(max(rate, 64_000 * channels), rates.upperBound)
        }
        return audio
    }

    private var audio: AudioEncoding {
        switch kind {
        case .h264, .match: AudioEncoding(codec: .aac, bitRate: 192_000)
        case .lossless: AudioEncoding(codec: .pcm24, bitRate: nil)
        case .sound(let encoding, _): encoding
        }
    }

    private func video(_ rate: FrameRate) -> VideoEncoding {
        guard kind == .h264 || kind == .match else {
            return VideoEncoding(codec: .ffv1, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 0)
        }
        // Two seconds, in frames; a rate is below 1000 fps (Limits), so this fits.
        let interval = (try? rate.frame(at: RationalTime(whole: 2)).value) ?? 50
        var encoding = VideoEncoding(
            codec: .h264,
            speed: "medium",
            crfThousandths: 20_000,
            keyframeInterval: max(1, Int(interval)),
            postRoll: 20
        )
        if followsSource { encoding.copies = true }
        return encoding
    }
}

extension PictureSize {
    /// The size reduced to fit into `box` with the same proportions; both sides are rounded to the nearest even number
    /// and are at least 2. A size that fits already is kept.
    package func fitted(into box: PictureSize) -> PictureSize {
        guard width > box.width || height > box.height else { return self }
        // Whichever side is further over the box decides the scale.
        let isWide = width * box.height >= height * box.width
        let (top, bottom) = isWide ? (box.width, width) : (box.height, height)
        return PictureSize(
            width: PictureSize.even(width * top, over: bottom),
            height: PictureSize.even(height * top, over: bottom)
        )
    }

    /// The size reduced to fit into `box` with the same proportions, for pictures that may have odd sides; both sides
    /// are rounded to the nearest whole number and are at least 1. A size that fits already is kept.
    package func scaled(into box: PictureSize) -> PictureSize {
        guard width > box.width || height > box.height else { return self }
        let isWide = width * box.height >= height * box.width
        let (top, bottom) = isWide ? (box.width, width) : (box.height, height)
        func scaled(_ side: Int) -> Int { max(1, (2 * side * top + bottom) / (2 * bottom)) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }

    /// The even number nearest to `top / bottom`, at least 2; exactly half goes up.
    private static func even(_ top: Int, over bottom: Int) -> Int { max(2, (top + bottom) / (2 * bottom) * 2) }
}
