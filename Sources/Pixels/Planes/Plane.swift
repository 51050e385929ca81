/// One plane of 8-bit samples that is read: `height` rows of `width` bytes, `stride` bytes apart. It does not own them.
public struct Plane {
    public let base: UnsafePointer<UInt8>
    public let stride: Int
    public let width: Int
    public let height: Int

    /// - Precondition: `height` rows of `width` bytes at `base` stay readable while this is in use.
    public init(base: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
        self.base = base.assumingMemoryBound(to: UInt8.self)
        self.stride = stride
        self.width = width
        self.height = height
    }

    func row(_ y: Int) -> UnsafePointer<UInt8> { base + y * stride }

    /// The part at (x, y) of `width` × `height`.
    /// - Precondition: it lies within this plane.
    public func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
        precondition(x >= 0 && y >= 0 && width >= 0 && height >= 0)
        precondition(x + width <= self.width && y + height <= self.height)
        return Plane(base: base + (y * stride + x), stride: stride, width: width, height: height)
    }
}

/// One plane of 8-bit samples that is written; as ``Plane`` otherwise.
public struct MutablePlane {
    public let base: UnsafeMutablePointer<UInt8>
    public let stride: Int
    public let width: Int
    public let height: Int

    /// - Precondition: `height` rows of `width` bytes at `base` stay writable, by nobody else, while this is in use.
    public init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        self.base = base.assumingMemoryBound(to: UInt8.self)
        self.stride = stride
        self.width = width
        self.height = height
    }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }

    /// The same samples for reading.
    public var samples: Plane { Plane(base: base, stride: stride, width: width, height: height) }

    /// The part at (x, y) of `width` × `height`.
    /// - Precondition: it lies within this plane.
    public func part(x: Int, y: Int, width: Int, height: Int) -> MutablePlane {
        precondition(x >= 0 && y >= 0 && width >= 0 && height >= 0)
        precondition(x + width <= self.width && y + height <= self.height)
        return MutablePlane(base: base + (y * stride + x), stride: stride, width: width, height: height)
    }
}
