/// One plane of a picture, valid only inside the closure that it was handed to.
public struct PlaneView {
    /// The first byte of the first row.
    public let base: UnsafeRawPointer
    /// Bytes from one row to the next; at least `width`.
    public let stride: Int
    /// Bytes of a row that hold picture.
    public let width: Int
    /// The number of rows.
    public let height: Int

    /// The bytes of row `y` that hold picture.
    /// - Precondition: the plane has such a row.
    public func row(_ y: Int) -> UnsafeRawBufferPointer {
        precondition((0..<height).contains(y))
        return UnsafeRawBufferPointer(start: base + y * stride, count: width)
    }
}

/// One plane of a picture that is being made, valid only inside the closure that it was handed to.
public struct MutablePlaneView {
    /// The first byte of the first row.
    public let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next; at least `width`.
    public let stride: Int
    /// Bytes of a row that hold picture.
    public let width: Int
    /// The number of rows.
    public let height: Int

    /// The bytes of row `y` that hold picture.
    /// - Precondition: the plane has such a row.
    public func row(_ y: Int) -> UnsafeMutableRawBufferPointer {
        precondition((0..<height).contains(y))
        return UnsafeMutableRawBufferPointer(start: base + y * stride, count: width)
    }
}
