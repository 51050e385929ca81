/// A plane that owns its samples. Rows begin at multiples of 64 bytes.
package final class PlaneBuffer {
    package let width: Int
    package let height: Int
    private let stride: Int
    private let memory: UnsafeMutableRawPointer

    /// Content is undefined.
    /// - Precondition: neither side is negative.
    package init(width: Int, height: Int) {
        precondition(width >= 0 && height >= 0)
        self.width = width
        self.height = height
        stride = (width + 63) & ~63
        memory = .allocate(byteCount: max(64, stride * height), alignment: 64)
    }

    deinit { memory.deallocate() }

    /// - Precondition: this object outlives what is returned, and nobody writes meanwhile.
    package var plane: Plane { Plane(base: memory, stride: stride, width: width, height: height) }

    /// - Precondition: this object outlives what is returned, and nobody else uses it meanwhile.
    package var mutablePlane: MutablePlane { MutablePlane(base: memory, stride: stride, width: width, height: height) }
}

/// A row of working values.
final class RowBuffer<Element: BitwiseCopyable> {
    let count: Int
    let base: UnsafeMutablePointer<Element>

    init(count: Int, repeating value: Element) {
        self.count = count
        base = .allocate(capacity: max(1, count))
        base.initialize(repeating: value, count: count)
    }

    deinit { base.deallocate() }
}
