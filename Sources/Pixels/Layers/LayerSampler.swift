/// Draws one plane of a layer row by row.
enum LayerSampler {
    case separable(SeparableSampler)
    case projective(ProjectiveSampler)

    /// - Parameter opacity: 0 … 65536; rounded up to 32768ths.
    /// - Returns: nil when nothing of the layer is seen.
    init?(_ layer: LayerPlane, outline: LayerOutline, size: (width: Int, height: Int), opacity: BlendWeight) {
        let weight = UInt16((opacity.value + 1) >> 1)
        guard size.width > 0, size.height > 0, weight > 0, !layer.domain.isEmpty, !outline.box.isEmpty else {
            return nil
        }
        let made: LayerSampler? =
            layer.sampling.isAxisAligned
            ? SeparableSampler(layer, outline: outline, size: size, opacity: weight).map(LayerSampler.separable)
            : ProjectiveSampler(layer, outline: outline, size: size, opacity: weight).map(LayerSampler.projective)
        guard let made else { return nil }
        self = made
    }

    /// The rows that the layer may touch.
    var rows: Range<Int> {
        switch self {
        case .separable(let sampler): sampler.rows
        case .projective(let sampler): sampler.rows
        }
    }

    /// What the last call of ``fill(row:)`` made.
    var row: LayerRow {
        switch self {
        case .separable(let sampler): sampler.row
        case .projective(let sampler): sampler.row
        }
    }

    /// Makes row `y` of ``rows``.
    func fill(row y: Int) -> LayerSpan {
        switch self {
        case .separable(let sampler): sampler.fill(row: y)
        case .projective(let sampler): sampler.fill(row: y)
        }
    }
}

extension MutablePlane {
    /// Lays `source` over this plane.
    /// - Parameters:
    ///   - projection: this plane ← `source`, in samples. One that cannot be turned back draws nothing.
    ///   - crop: the part of `source` that is seen, in its samples; nil shows all.
    package func lay(_ source: Plane, projection: Projection, crop: PlaneRect? = nil) {
        guard projection.isFinite, source.width > 0, source.height > 0 else { return }
        let all = PlaneRect(width: source.width, height: source.height)
        let box = crop.map { all.intersection($0) } ?? all
        if box.isEmpty { return }
        let layer = LayerPlane(
            samples: source,
            alpha: nil,
            domain: SampleArea(
                columns: Int(box.left.rounded(.down))..<Int(box.right.rounded(.up)),
                rows: Int(box.top.rounded(.down))..<Int(box.bottom.rounded(.up))
            ),
            sampling: projection
        )
        let outline = LayerOutline(
            projection: projection,
            box: box,
            frame: PlaneRect(width: width, height: height)
        )
        paint(
            LayerSampler(layer, outline: outline, size: (width, height), opacity: BlendWeight(value: 65536))
        )
    }

    /// Adds what a plane of a layer covers to this one, which is an alpha.
    func cover(_ sampler: LayerSampler?) {
        guard let sampler else { return }
        for y in sampler.rows { sampler.row.cover(sampler.fill(row: y), over: row(y)) }
    }

    /// Lays a plane of a layer over this one.
    func paint(_ sampler: LayerSampler?) {
        guard let sampler else { return }
        for y in sampler.rows { sampler.row.paint(sampler.fill(row: y), over: row(y)) }
    }
}
