/// Draws one plane of a layer row by row.
enum LayerSampler {
    case separable(SeparableSampler)
    case projective(ProjectiveSampler)

    /// - Parameter opacity: 0 … 32768.
    /// - Returns: nil when nothing of the layer is seen.
    init?(_ layer: LayerPlane, outline: LayerOutline, width: Int, height: Int, opacity: UInt16) {
        guard width > 0, height > 0, opacity > 0, !layer.domain.isEmpty, !outline.box.isEmpty else { return nil }
        if layer.sampling.isAxisAligned {
            let size = (width, height)
            guard let sampler = SeparableSampler(layer, outline: outline, size: size, opacity: opacity) else {
                return nil
            }
            self = .separable(sampler)
        } else {
            let size = (width, height)
            guard let sampler = ProjectiveSampler(layer, outline: outline, size: size, opacity: opacity) else {
                return nil
            }
            self = .projective(sampler)
        }
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
    /// Lays a plane of a layer over this one, with antialiased borders.
    /// - Parameter opacity: 0 … 65536.
    public func paint(_ layer: LayerPlane, outline: LayerOutline, opacity: BlendWeight) {
        let weight = UInt16((opacity.value + 1) >> 1)
        guard
            let sampler = LayerSampler(layer, outline: outline, width: width, height: height, opacity: weight)
        else { return }
        for y in sampler.rows { sampler.row.paint(sampler.fill(row: y), over: row(y)) }
    }
}
