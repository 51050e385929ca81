package import CompositionModel
import Foundation

extension GeneratedPicture {
    /// - Returns: nil when the file is none of a generated picture.
    /// - Throws: ``MediaError/unsupported(_:)`` when it is one that cannot be drawn, or what `source` throws.
    package init?(_ source: any ByteSource) throws(MediaError) {
        guard source.byteCount <= Int64(GeneratedPicture.longestFile) else { return nil }
        do {
            try self.init(bytes: source.wholeFile())
        } catch {
            throw (error as? MediaError) ?? .unsupported("The generated picture cannot be drawn: \(sentence(error)).")
        }
    }
}

extension GeneratedSound {
    /// - Returns: nil when the file is none of a generated sound.
    /// - Throws: ``MediaError/unsupported(_:)`` when it is one that cannot be made, or what `source` throws.
    package init?(_ source: any ByteSource) throws(MediaError) {
        guard source.byteCount <= Int64(GeneratedSound.longestFile) else { return nil }
        do {
            try self.init(bytes: source.wholeFile())
        } catch {
            throw (error as? MediaError) ?? .unsupported("The generated sound cannot be made: \(sentence(error)).")
        }
    }
}

/// What is wrong with a file that stands for something generated.
private func sentence(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _)?: "it has no “\(key.stringValue)”"
    case .typeMismatch(_, let context)? where context.codingPath.isEmpty: "it is not an object"
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
        "“\(context.codingPath.map(\.stringValue).joined(separator: "."))” has the wrong type"
    case .dataCorrupted(let context)?: context.debugDescription.trimmingCharacters(in: ["."])
    default: "its description cannot be read"
    }
}

extension ByteSource {
    fileprivate func wholeFile() throws -> Data {
        var data = Data(count: Int(byteCount))
        var filled = 0
        while filled < data.count {
            let start = filled
            let count = try data.withUnsafeMutableBytes {
                try read(into: .init(rebasing: $0[start...]), at: Int64(start))
            }
            guard count > 0 else { break }
            filled += count
        }
        return data.prefix(filled)
    }
}
