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
