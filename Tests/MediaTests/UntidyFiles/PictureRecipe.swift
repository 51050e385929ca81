import TestSupport

/// The pictures of a file to be: their codec, their rate, and what is untidy about their times.
struct PictureRecipe {
    /// How a codec is asked for, and what it can do.
    struct Codec {
        var name: String
        var arguments: [String]
        /// Whether its encoder takes pictures at any time, in ticks of this many a second; 0 for a constant rate only.
        var ticks: Int64 = 0
        var sizes: [(Int, Int)] = [(64, 48), (66, 50), (48, 32), (96, 64)]
        var format = "yuv420p"
        var rates: [(Int64, Int64)] = [
            (25, 1), (30, 1), (24, 1), (30_000, 1001), (24_000, 1001), (50, 1), (60, 1), (60_000, 1001),
        ]
    }

    var codec: Codec
    var width = 64
    var height = 48
    var rate: (num: Int64, den: Int64) = (25, 1)
    /// The pictures that are encoded.
    var count = 30
    /// Those of them that are left out.
    var dropped: Set<Int> = []
    /// What is added to the time of picture n, in ticks, as an expression of ffmpeg and as we count it.
    var shift: (expression: String, ticks: (Int) -> Int64)?
    var pixelAspect: (Int64, Int64) = (1, 1)
    var colors: [String] = []

    /// When picture `number` is shown, in seconds.
    func time(_ number: Int) -> Double {
        let even = Double(number) * Double(rate.den) / Double(rate.num)
        guard let shift, codec.ticks > 0 else { return even }
        return ((even * Double(codec.ticks)).rounded() + Double(shift.ticks(number))) / Double(codec.ticks)
    }

    var numbers: [Int] { (0..<count).filter { !dropped.contains($0) } }

    /// ffmpeg's arguments behind the inputs.
    var arguments: [String] {
        var filters: [String] = []
        if let shift {
            let ticks = "\(codec.ticks)*\(rate.den)/\(rate.num)"
            filters.append("settb=1/\(codec.ticks),setpts='round(N*\(ticks))+\(shift.expression)'")
        }
        if !dropped.isEmpty {
            filters.append("select='not(\(dropped.sorted().map { "eq(n,\($0))" }.joined(separator: "+")))'")
        }
        filters.append("setsar=\(pixelAspect.0)/\(pixelAspect.1)")
        var arguments = ["-vf", filters.joined(separator: ",")]
        if shift != nil { arguments += ["-enc_time_base:v", "1:\(codec.ticks)"] }
        arguments += ["-fps_mode", dropped.isEmpty && shift == nil ? "passthrough" : "vfr"]
        return arguments + ["-pix_fmt", codec.format] + colors + codec.arguments
    }

    // MARK: Codecs

    static func h264(_ random: inout SplitMix, isRaw: Bool = false) -> Codec {
        let keyint = [1, 5, 12, 30, 250][random.below(5)]
        let b = [0, 0, 1, 2, 3][random.below(5)]
        let open = random.below(3) == 0 && b > 0 ? 1 : 0
        let parameters = "keyint=\(keyint):min-keyint=1:bframes=\(b):open-gop=\(open):scenecut=0:b-adapt=0:ref=2"
        let extra = [":b-pyramid=normal", ":slices=2", ":cabac=0", ":intra-refresh=1", ""][random.below(5)]
        let used = extra == ":intra-refresh=1" && (b > 0 || keyint < 12) ? "" : extra
        return Codec(
            name: "H.264 (\(parameters)\(used))",
            arguments: ["-c:v", "libx264", "-preset", "veryfast", "-x264-params", parameters + used],
            ticks: isRaw ? 0 : 90_000
        )
    }

    static func hevc(_ random: inout SplitMix) -> Codec {
        let open = random.below(2)
        let parameters = "log-level=none:keyint=12:min-keyint=12:open-gop=\(open):bframes=\(random.below(4)):b-adapt=0"
        return Codec(
            name: "HEVC (\(parameters))",
            arguments: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", parameters],
            ticks: 90_000,
            // Of 48×32 pictures x265 3.5 corrupts the heap, now and then.
            sizes: [(64, 48), (66, 50), (80, 64), (96, 64)]
        )
    }

    static func mpeg4(_ random: inout SplitMix, b: Bool = true) -> Codec {
        let count = b ? random.below(3) : 0
        return Codec(
            name: "MPEG-4 (bf \(count))",
            arguments: ["-c:v", "mpeg4", "-q:v", "3", "-g", "12", "-bf", "\(count)"]
        )
    }

    static func mpeg2(_ random: inout SplitMix, _ more: [String] = []) -> Codec {
        let count = random.below(3)
        let rates: [(Int64, Int64)] = [(25, 1), (30, 1), (24, 1), (30_000, 1001), (24_000, 1001), (50, 1), (60, 1)]
        return Codec(
            name: "MPEG-2 (bf \(count))",
            arguments: ["-c:v", "mpeg2video", "-q:v", "3", "-g", "12", "-bf", "\(count)"] + more,
            rates: rates
        )
    }

    static let mpeg1 = Codec(
        name: "MPEG-1",
        arguments: ["-c:v", "mpeg1video", "-q:v", "3", "-g", "12", "-bf", "2"],
        rates: [(25, 1), (30, 1), (24, 1), (30_000, 1001)]
    )
    static let mjpeg = Codec(
        name: "Motion JPEG",
        arguments: ["-c:v", "mjpeg", "-q:v", "2"],
        format: "yuvj420p"
    )
    static let prores = Codec(
        name: "ProRes",
        arguments: ["-c:v", "prores_ks", "-profile:v", "0"],
        ticks: 90_000,
        format: "yuv422p10"
    )
    static let ffv1 = Codec(
        name: "FFV1",
        arguments: ["-c:v", "ffv1", "-g", "5"],
        ticks: 90_000,
        sizes: [(65, 49), (64, 48), (33, 35)]
    )
    static let raw = Codec(name: "raw", arguments: ["-c:v", "rawvideo"])
    static let vp8 = Codec(
        name: "VP8 with hidden frames",
        arguments: [
            "-c:v", "libvpx", "-cpu-used", "8", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-g", "20", "-b:v", "1M",
        ],
        ticks: 90_000
    )
    static let vp9 = Codec(
        name: "VP9",
        arguments: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "20", "-b:v", "1M"],
        ticks: 90_000
    )
    static let h263 = Codec(
        name: "H.263",
        arguments: ["-c:v", "h263", "-q:v", "3", "-g", "10"],
        sizes: [(128, 96)],
        rates: [(30_000, 1001)]
    )
    static let spark = Codec(name: "Sorenson Spark", arguments: ["-c:v", "flv", "-q:v", "3", "-g", "10"])
    static let wmv2 = Codec(name: "WMV 8", arguments: ["-c:v", "wmv2", "-q:v", "3", "-g", "10"])
    static let theora = Codec(
        name: "Theora",
        arguments: ["-c:v", "libtheora", "-q:v", "8", "-g", "16"],
        sizes: [(64, 48), (66, 50)]
    )
    static let qtrle = Codec(name: "QuickTime Animation", arguments: ["-c:v", "qtrle"], format: "rgb24")
}
