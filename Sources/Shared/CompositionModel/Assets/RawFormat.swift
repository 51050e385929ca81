package import Timing

/// The contents of a file without a header, as the edit states them.
package enum RawFormat: Sendable, Hashable {
    case picture(RawPicture)
    case sound(RawSound)
}

/// Frames that follow each other in the file without anything between them.
package struct RawPicture: Sendable, Hashable {
    package var pixelFormat: RawPixelFormat
    /// The size in pixels; both sides are even.
    package var size: PictureSize
    package var frameRate: FrameRate

    package init(pixelFormat: RawPixelFormat, size: PictureSize, frameRate: FrameRate) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.frameRate = frameRate
    }

    /// The size of one frame in bytes.
    package var byteCount: Int { size.width * size.height / 2 * pixelFormat.halfBytes }
}

/// The pixel formats that raw files may have, by libavutil's names; samples of more than 8 bits are little-endian.
package enum RawPixelFormat: String, Sendable, Hashable, CaseIterable {
    case yuv420p, yuv422p, yuv444p, yuva420p, gray, nv12, nv21, yuyv422, uyvy422
    case rgb24, bgr24, rgba, bgra, argb, abgr, gbrp, rgb48le, rgba64le
    case yuv420p10le, yuv422p10le, yuv444p10le, yuv420p12le, yuv422p12le, yuv444p12le
    case yuv420p16le, yuv422p16le, yuv444p16le, gray10le, gray16le

    /// The average number of bytes of two pixels.
    var halfBytes: Int {
        switch self {
        case .gray: 2
        case .yuv420p, .nv12, .nv21: 3
        case .yuv422p, .yuyv422, .uyvy422, .gray10le, .gray16le: 4
        case .yuva420p: 5
        case .yuv444p, .rgb24, .bgr24, .gbrp: 6
        case .yuv420p10le, .yuv420p12le, .yuv420p16le: 6
        case .rgba, .bgra, .argb, .abgr, .yuv422p10le, .yuv422p12le, .yuv422p16le: 8
        case .yuv444p10le, .yuv444p12le, .yuv444p16le, .rgb48le: 12
        case .rgba64le: 16
        }
    }

    /// The tag by which libavcodec knows the format (libavcodec/raw.c): four characters, or letters such as `Y3`
    /// followed by the shifts of its chroma and its depth.
    package var fourCC: [UInt8] {
        switch self {
        case .yuv420p: Array("I420".utf8)
        case .yuv422p: Array("Y42B".utf8)
        case .yuv444p: Array("444P".utf8)
        case .yuva420p: Array("Y4".utf8) + [11, 8]
        case .gray: Array("Y800".utf8)
        case .nv12: Array("NV12".utf8)
        case .nv21: Array("NV21".utf8)
        case .yuyv422: Array("YUY2".utf8)
        case .uyvy422: Array("UYVY".utf8)
        case .rgb24: Array("RGB".utf8) + [24]
        case .bgr24: Array("BGR".utf8) + [24]
        case .rgba: Array("RGBA".utf8)
        case .bgra: Array("BGRA".utf8)
        case .argb: Array("ARGB".utf8)
        case .abgr: Array("ABGR".utf8)
        case .gbrp: Array("G3".utf8) + [0, 8]
        case .rgb48le: Array("RGB0".utf8)
        case .rgba64le: Array("RBA@".utf8)
        case .yuv420p10le: Array("Y3".utf8) + [11, 10]
        case .yuv422p10le: Array("Y3".utf8) + [10, 10]
        case .yuv444p10le: Array("Y3".utf8) + [0, 10]
        case .yuv420p12le: Array("Y3".utf8) + [11, 12]
        case .yuv422p12le: Array("Y3".utf8) + [10, 12]
        case .yuv444p12le: Array("Y3".utf8) + [0, 12]
        case .yuv420p16le: Array("Y3".utf8) + [11, 16]
        case .yuv422p16le: Array("Y3".utf8) + [10, 16]
        case .yuv444p16le: Array("Y3".utf8) + [0, 16]
        case .gray10le: Array("Y1".utf8) + [0, 10]
        case .gray16le: Array("Y1".utf8) + [0, 16]
        }
    }
}

/// Interleaved samples that follow each other in the file without anything between them.
package struct RawSound: Sendable, Hashable {
    package var sampleFormat: RawSampleFormat
    /// The sample rate in Hz.
    package var sampleRate: Int
    package var channels: Int

    package init(sampleFormat: RawSampleFormat, sampleRate: Int, channels: Int) {
        self.sampleFormat = sampleFormat
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The size in bytes of one sample of all channels.
    package var byteCount: Int { sampleFormat.byteCount * channels }

    /// The numbers of channels that a raw file may have.
    package static let channelCounts = 1...8
}

/// The sample formats that raw files may have, by libavutil's names; all are little-endian.
package enum RawSampleFormat: String, Sendable, Hashable, CaseIterable {
    case u8, s16le, s24le, s32le, f32le, f64le

    /// The size in bytes of one sample of one channel.
    package var byteCount: Int {
        switch self {
        case .u8: 1
        case .s16le: 2
        case .s24le: 3
        case .s32le, .f32le: 4
        case .f64le: 8
        }
    }

    package var isFloat: Bool { self == .f32le || self == .f64le }
}
