/// Encodes values to ``CanonicalValue``.
final class CanonicalEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let slot: CanonicalSlot

    init(path: [any CodingKey], slot: CanonicalSlot = CanonicalSlot()) {
        codingPath = path
        self.slot = slot
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .null = slot.value { slot.value = .object([:]) }
        return KeyedEncodingContainer(CanonicalKeyedContainer(codingPath: codingPath, slot: slot))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .null = slot.value { slot.value = .array([]) }
        return CanonicalArrayContainer(codingPath: codingPath, slot: slot)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        CanonicalValueContainer(codingPath: codingPath, slot: slot)
    }

    /// Fills `slot` with `value`.
    static func encode(_ value: some Encodable, into slot: CanonicalSlot, path: [any CodingKey]) throws {
        switch value {
        case let text as String: slot.value = .string(text)
        case let flag as Bool: slot.value = .bool(flag)
        case let number as any BinaryInteger: slot.value = .integer(number.description)
        case is Double, is Float:
            let reason = "a floating-point number has no canonical form here"
            throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: reason))
        default: try value.encode(to: CanonicalEncoder(path: path, slot: slot))
        }
    }
}

struct CanonicalKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]
    let slot: CanonicalSlot

    func encodeNil(forKey key: Key) { slot.member(key.stringValue).value = .null }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try CanonicalEncoder.encode(value, into: slot.member(key.stringValue), path: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        CanonicalEncoder(path: codingPath + [key], slot: slot.member(key.stringValue)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        CanonicalEncoder(path: codingPath + [key], slot: slot.member(key.stringValue)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { CanonicalEncoder(path: codingPath, slot: slot.member("super")) }

    func superEncoder(forKey key: Key) -> any Encoder {
        CanonicalEncoder(path: codingPath + [key], slot: slot.member(key.stringValue))
    }
}

struct CanonicalArrayContainer: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey]
    let slot: CanonicalSlot
    var count: Int { slot.count }

    func encodeNil() { slot.append().value = .null }

    func encode<Value: Encodable>(_ value: Value) throws {
        try CanonicalEncoder.encode(value, into: slot.append(), path: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        CanonicalEncoder(path: codingPath, slot: slot.append()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        CanonicalEncoder(path: codingPath, slot: slot.append()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { CanonicalEncoder(path: codingPath, slot: slot.append()) }
}

struct CanonicalValueContainer: SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    let slot: CanonicalSlot

    func encodeNil() { slot.value = .null }

    func encode<Value: Encodable>(_ value: Value) throws {
        // The primitive types' own `encode(to:)` calls this: they never reach the default branch below it.
        try CanonicalEncoder.encode(value, into: slot, path: codingPath)
    }
}
