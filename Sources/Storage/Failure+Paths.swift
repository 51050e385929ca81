package import CompositionModel
import Foundation

extension Failure {
    /// The failure for readers elsewhere: of each path below one of `folders` its message keeps only the file's name.
    package func withoutPaths(below folders: [String]) -> Failure {
        var failure = self
        for folder in folders where !folder.isEmpty { failure.message = failure.message.shorteningPaths(below: folder) }
        return failure
    }
}

extension String {
    /// A path ends before a space, a quotation mark, or a mark that ends a clause.
    fileprivate func shorteningPaths(below folder: String) -> String {
        let head = folder.hasSuffix("/") ? folder : folder + "/"
        var text = ""
        var rest = self[...]
        while let found = rest.range(of: head) {
            let tail = rest[found.upperBound...]
            let end = tail.firstIndex { " ”“\"'’:;,()".contains($0) } ?? tail.endIndex
            text += rest[..<found.lowerBound] + (tail[..<end].split(separator: "/").last ?? "")
            rest = tail[end...]
        }
        return text + rest
    }
}
