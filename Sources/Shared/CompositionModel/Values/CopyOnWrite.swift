/// A property whose value all copies share until one of them is changed, for what is large and copied often: a copy costs
/// eight bytes.
///
/// It is inlined into other modules: without that, each use asks the runtime for the type, which took a twentieth of the
/// time of planning a long edit.
@propertyWrapper
package struct CopyOnWrite<Value> {
    @usableFromInline
    final class Storage {
        @usableFromInline var value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable
    package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    @inlinable
    package var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

// No copy changes what another one sees.
extension CopyOnWrite: @unchecked Sendable where Value: Sendable {}

extension CopyOnWrite: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}

/// A property like ``CopyOnWrite`` for a value that most often is nil, which takes no memory of its own then.
@propertyWrapper
package struct OptionalCopyOnWrite<Value> {
    @usableFromInline var storage: CopyOnWrite<Value>?

    @inlinable
    package init(wrappedValue: Value?) { storage = wrappedValue.map(CopyOnWrite.init) }

    @inlinable
    package var wrappedValue: Value? {
        get { storage?.wrappedValue }
        set { storage = newValue.map(CopyOnWrite.init) }
    }
}

extension OptionalCopyOnWrite: Sendable where Value: Sendable {}
extension OptionalCopyOnWrite: Equatable where Value: Equatable {}
extension OptionalCopyOnWrite: Hashable where Value: Hashable {}
