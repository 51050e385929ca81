package import Timing

/// A value that writes the members of its object in the order of canonical JSON.
///
/// A plan has such values for each clip, and the keys of its parts are digests of their canonical JSON: that is written
/// straight, without an encoder and its containers for each value. Other encoders get the same members. Tests compare
/// each such value with what Foundation writes in order of names (`WrittenMembers`).
package protocol OrderedObject: Encodable {
    /// Writes the members that are there, each once, in the order of their names.
    /// - Throws: `EncodingError` if a value cannot be held. In canonical JSON its path begins inside the member.
    func write(to members: inout ObjectMembers) throws
}

extension OrderedObject {
    package func encode(to encoder: any Encoder) throws {
        if let canonical = encoder as? CanonicalEncoder { return try canonical.scalar { try $0.write(self) } }
        var members = ObjectMembers(.other(encoder.container(keyedBy: MemberName.self)))
        try write(to: &members)
    }
}

/// The members of an ``OrderedObject``, while they are written. Names are of ASCII without quotes.
package struct ObjectMembers {
    fileprivate enum Target {
        /// Canonical JSON, in which a member is written where the bytes end.
        case canonical(CanonicalSink)
        /// The object of another encoder.
        case other(KeyedEncodingContainer<MemberName>)
    }

    private let target: Target
    private var isFirst = true

    fileprivate init(_ target: Target) { self.target = target }

    /// Begins a member of canonical JSON.
    /// - Returns: nil for another encoder.
    private mutating func begin(_ name: StaticString) -> CanonicalSink? {
        guard case .canonical(let sink) = target else { return nil }
        if !isFirst { sink.bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        sink.bytes.append(UInt8(ascii: "\""))
        sink.bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        sink.bytes.append(UInt8(ascii: "\""))
        sink.bytes.append(UInt8(ascii: ":"))
        return sink
    }

    /// Encodes a member of another encoder's object.
    private func encode(_ value: some Encodable, _ name: StaticString) throws {
        guard case .other(var container) = target else { return }
        try container.encode(value, forKey: MemberName(name))
    }

    package mutating func write(_ name: StaticString, _ flag: Bool) throws {
        guard let sink = begin(name) else { return try encode(flag, name) }
        sink.write(flag)
    }

    package mutating func write(_ name: StaticString, _ number: Int) throws {
        guard let sink = begin(name) else { return try encode(number, name) }
        sink.write(number)
    }

    package mutating func write(_ name: StaticString, _ number: Int64) throws {
        guard let sink = begin(name) else { return try encode(number, name) }
        sink.write(number)
    }

    package mutating func write(_ name: StaticString, _ text: String) throws {
        guard let sink = begin(name) else { return try encode(text, name) }
        sink.write(text)
    }

    package mutating func write(_ name: StaticString, _ time: RationalTime) throws {
        guard let sink = begin(name) else { return try encode(time, name) }
        sink.write(time)
    }

    package mutating func write(_ name: StaticString, _ range: FrameRange) throws {
        guard let sink = begin(name) else { return try encode(range, name) }
        sink.write(range)
    }

    package mutating func write(_ name: StaticString, _ numbers: [Int64]) throws {
        guard let sink = begin(name) else { return try encode(numbers, name) }
        sink.writeList(numbers.count) { $0.write(numbers[$1]) }
    }

    package mutating func write(_ name: StaticString, _ digests: [ContentDigest]) throws {
        guard let sink = begin(name) else { return try encode(digests, name) }
        sink.writeList(digests.count) { $0.write(digests[$1].description) }
    }

    package mutating func write(_ name: StaticString, _ object: some OrderedObject) throws {
        guard let sink = begin(name) else { return try encode(object, name) }
        try sink.write(object)
    }

    package mutating func write(_ name: StaticString, _ objects: [some OrderedObject]) throws {
        guard let sink = begin(name) else { return try encode(objects, name) }
        try sink.writeList(objects.count) { try $0.write(objects[$1]) }
    }

    /// Writes values under the names of parameters, which may be any text.
    package mutating func write(_ name: StaticString, _ values: [ParameterKey<some Any>: some OrderedObject]) throws {
        guard let sink = begin(name) else { return try encode(values, name) }
        let ordered = values.sorted { sink.precedes($0.key.name, $1.key.name) }
        sink.bytes.append(UInt8(ascii: "{"))
        try sink.writeItems(ordered.count) { sink, place in
            sink.write(ordered[place].key.name)
            sink.bytes.append(UInt8(ascii: ":"))
            try sink.write(ordered[place].value)
        }
        sink.bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a list of other values.
    package mutating func write<Item: Encodable>(_ name: StaticString, _ items: [Item]) throws {
        guard let sink = begin(name) else { return try encode(items, name) }
        // What most clips have needs no encoder.
        guard !items.isEmpty else { return sink.writeList(0) { _, _ in } }
        try sink.write(encoding: items)
    }

    /// Writes any other value.
    package mutating func write(_ name: StaticString, _ value: some Encodable) throws {
        guard let sink = begin(name) else { return try encode(value, name) }
        try sink.write(encoding: value)
    }
}

extension CanonicalSink {
    fileprivate func write(_ object: some OrderedObject) throws {
        bytes.append(UInt8(ascii: "{"))
        var members = ObjectMembers(.canonical(self))
        try object.write(to: &members)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a list of `count` items, each by `write`, which is given its place.
    fileprivate func writeList(_ count: Int, _ write: (CanonicalSink, Int) throws -> Void) rethrows {
        bytes.append(UInt8(ascii: "["))
        try writeItems(count, write)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes `count` items with commas between them.
    fileprivate func writeItems(_ count: Int, _ write: (CanonicalSink, Int) throws -> Void) rethrows {
        for place in 0..<count {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            try write(self, place)
        }
    }

    /// Writes a range as it encodes itself.
    fileprivate func write(_ range: FrameRange) {
        bytes += #"{"count":"#.utf8
        write(range.count)
        bytes += #","start":"#.utf8
        write(range.start)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a value by an encoder of its own.
    fileprivate func write(encoding value: some Encodable) throws {
        if write(special: value) { return }
        let encoder = CanonicalEncoder(self)
        defer { encoder.release() }
        try value.encode(to: encoder)
        encoder.finish()
    }
}

/// The name of a member of an ``OrderedObject``.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: StaticString) { stringValue = name.description }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

// Values of the module Timing of which a plan may have very many.

extension AnimatedProperty: OrderedObject {
    package func write(to members: inout ObjectMembers) throws { try members.write("keys", keys) }
}

extension AnimationKey: OrderedObject {
    package func write(to members: inout ObjectMembers) throws {
        try members.write("at", at)
        if ease != .linear { try members.write("ease", ease) }
        try members.write("value", value)
    }
}
