extension FramePlanes {
    /// Lays `picture` over the frame.
    /// - Parameters:
    ///   - projection: frame ← picture, in pixels.
    ///   - crop: the part that is seen, in the picture's pixels; nil shows all.
    ///   - opacity: 0 … 65536.
    ///   - blend: in R′G′B′ by `matrix`, except for normal.
    package func paint(
        _ picture: LayerPicture,
        projection: Projection,
        crop: PlaneRect?,
        opacity: BlendWeight,
        blend: BlendFunction = .normal,
        matrix: ColorMatrix = .bt709
    ) {
        guard projection.isFinite else { return }
        let box = picture.box(crop, projection: projection)
        guard !box.isEmpty else { return }
        func sampler(_ index: Int) -> LayerSampler? {
            LayerSampler(
                picture.layer(index, projection: projection, box: box, frameShift: planeShift(index)),
                outline: outline(projection, box, index),
                size: (planes[index].width, planes[index].height),
                opacity: opacity
            )
        }
        let samplers = (0..<3).map(sampler)
        if blend == .normal {
            for (plane, sampler) in zip(planes, samplers) { plane.paint(sampler) }
        } else {
            let present = samplers.compactMap { $0 }
            guard present.count == 3 else { return }
            BlendPainter(blend, matrix: matrix, frame: self, samplers: present).paint()
        }
        alphas?.luma.cover(sampler(0))
        alphas?.chroma.cover(sampler(1))
    }

    private func planeShift(_ index: Int) -> (x: Int, y: Int) { index == 0 ? (0, 0) : shift }

    private func outline(_ projection: Projection, _ box: PlaneRect, _ index: Int) -> LayerOutline {
        let shift = planeShift(index)
        let (stepX, stepY) = (Double(1 << shift.x), Double(1 << shift.y))
        let width = Double(planes[0].width) / stepX
        let height = Double(planes[0].height) / stepY
        return LayerOutline(
            projection: .scale(x: 1 / stepX, y: 1 / stepY) * projection,
            box: box,
            frame: PlaneRect(left: 0, top: 0, right: width, bottom: height)
        )
    }
}
