import CLibAV
import CompositionModel
import Foundation
import Glibc
import Timing

/// What could change a byte of a result beside our own code; part of every plan and of a worker's registration.
package enum LibraryVersions {
    /// The versions by library: `libavcodec` → `59.37.100`, `ffmpeg` → its own name, `x264` and `x265` → their builds;
    /// `glibc`, whose sines and powers encoders and Cairo take; `processor`, because those of another architecture are
    /// compiled otherwise.
    package static let all: [String: String] = {
        var versions = [
            "libavcodec": text(avcodec_version()),
            "libavformat": text(avformat_version()),
            "libavutil": text(avutil_version()),
            "libswscale": text(swscale_version()),
            "ffmpeg": String(cString: av_version_info()),
        ]
        versions["x264"] = x264()
        versions["x265"] = x265
        versions["glibc"] = glibc
        versions["processor"] = processor
        return versions
    }()

    /// confstr(3): “glibc 2.36”.
    private static var glibc: String? {
        var buffer = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count) > 0 else { return nil }
        let words = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return words.split(separator: " ").last.map(String.init)
    }

    private static var processor: String {
        #if arch(x86_64)
        "x86-64"
        #elseif arch(arm64)
        "arm64"
        #else
        "other"
        #endif
    }

    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }

    /// The string that libx265 exports (x265.h), which libavcodec has loaded: “3.5+1-f0c1022b6”; nil where it has not.
    private static var x265: String? {
        guard let symbol = dlsym(nil, "x265_version_str") else { return nil }
        return symbol.load(as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
    }

    /// x264 names itself in the SEI of its first packet: “x264 - core 164 r3095 baee400 - …”.
    private static func x264() -> String? {
        guard let data = try? firstPacket(), let start = data.firstRange(of: Data("x264 - core ".utf8)) else {
            return nil
        }
        let words = String(decoding: data[start.upperBound...].prefix(40), as: UTF8.self)
        return words.components(separatedBy: " - ").first
    }

    private static func firstPacket() throws -> Data? {
        let encoding = VideoEncoding(
            codec: .h264,
            speed: "ultrafast",
            crfThousandths: 20000,
            keyframeInterval: 1,
            postRoll: 0
        )
        let size = PictureSize(width: 32, height: 32)
        let encoder = try VideoEncoder(encoding: encoding, size: size, color: .bt709, frameRate: FrameRate(25))
        let picture = try MutablePicture(width: 32, height: 32, pixelFormat: .yuv420p, color: .bt709).freeze()
        return try (encoder.send(picture, frame: 0, forceKey: true) + encoder.finish()).first?.data
    }
}
