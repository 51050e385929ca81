import Synchronization

/// The path of a value in an edit's text: what its JSON Pointer (RFC 6901) says. The pointer is put together when it is
/// asked for: an edit has a path for each of its values, and few are reported.
package struct SourcePath: Sendable {
    /// The object or list that the value stands in; nil for the whole document.
    private let enclosure: Enclosure?
    /// The position in a list, or of a member's key among ``Names``; 0 and unused for ``Enclosure/Kind/written(_:)``.
    private let token: Int32

    /// An object or a list of a text, or a pointer that was given as text.
    private final class Enclosure: Sendable {
        enum Kind: Sendable {
            case object(SourcePath, Names)
            case list(SourcePath)
            case written(String)
        }

        let kind: Kind

        init(_ kind: Kind) { self.kind = kind }
    }

    /// The keys of the objects of one text, each once.
    package final class Names: Sendable {
        private struct Table {
            var keys: [String] = []
            var numbers: [Bytes: Int32] = [:]
        }

        /// A key that equals only those of the same bytes. Strings of other bytes may be equal, such as an é and an e with
        /// an accent behind it, and a pointer has to name what stands in the text.
        private struct Bytes: Hashable {
            let key: String

            static func == (left: Bytes, right: Bytes) -> Bool { left.key.utf8.elementsEqual(right.key.utf8) }

            func hash(into hasher: inout Hasher) {
                var key = key
                key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            }
        }

        private let table = Mutex(Table())

        package init() {}

        fileprivate func number(of key: String) -> Int32 {
            table.withLock { table in
                if let known = table.numbers[Bytes(key: key)] { return known }
                let number = Int32(table.keys.count)
                table.keys.append(key)
                table.numbers[Bytes(key: key)] = number
                return number
            }
        }

        fileprivate func key(_ number: Int32) -> String { table.withLock { $0.keys[Int(number)] } }
    }

    /// Gives the paths of what one object or list holds.
    package struct Children {
        private let enclosure: Enclosure
        private let names: Names?

        /// The paths of a list's items.
        package init(of list: SourcePath) { (enclosure, names) = (Enclosure(.list(list)), nil) }

        /// The paths of an object's members.
        /// - Parameter names: the keys of the text.
        package init(of object: SourcePath, _ names: Names) {
            (enclosure, self.names) = (Enclosure(.object(object, names)), names)
        }

        /// The path of an item of the list.
        package func item(_ index: Int) -> SourcePath {
            SourcePath(enclosure: enclosure, token: Int32(clamping: index))
        }

        /// The path of a member of the object.
        package func member(_ key: String) -> SourcePath {
            SourcePath(enclosure: enclosure, token: names?.number(of: key) ?? 0)
        }
    }

    /// The whole document.
    package static let whole = SourcePath(enclosure: nil, token: 0)

    private init(enclosure: Enclosure?, token: Int32) { (self.enclosure, self.token) = (enclosure, token) }

    /// The path that a JSON Pointer names.
    package init(pointer: String) {
        self.init(enclosure: pointer.isEmpty ? nil : Enclosure(.written(pointer)), token: 0)
    }

    /// The JSON Pointer; empty for the whole document.
    package var pointer: String {
        switch enclosure?.kind {
        case nil: ""
        case .written(let pointer): pointer
        case .list(let list): "\(list.pointer)/\(token)"
        case .object(let object, let names): object.pointer + "/" + SourcePath.escaped(names.key(token))
        }
    }

    /// A key as a reference token (RFC 6901, 3).
    package static func escaped(_ key: String) -> String {
        // Nearly no key has a character to escape, and looking for one in bytes is quick.
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        return key.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

extension SourcePath: Hashable {
    package static func == (left: SourcePath, right: SourcePath) -> Bool {
        (left.enclosure === right.enclosure && left.token == right.token) || left.pointer == right.pointer
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}
