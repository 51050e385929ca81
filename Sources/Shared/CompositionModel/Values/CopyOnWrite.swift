/// A property whose value all copies share until one of them is changed, for what is large and copied often: a copy costs
/// eight bytes.
///
/// It is public, though only this package uses it, because Swift 6.3 inlines nothing of less access into other modules:
/// without that, each use asks the runtime for the type, which took a quarter of the time of planning a long edit.
@propertyWrapper @frozen
public struct CopyOnWrite<Value> {
    @usableFromInline
    final class Storage {
        @usableFromInline var value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    @inlinable
    public var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    /// A member of the value, without a copy of the whole.
    @inlinable @inline(__always)
    public subscript<Member>(member key: KeyPath<Value, Member>) -> Member { storage.value[keyPath: key] }
}

// No copy changes what another one sees.
extension CopyOnWrite: @unchecked Sendable where Value: Sendable {}

extension CopyOnWrite: Equatable where Value: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}

/// A property like ``CopyOnWrite`` for a value that most often is nil, which takes no memory of its own then.
@propertyWrapper @frozen
public struct OptionalCopyOnWrite<Value> {
    @usableFromInline var storage: CopyOnWrite<Value>?

    @inlinable @inline(__always)
    public init(wrappedValue: Value?) {
        if let wrappedValue { storage = CopyOnWrite(wrappedValue: wrappedValue) } else { storage = nil }
    }

    @inlinable
    public var wrappedValue: Value? {
        @inline(__always) get { storage?.storage.value }
        @inline(__always) set {
            if let newValue { storage = CopyOnWrite(wrappedValue: newValue) } else { storage = nil }
        }
    }
}

extension OptionalCopyOnWrite: Sendable where Value: Sendable {}
extension OptionalCopyOnWrite: Equatable where Value: Equatable {}
extension OptionalCopyOnWrite: Hashable where Value: Hashable {}

extension OptionalCopyOnWrite: Encodable where Value: Encodable {
    /// Encodes the value; a member that is nil is left out of its object instead.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension OptionalCopyOnWrite: Decodable where Value: Decodable {
    /// Decodes a value; a member that is absent is nil instead.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Value.self))
    }
}

// What the compiler writes for a type with such members calls these, because they are more specific than the library's.
extension KeyedEncodingContainer {
    /// Encodes a member as an optional is encoded: nil is left out.
    public mutating func encode<Value: Encodable>(_ value: OptionalCopyOnWrite<Value>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member as an optional is decoded: it may be absent.
    public func decode<Value: Decodable>(
        _ type: OptionalCopyOnWrite<Value>.Type,
        forKey key: Key
    ) throws -> OptionalCopyOnWrite<Value> {
        OptionalCopyOnWrite(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}
