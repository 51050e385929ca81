extension MutablePlane {
    /// Fills this plane with all of `source`, resampled by ``AxisFilter``'s cubic.
    /// - Parameter domain: what of `source` may be read; its border goes on outside.
    public func resample(_ source: Plane, domain: SampleArea) {
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
