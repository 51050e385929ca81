/// A place for a movie below one of a coordinator's output folders: the folder's name, folders in it, and the file's name,
/// such as `exports/tonight/a.mp4`.
package struct OutputTarget: Sendable, Hashable {
    /// The name of the output folder.
    package let root: String
    /// The names of the folders below it, and last that of the file; at least one.
    package let names: [String]

    /// The most bytes of a whole target, and of one name in it.
    package static let longest = (whole: 1024, name: 200)

    /// Reads a target.
    /// - Throws: ``Malformed`` with a sentence that says what is wrong with it.
    package init(_ text: String) throws(Malformed) {
        let shown = "“\(text.visible.prefix(200))”"
        guard text.utf8.count <= Self.longest.whole else {
            throw Malformed("The target \(shown)… has more than \(Self.longest.whole) bytes.")
        }
        guard !text.hasPrefix("/") else {
            throw Malformed(
                "The target \(shown) is a path of a machine; begin it with the name of one of the coordinator's output "
                    + "folders, as in exports/a.mp4."
            )
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, !parts.contains("") else {
            throw Malformed(
                "The target \(shown) is no file in an output folder; write it as exports/a.mp4, names with one / between "
                    + "them."
            )
        }
        for name in parts {
            guard !name.hasPrefix(".") else {
                throw Malformed(
                    "The target \(shown) holds the name “\(name.visible)”; no name in it begins with a dot."
                )
            }
            guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw Malformed("The target \(shown) holds a control character; leave it out.")
            }
            guard name.utf8.count <= Self.longest.name else {
                throw Malformed("A name in the target \(shown) has more than \(Self.longest.name) bytes.")
            }
        }
        root = parts[0]
        names = Array(parts.dropFirst())
    }

    /// The reason why a text is no target, as a sentence.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let description: String

        init(_ sentence: String) { description = sentence }
    }

    /// The target as it is written.
    package var text: String { ([root] + names).joined(separator: "/") }

    /// The extension of the file's name, in lower case and without a dot; empty when it has none.
    package var fileExtension: String {
        guard let name = names.last, let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
