package import CompositionModel

/// A value of an edit and where it was written, so that whoever finds it wrong can say where.
package struct Marked<Value> {
    /// The value.
    package var value: Value
    /// The place where it was written.
    package var mark: SourceMark

    package init(_ value: Value, _ mark: SourceMark) {
        self.value = value
        self.mark = mark
    }
}

extension Marked: Sendable where Value: Sendable {}
extension Marked: Equatable where Value: Equatable {}
extension Marked: Hashable where Value: Hashable {}
