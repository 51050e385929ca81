/// What is wrong with bytes that should be a parameter set, a header, a message or a configuration record, or with values
/// that should become such bytes.
package struct BitstreamError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The bytes end before the element does.
        case truncated
        /// The standard does not allow this value here. For a value to be written: it does not fit its field.
        case outOfRange(Int)
        /// Bits follow where the syntax structure ends, or its end is not marked as the standard says.
        case badEnd
        /// A parameter set with this id is referred to, and none is known.
        case missing(id: Int)
        /// Valid, but not read or written by this module; a sentence says what.
        case unsupported(String)
    }

    package var reason: Reason
    /// The syntax element's name in the standard, or a word for a place that has none.
    package var element: String
    /// Where the element begins: bits from the first of the NAL unit, message or record, without emulation prevention
    /// bytes.
    package var bit: Int

    package init(_ reason: Reason, element: String, bit: Int) {
        self.reason = reason
        self.element = element
        self.bit = bit
    }
}

extension BitstreamError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .truncated: "The data end within \(element) at bit \(bit)."
        case .outOfRange(let value): "\(element) at bit \(bit) cannot be \(value)."
        case .badEnd: "\(element) at bit \(bit) does not end as it must."
        case .missing(let id): "\(element) at bit \(bit) refers to the parameter set \(id), which is not there."
        case .unsupported(let what): "\(element) at bit \(bit): \(what) is not supported."
        }
    }
}
