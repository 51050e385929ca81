import Media
import Pixels
import Timing

/// The pictures of a stream in HLG or PQ, brought into BT.709's range of brightness.
final class ToneMappedPictures: TimedPictures {
    private let source: any TimedPictures
    private let map: ToneMap
    private let converter = PictureConverter()
    private var last: (wide: Picture, mapped: Picture)?

    init(_ source: any TimedPictures, map: ToneMap) {
        self.source = source
        self.map = map
    }

    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture {
        let picture = try source.picture(at: time, direction: direction)
        if let last, last.wide === picture { return last.mapped }
        let mapped = try mapped(picture)
        last = (picture, mapped)
        return mapped
    }

    private func mapped(_ picture: Picture) throws(MediaError) -> Picture {
        let rgb = try converter.rgb16(picture)
        let target = try MutablePicture(
            width: rgb.width,
            height: rgb.height,
            pixelFormat: rgb.pixelFormat,
            color: rgb.color
        )
        // libavutil's order of planes: green, blue, red.
        rgb.withPlane(0) { green in
            rgb.withPlane(1) { blue in
                rgb.withPlane(2) { red in
                    target.withMutablePlane(0) { toGreen in
                        target.withMutablePlane(1) { toBlue in
                            target.withMutablePlane(2) { toRed in
                                for y in 0..<rgb.height {
                                    map.map(
                                        (red.samples16(y), green.samples16(y), blue.samples16(y)),
                                        into: (toRed.samples16(y), toGreen.samples16(y), toBlue.samples16(y))
                                    )
                                }
                            }
                        }
                    }
                }
            }
        }
        return try target.freeze()
    }
}

extension PlaneView {
    fileprivate func samples16(_ y: Int) -> UnsafeBufferPointer<UInt16> {
        row(y).assumingMemoryBound(to: UInt16.self)
    }
}

extension MutablePlaneView {
    fileprivate func samples16(_ y: Int) -> UnsafeMutableBufferPointer<UInt16> {
        row(y).assumingMemoryBound(to: UInt16.self)
    }
}
