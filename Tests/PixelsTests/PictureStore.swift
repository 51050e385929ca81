import Pixels

/// Planes of a small 4:2:0 or 4:4:4 picture, and pixels of it by place.
struct PictureStore {
    var planes: [PlaneStore]
    var alpha: PlaneStore?
    let shift: Int

    init(_ width: Int, _ height: Int, shift: Int = 1, value: (Int, Int, Int) -> UInt8) {
        self.shift = shift
        planes = (0..<3).map { plane in
            let own = plane == 0 ? 0 : shift
            return PlaneStore(width: (width + own) >> own, height: (height + own) >> own) { value(plane, $0, $1) }
        }
    }

    static func noise(_ width: Int, _ height: Int, shift: Int = 1, seed: Int) -> PictureStore {
        let noise = (0..<3).map { PlaneStore.noise(width, height, seed: seed + $0) }
        return PictureStore(width, height, shift: shift) { noise[$0][$1, $2] }
    }

    /// Without edges sharper than some pixels.
    static func smooth(_ width: Int, _ height: Int, shift: Int = 1) -> PictureStore {
        PictureStore(width, height, shift: shift) { plane, x, y in
            let scale = plane == 0 ? 1 : 1 << shift
            let (x, y) = (x * scale, y * scale)
            return UInt8(40 + (x * x * 3 / (width + 1) + y * 2 + plane * 31) % 160)
        }
    }

    static func flat(_ width: Int, _ height: Int, shift: Int = 1, _ values: [UInt8]) -> PictureStore {
        PictureStore(width, height, shift: shift) { plane, _, _ in values[plane] }
    }

    func with(alpha: (Int, Int) -> UInt8) -> PictureStore {
        var copy = self
        copy.alpha = PlaneStore(width: planes[0].width, height: planes[0].height, value: alpha)
        return copy
    }

    func layer(_ body: (LayerPicture) -> Void) {
        planes[0].read { luma in
            planes[1].read { blue in
                planes[2].read { red in
                    let planes = [luma, blue, red]
                    guard let alpha else {
                        return body(LayerPicture(planes: planes, alpha: nil, shift: (shift, shift)))
                    }
                    alpha.read { body(LayerPicture(planes: planes, alpha: $0, shift: (shift, shift))) }
                }
            }
        }
    }

    mutating func frame(_ body: (FramePlanes) -> Void) {
        let shift = shift
        var (luma, blue, red) = (planes[0], planes[1], planes[2])
        luma.write { luma in
            blue.write { blue in
                red.write { red in body(FramePlanes(planes: [luma, blue, red], shift: (shift, shift))) }
            }
        }
        planes = [luma, blue, red]
    }

    /// This picture with `picture` laid over it.
    func painted(
        _ picture: PictureStore,
        _ projection: Projection,
        crop: PlaneRect? = nil,
        opacity: UInt32 = 65536,
        blend: BlendFunction = .normal,
        shrinking: Bool = false
    ) -> PictureStore {
        var copy = self
        picture.layer { layer in
            let box = crop ?? PlaneRect(width: layer.width, height: layer.height)
            let detail = LayerDetail(of: projection, box: box)
            let layer = shrinking && detail != .full ? layer.shrunk(to: detail, box: box) : layer
            copy.frame {
                $0.paint(
                    layer,
                    projection: projection,
                    crop: crop,
                    opacity: BlendWeight(value: opacity),
                    blend: blend
                )
            }
        }
        return copy
    }

    var hasCleanPadding: Bool { planes.allSatisfy(\.hasCleanPadding) }

    /// The largest difference of two samples at one place.
    func distance(to other: PictureStore, plane: Int) -> Int {
        zip(planes[plane].bytes, other.planes[plane].bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}
