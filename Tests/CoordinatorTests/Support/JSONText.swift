import Foundation

/// Any JSON.
enum JSONText: Decodable, Hashable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONText])
    case object([String: JSONText])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONText].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONText].self))
        }
    }

    init(_ data: Data) throws { self = try JSONDecoder().decode(JSONText.self, from: data) }

    /// A member of an object; nil where there is none.
    subscript(name: String) -> JSONText? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var object: [String: JSONText] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    var list: [JSONText] {
        guard case .list(let values) = self else { return [] }
        return values
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}
