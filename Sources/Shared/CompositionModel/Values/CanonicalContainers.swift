import Foundation
import Timing

struct CanonicalKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CanonicalEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key.stringValue) { $0.bytes += "null".utf8 } }
    func encode(_ value: Bool, forKey key: Key) { encoder.member(key.stringValue) { $0.write(value) } }
    func encode(_ value: String, forKey key: Key) { encoder.member(key.stringValue) { $0.write(value) } }
    func encode(_ value: Int, forKey key: Key) { encoder.member(key.stringValue) { $0.write(value) } }
    func encode(_ value: Int64, forKey key: Key) { encoder.member(key.stringValue) { $0.write(value) } }
    func encode(_ value: Int32, forKey key: Key) { encoder.member(key.stringValue) { $0.write(value) } }
    func encode(_ value: Double, forKey key: Key) throws {
        try encoder.member(key.stringValue) { try $0.write(value, at: codingPath + [key]) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        // Edits are made of times: they are written without an encoder of their own.
        if Value.self == RationalTime.self, let time = value as? RationalTime {
            return encoder.member(key.stringValue) { $0.write(time) }
        }
        try encoder.member(key.stringValue) { _ in try encoder.encode(value, key: key) }
    }

    // The standard library's own ask the runtime for the type of the optional, each time.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.aside(key.stringValue, key: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.aside(key.stringValue, key: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.aside("super", key: nil) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.aside(key.stringValue, key: key) }
}

struct CanonicalArrayContainer: UnkeyedEncodingContainer {
    let encoder: CanonicalEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() { encoder.item { $0.bytes += "null".utf8 } }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.item { _ in try encoder.encode(value, key: nil) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.aside().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.aside().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.aside() }
}

struct CanonicalValueContainer: SingleValueEncodingContainer {
    let encoder: CanonicalEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.scalar { $0.bytes += "null".utf8 } }
    func encode(_ value: Bool) { encoder.scalar { $0.write(value) } }
    func encode(_ value: String) { encoder.scalar { $0.write(value) } }
    func encode(_ value: Int) { encoder.scalar { $0.write(value) } }
    func encode(_ value: Int8) { encoder.scalar { $0.write(value) } }
    func encode(_ value: Int16) { encoder.scalar { $0.write(value) } }
    func encode(_ value: Int32) { encoder.scalar { $0.write(value) } }
    func encode(_ value: Int64) { encoder.scalar { $0.write(value) } }
    func encode(_ value: UInt) { encoder.scalar { $0.write(value) } }
    func encode(_ value: UInt8) { encoder.scalar { $0.write(value) } }
    func encode(_ value: UInt16) { encoder.scalar { $0.write(value) } }
    func encode(_ value: UInt32) { encoder.scalar { $0.write(value) } }
    func encode(_ value: UInt64) { encoder.scalar { $0.write(value) } }
    func encode(_ value: Float) throws { try encoder.scalar { try $0.write(value, at: codingPath) } }
    func encode(_ value: Double) throws { try encoder.scalar { try $0.write(value, at: codingPath) } }
    func encode<Value: Encodable>(_ value: Value) throws {
        guard encoder.sink.isSpecial(Value.self) else { return try value.encode(to: encoder) }
        encoder.scalar { _ = $0.write(special: value) }
    }
}
