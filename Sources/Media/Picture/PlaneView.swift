/// One plane of a picture, valid only inside the closure that it was handed to.
package struct PlaneView {
    /// The first byte of the first row.
    package let base: UnsafeRawPointer
    /// Bytes from one row to the next; at least `width`.
    package let stride: Int
    /// Bytes of a row that hold picture.
    package let width: Int
    /// The number of rows.
    package let height: Int

    /// The bytes of row `y` that hold picture.
    /// - Precondition: the plane has such a row.
    package func row(_ y: Int) -> UnsafeRawBufferPointer {
        precondition((0..<height).contains(y))
        return UnsafeRawBufferPointer(start: base + y * stride, count: width)
    }
}

/// One plane of a picture that is being made, valid only inside the closure that it was handed to.
package struct MutablePlaneView {
    /// The first byte of the first row.
    package let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next; at least `width`.
    package let stride: Int
    /// Bytes of a row that hold picture.
    package let width: Int
    /// The number of rows.
    package let height: Int

    /// The bytes of row `y` that hold picture.
    /// - Precondition: the plane has such a row.
    package func row(_ y: Int) -> UnsafeMutableRawBufferPointer {
        precondition((0..<height).contains(y))
        return UnsafeMutableRawBufferPointer(start: base + y * stride, count: width)
    }
}
