import CLibAV
import CompositionModel

/// Owner of one AVFrame and the buffers it refers to.
final class Frame {
    let raw: UnsafeMutablePointer<AVFrame>

    init() throws(MediaError) {
        guard let raw = av_frame_alloc() else { throw .decoding("No memory for a frame.") }
        self.raw = raw
    }

    /// A second reference to the same buffers.
    init(referring other: Frame) throws(MediaError) {
        guard let raw = av_frame_clone(other.raw) else { throw .decoding("No memory for a frame.") }
        self.raw = raw
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = raw
        av_frame_free(&pointer)
    }

    /// Whether the decoder says that a part of the picture was missing and that it put something else there.
    var isConcealed: Bool { raw.pointee.decode_error_flags != 0 || raw.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }

    func clear() { av_frame_unref(raw) }

    /// Address and stride of `plane`; nil where the frame has none.
    func plane(_ plane: Int) -> (base: UnsafeMutablePointer<UInt8>, stride: Int)? {
        let (base, stride) = withUnsafeBytes(of: &raw.pointee.data) { data in
            withUnsafeBytes(of: &raw.pointee.linesize) { linesize in
                (
                    data.load(fromByteOffset: plane * 8, as: UnsafeMutablePointer<UInt8>?.self),
                    Int(linesize.load(fromByteOffset: plane * 4, as: Int32.self))
                )
            }
        }
        guard let base else { return nil }
        return (base, stride)
    }

    func setColor(_ color: ColorDescription) {
        raw.pointee.colorspace = color.rawMatrix
        raw.pointee.color_range = color.rawRange
        raw.pointee.color_primaries = color.rawPrimaries
        raw.pointee.color_trc = color.rawTransfer
    }
}
