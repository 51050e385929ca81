/// Encodes one value to canonical JSON, straight into the bytes of the whole. Members are written in the order in which
/// they come, and brought into theirs when the object is complete.
final class CanonicalEncoder: Encoder {
    /// What the value has turned out to be; nothing that is encoded is null.
    private enum Shape {
        case none
        case scalar
        case array
        case object
    }

    /// A member of an object, or an item of an array that is encoded aside.
    struct Part {
        /// The name of a member; empty for an item of an array.
        let name: String
        /// The bytes of the part in ``sink``: of a member, its name and its value.
        var range: Range<Int>
        /// Encodes the part's value, which follows `range`; nil for one that was written there.
        let aside: CanonicalEncoder?
    }

    let userInfo: [CodingUserInfoKey: Any] = [:]
    let sink: CanonicalSink
    private let parent: CanonicalEncoder?
    private let key: (any CodingKey)?
    /// The place in ``sink`` where the value begins.
    private let start: Int
    /// The place among ``CanonicalSink/parts`` where those of this value begin. Values are encoded one within the other,
    /// so that the last parts are those of the innermost: nothing is encoded to a value while one inside it is open.
    private let firstPart: Int
    // One thread encodes, and no value looks at the encoder of another (``CanonicalSink/bytes``).
    @exclusivity(unchecked)
    private var shape = Shape.none
    /// The number of members or items.
    @exclusivity(unchecked)
    private(set) var count = 0

    /// Makes an encoder of a value that is written at the end of `sink`.
    /// - Parameters:
    ///   - parent: the encoder of the value that holds this one; nil for the whole.
    ///   - key: the name of the value in its parent; nil for an item of an array.
    init(_ sink: CanonicalSink, parent: CanonicalEncoder? = nil, key: (any CodingKey)? = nil) {
        (self.sink, self.parent, self.key) = (sink, parent, key)
        start = sink.bytes.count
        firstPart = sink.parts.count
    }

    private var parts: ArraySlice<Part> { sink.parts[firstPart...] }

    var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (key.map { [$0] } ?? []) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        begin(.object, UInt8(ascii: "{"))
        return KeyedEncodingContainer(CanonicalKeyedContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        begin(.array, UInt8(ascii: "["))
        return CanonicalArrayContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { CanonicalValueContainer(encoder: self) }

    private func begin(_ shape: Shape, _ bracket: UInt8) {
        guard self.shape == .none else { return }
        self.shape = shape
        sink.bytes.append(bracket)
    }

    /// Writes the value itself by `write`, in place of one that was written before.
    func scalar(_ write: (CanonicalSink) throws -> Void) rethrows {
        sink.bytes.removeLast(sink.bytes.count - start)
        try write(sink)
        shape = .scalar
    }

    /// Writes a member by `write`.
    func member(_ name: String, _ write: (CanonicalSink) throws -> Void) rethrows {
        let begin = beginMember(name)
        try write(sink)
        sink.parts.append(Part(name: name, range: begin..<sink.bytes.count, aside: nil))
    }

    /// Writes an item by `write`.
    func item(_ write: (CanonicalSink) throws -> Void) rethrows {
        beginItem()
        try write(sink)
    }

    /// Encodes `value` as a member or an item, at whose place ``sink`` ends.
    func encode(_ value: some Encodable, key: (any CodingKey)?) throws {
        if sink.write(special: value) { return }
        let encoder = CanonicalEncoder(sink, parent: self, key: key)
        defer { encoder.release() }
        try value.encode(to: encoder)
        encoder.finish()
    }

    /// An encoder for a member that is filled later, the same for the same name.
    func aside(_ name: String, key: (any CodingKey)?) -> CanonicalEncoder {
        if let known = parts.first(where: { $0.name == name })?.aside { return known }
        let begin = beginMember(name)
        return aside(Part(name: name, range: begin..<sink.bytes.count, aside: sink.aside(of: self, key)))
    }

    /// An encoder for an item that is filled later.
    func aside() -> CanonicalEncoder {
        beginItem()
        let place = sink.bytes.count
        return aside(Part(name: "", range: place..<place, aside: sink.aside(of: self, nil)))
    }

    private func aside(_ part: Part) -> CanonicalEncoder {
        sink.parts.append(part)
        // Every part that comes here has one.
        return part.aside ?? self
    }

    private func beginMember(_ name: String) -> Int {
        if count > 0 { sink.bytes.append(UInt8(ascii: ",")) }
        count += 1
        let begin = sink.bytes.count
        sink.write(name)
        sink.bytes.append(UInt8(ascii: ":"))
        return begin
    }

    private func beginItem() {
        if count > 0 { sink.bytes.append(UInt8(ascii: ",")) }
        count += 1
    }

    /// Completes the value; nothing is encoded to it afterwards.
    func finish() {
        switch shape {
        case .none: sink.bytes += "null".utf8
        case .scalar: break
        case .array: finishArray()
        case .object: finishObject()
        }
    }

    /// Frees the encoders of parts that were encoded aside. Such an encoder and its parent hold each other, so that
    /// neither is ever freed without this call. It must be called once for every encoder that was made, also when
    /// encoding throws; the encoder is not used afterwards.
    func release() {
        while sink.parts.count > firstPart { sink.parts.removeLast().aside?.release() }
    }

    private func finishArray() {
        if !parts.isEmpty {
            let bytes = takeBack()
            var written = 0
            for part in parts {
                sink.bytes += bytes[written..<part.range.lowerBound - start]
                written = part.range.lowerBound - start
                append(part, of: bytes)
            }
            sink.bytes += bytes[written...]
        }
        sink.bytes.append(UInt8(ascii: "]"))
    }

    /// Brings the members into the order of their names (RFC 8785, 3.2.3). Of two of one name the later one counts.
    private func finishObject() {
        if !hasPartsInOrder {
            let (bytes, parts) = (takeBack(), parts)
            sink.bytes.append(UInt8(ascii: "{"))
            let ordered = parts.sorted { left, right in
                left.name == right.name
                    ? left.range.lowerBound < right.range.lowerBound : sink.precedes(left.name, right.name)
            }
            var isFirst = true
            for (index, part) in ordered.enumerated() {
                if index + 1 < ordered.count, ordered[index + 1].name == part.name { continue }
                if !isFirst { sink.bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                append(part, of: bytes)
            }
        }
        sink.bytes.append(UInt8(ascii: "}"))
    }

    /// Whether the members stand as they were written, in the order of their names.
    private var hasPartsInOrder: Bool {
        for index in firstPart..<sink.parts.count {
            if sink.parts[index].aside != nil { return false }
            guard index > firstPart else { continue }
            guard sink.precedes(sink.parts[index - 1].name, sink.parts[index].name) else { return false }
        }
        return true
    }

    /// Takes what was written of this value out of ``sink``. It is a copy: a slice that shared the memory would have
    /// all of it copied when more is written.
    private func takeBack() -> [UInt8] {
        let bytes = Array(sink.bytes[start...])
        sink.bytes.removeLast(bytes.count)
        return bytes
    }

    private func append(_ part: Part, of bytes: [UInt8]) {
        sink.bytes += bytes[part.range.lowerBound - start..<part.range.upperBound - start]
        guard let aside = part.aside else { return }
        aside.finish()
        sink.bytes += aside.sink.bytes
    }
}
