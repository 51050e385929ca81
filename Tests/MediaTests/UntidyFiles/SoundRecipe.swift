/// The sound of a file to be: its codec, and what is untidy about its times.
struct SoundRecipe {
    /// How a codec is asked for, and what it keeps.
    struct Codec {
        var name: String
        var arguments: [String]
        var isLossless = false
        var rates = [48_000, 44_100, 32_000]
        var mostChannels = 2
    }

    var codec: Codec
    var sampleRate = 48_000
    var channels = 1
    var count = 48_000
    /// Seconds by which it begins after the pictures.
    var offset = 0.0
    /// Silence in its times, from the first packet at or behind sample `at` on.
    var gap: (at: Int, count: Int)?
    /// How late packets are, in milliseconds, in turn.
    var jitter: [Int] = []
}

extension SoundRecipe.Codec {
    static func pcm(_ name: String) -> Self {
        Self(name: name, arguments: ["-c:a", name], isLossless: true, rates: [48_000, 44_100, 32_000, 22_050, 8000])
    }
    static let flac = Self(
        name: "FLAC",
        arguments: ["-c:a", "flac"],
        isLossless: true,
        rates: [48_000, 44_100, 22_050]
    )
    static let alac = Self(name: "ALAC", arguments: ["-c:a", "alac"], isLossless: true)
    static let wavPack = Self(name: "WavPack", arguments: ["-c:a", "wavpack"], isLossless: true)
    static let tta = Self(name: "TTA", arguments: ["-c:a", "tta"], isLossless: true)
    static let aac = Self(
        name: "AAC",
        arguments: ["-c:a", "aac", "-aac_pns", "0", "-b:a", "160k"],
        rates: [48_000, 44_100, 32_000, 22_050]
    )
    static let mp3 = Self(
        name: "MP3",
        arguments: ["-c:a", "libmp3lame", "-b:a", "160k"],
        rates: [48_000, 44_100, 32_000]
    )
    static let mp2 = Self(name: "MP2", arguments: ["-c:a", "mp2", "-b:a", "192k"])
    static let ac3 = Self(name: "AC-3", arguments: ["-c:a", "ac3", "-b:a", "192k"])
    static let opus = Self(name: "Opus", arguments: ["-c:a", "libopus", "-b:a", "160k"], rates: [48_000])
    static let vorbis = Self(name: "Vorbis", arguments: ["-c:a", "libvorbis", "-q:a", "8"])
    static let wma = Self(name: "WMA 2", arguments: ["-c:a", "wmav2", "-b:a", "160k"], rates: [44_100])
    static let muLaw = Self(name: "G.711 mu-law", arguments: ["-c:a", "pcm_mulaw"], rates: [8000])
}
