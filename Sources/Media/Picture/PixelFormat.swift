import CLibAV

/// How samples lie in memory, by libavutil's name.
package struct PixelFormat: Sendable, Hashable {
    /// libavutil's name of the format.
    package let name: String
    let raw: AVPixelFormat

    /// Y′, Cb and Cr of 8 bits, chroma of half the width and height: what frames are made in.
    package static let yuv420p = PixelFormat(known: AV_PIX_FMT_YUV420P)
    /// Eight bits each of red, green and blue in one plane.
    package static let rgb24 = PixelFormat(known: AV_PIX_FMT_RGB24)
    static let bgr24 = PixelFormat(known: AV_PIX_FMT_BGR24)
    static let bgra = PixelFormat(known: AV_PIX_FMT_BGRA)

    /// - Returns: nil when libavutil knows no such format.
    package init?(name: String) {
        let raw = av_get_pix_fmt(name)
        guard raw != AV_PIX_FMT_NONE else { return nil }
        self.name = name
        self.raw = raw
    }

    /// - Returns: nil for a value that this libavutil has no name for.
    init?(raw: AVPixelFormat) {
        guard let name = av_get_pix_fmt_name(raw) else { return nil }
        self.name = String(cString: name)
        self.raw = raw
    }

    private init(known raw: AVPixelFormat) {
        name = String(cString: av_get_pix_fmt_name(raw))
        self.raw = raw
    }

    /// The number of planes.
    package var planeCount: Int { max(0, Int(av_pix_fmt_count_planes(raw))) }
    /// Powers of two by which chroma is narrower and lower than luma.
    package var chromaShift: (x: Int, y: Int) {
        guard let descriptor = av_pix_fmt_desc_get(raw) else { return (0, 0) }
        return (Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h))
    }

    /// Bytes of one row of `plane` that hold picture, without padding.
    func rowBytes(plane: Int, width: Int) -> Int { Int(av_image_get_linesize(raw, Int32(width), Int32(plane))) }

    /// Bytes of a whole picture, without padding.
    func byteCount(width: Int, height: Int) -> Int {
        (0..<planeCount).reduce(0) {
            $0 + rowBytes(plane: $1, width: width) * rowCount(plane: $1, height: height)
        }
    }

    /// Rows of `plane`: chroma planes are lower, rounded up.
    func rowCount(plane: Int, height: Int) -> Int {
        guard plane == 1 || plane == 2 else { return height }
        let shift = chromaShift.y
        return (height + (1 << shift) - 1) >> shift
    }

    /// JPEG's own names for full range are the plain format with a full range flag.
    var isFullRangeName: Bool { name.hasPrefix("yuvj") }

    /// The same layout under the name that says nothing about range.
    var withoutRange: PixelFormat {
        isFullRangeName ? PixelFormat(name: "yuv" + name.dropFirst(4)) ?? self : self
    }

    /// RGB, or numbers of colours that are.
    var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) || has(AV_PIX_FMT_FLAG_PAL) }

    /// Some samples say how much of the picture is seen.
    package var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) }

    /// Bits of a sample of the first component; 0 for what has no samples in memory.
    package var depth: Int { av_pix_fmt_desc_get(raw).map { Int($0.pointee.comp.0.depth) } ?? 0 }

    /// A plane of its own for each component, Y′CbCr, up to 16 bits a sample with the low byte first.
    var isPlanar: Bool {
        guard let descriptor = av_pix_fmt_desc_get(raw), !isRGB, (8...16).contains(depth) else { return false }
        let first = descriptor.pointee.comp.0
        guard first.shift == 0, first.step == (depth + 7) / 8, depth == 8 || !has(AV_PIX_FMT_FLAG_BE) else {
            return false
        }
        return has(AV_PIX_FMT_FLAG_PLANAR) && planeCount == descriptor.pointee.nb_components
    }

    /// The planar format that keeps alpha, as much of the chroma as this one has, and its depth or more.
    var planar: PixelFormat {
        let chroma =
            switch chromaShift {
            case (0, 0): "444p"
            case (1, 0): "422p"
            default: "420p"
            }
        return PixelFormat(name: (hasAlpha ? "yuva" : "yuv") + chroma + (depth > 8 ? "16le" : "")) ?? .yuv420p
    }

    private func has(_ flag: Int32) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(raw) else { return false }
        return descriptor.pointee.flags & UInt64(flag) != 0
    }

    var isHardware: Bool {
        guard let descriptor = av_pix_fmt_desc_get(raw) else { return false }
        return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) != 0
    }
}
