import CompositionModel
import Foundation

/// Compares what a type that writes its members by hand writes with what it stores.
package enum WrittenMembers {
    /// The names of the stored properties of a value.
    package static func properties(of value: Any) -> Set<String> {
        // A property with a wrapper is stored under its name with an underscore.
        Set(Mirror(reflecting: value).children.compactMap { $0.label?.trimmingPrefix("_") }.map(String.init))
    }

    /// The names of the members in a value's JSON.
    package static func members(of value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: try CanonicalJSON.data(value))
        return Set((object as? [String: Any] ?? [:]).keys)
    }

    /// Whether canonical JSON is what Foundation writes of the value, and gives it back. The order in which members are
    /// written does not count.
    package static func areRead<Value: Codable & Hashable>(_ value: Value) throws -> Bool {
        let written = try CanonicalJSON.data(value)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) == written && JSONDecoder().decode(Value.self, from: written) == value
    }
}
