/// One plane of 8-bit samples that is read: `height` rows of `width` bytes, `stride` bytes apart. It does not own them.
package struct Plane {
    /// The first sample of the first row.
    package let base: UnsafePointer<UInt8>
    package let stride: Int
    package let width: Int
    package let height: Int

    /// - Precondition: `height` rows of `width` bytes at `base` stay readable while this is in use; rows do not overlap.
    package init(base: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
        precondition(width >= 0 && height >= 0 && (height <= 1 || stride.magnitude >= width.magnitude))
        self.base = base.assumingMemoryBound(to: UInt8.self)
        self.stride = stride
        self.width = width
        self.height = height
    }

    /// The first sample of row `y`; ``width`` samples may be read there.
    /// - Precondition: the plane has such a row.
    @inline(__always)
    func row(_ y: Int) -> UnsafePointer<UInt8> {
        precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
        return base + y &* stride
    }

    /// The part at (x, y) of `width` × `height`.
    /// - Precondition: it lies within this plane.
    package func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
        precondition(x >= 0 && y >= 0 && width >= 0 && height >= 0)
        precondition(x + width <= self.width && y + height <= self.height)
        return Plane(base: base + (y * stride + x), stride: stride, width: width, height: height)
    }
}

/// One plane of 8-bit samples that is written; as ``Plane`` otherwise.
package struct MutablePlane {
    /// The first sample of the first row.
    package let base: UnsafeMutablePointer<UInt8>
    package let stride: Int
    package let width: Int
    package let height: Int

    /// - Precondition: `height` rows of `width` bytes at `base` stay writable, by nobody else, while this is in use;
    ///   rows do not overlap.
    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        precondition(width >= 0 && height >= 0 && (height <= 1 || stride.magnitude >= width.magnitude))
        self.base = base.assumingMemoryBound(to: UInt8.self)
        self.stride = stride
        self.width = width
        self.height = height
    }

    /// The first sample of row `y`; ``width`` samples may be written there.
    /// - Precondition: the plane has such a row.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
        return base + y &* stride
    }

    /// The same samples for reading.
    package var samples: Plane { Plane(base: base, stride: stride, width: width, height: height) }

    /// The part at (x, y) of `width` × `height`.
    /// - Precondition: it lies within this plane.
    package func part(x: Int, y: Int, width: Int, height: Int) -> MutablePlane {
        precondition(x >= 0 && y >= 0 && width >= 0 && height >= 0)
        precondition(x + width <= self.width && y + height <= self.height)
        return MutablePlane(base: base + (y * stride + x), stride: stride, width: width, height: height)
    }
}
