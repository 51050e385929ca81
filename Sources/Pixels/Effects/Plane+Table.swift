extension MutablePlane {
    /// Sets every sample to what `table` holds for the source's.
    /// - Precondition: `table` has 256 entries; `source` has this plane's size and may be this plane.
    package func map(_ source: Plane, by table: [UInt8]) {
        precondition(table.count == 256 && source.width == width && source.height == height)
        table.withUnsafeBufferPointer { table in
            guard let base = table.baseAddress else { return }
            for y in 0..<height {
                let (from, to) = (source.row(y), row(y))
                for x in 0..<width { to[x] = base[Int(from[x])] }
            }
        }
    }
}

/// Makes dark or bright parts transparent.
package enum LumaKey {
    /// Opacity for each luma code value: 0 below, 255 above, with a slope of `softness` code values about `threshold`.
    /// - Parameter isInverted: keeps what is darker.
    package static func table(threshold: Float, softness: Float, isInverted: Bool) -> [UInt8] {
        let width = max(1, softness)
        return (0..<256).map { luma in
            let opacity = byte((Float(luma) - threshold + width / 2) / width * 255)
            return isInverted ? 255 - opacity : opacity
        }
    }
}
