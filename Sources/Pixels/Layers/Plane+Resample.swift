extension MutablePlane {
    /// Fills this plane of pixels from one of chroma, by the same cubic and where chroma sits.
    /// - Parameter shift: powers of two by which `source` is narrower and lower.
    package func spread(_ source: Plane, shift: (x: Int, y: Int)) {
        guard width > 0, height > 0, source.width > 0, source.height > 0 else { return }
        let layer = LayerPlane(
            samples: source,
            alpha: nil,
            domain: SampleArea(of: source),
            sampling: ChromaSite.projection(shift)
        )
        let all = PlaneRect(width: width, height: height)
        let outline = LayerOutline(projection: .identity, box: all, frame: all)
        paint(LayerSampler(layer, outline: outline, size: (width, height), opacity: BlendWeight(value: 65536)))
    }

    /// Fills this plane with all of `source`, resampled by ``AxisFilter``'s cubic.
    /// - Parameter domain: what of `source` may be read; its border goes on outside.
    package func resample(_ source: Plane, domain: SampleArea) {
        guard width > 0, height > 0, source.width > 0, source.height > 0, !domain.isEmpty else { return }
        let scale = Projection.scale(
            x: Double(width) / Double(source.width),
            y: Double(height) / Double(source.height)
        )
        let layer = LayerPlane(samples: source, alpha: nil, domain: domain, sampling: scale)
        let all = PlaneRect(width: width, height: height)
        let outline = LayerOutline(projection: .identity, box: all, frame: all)
        paint(
            LayerSampler(layer, outline: outline, size: (width, height), opacity: BlendWeight(value: 65536))
        )
    }
}
