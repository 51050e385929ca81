import Foundation

/// The bytes of boxes of an ISO media file (ISO/IEC 14496-12, 4.2): big-endian numbers, and boxes in boxes.
struct MediaBox {
    private(set) var data = Data()

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) }
    }

    mutating func put(_ bytes: some Sequence<UInt8>) { data.append(contentsOf: bytes) }

    mutating func zeros(_ count: Int) { data.append(Data(count: count)) }

    /// A box with what `body` puts into it.
    /// - Parameter name: its four characters.
    mutating func box(_ name: String, _ body: (inout MediaBox) -> Void) {
        var inner = MediaBox()
        body(&inner)
        put(UInt32(inner.data.count + 8))
        put(name.utf8)
        data.append(inner.data)
    }

    /// A box that begins with a version and 24 flags (4.2.2).
    mutating func fullBox(_ name: String, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout MediaBox) -> Void) {
        box(name) { box in
            box.put(UInt32(version) << 24 | flags)
            body(&box)
        }
    }
}
