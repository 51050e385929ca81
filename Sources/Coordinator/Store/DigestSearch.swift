import CompositionModel
import Foundation

/// Finds the digests that a document names, wherever they stand in it.
enum DigestSearch {
    private static let prefix = Array("sha256:".utf8)
    private static let digitCount = 64

    /// The digests in `documents`, as `sha256:` and 64 lower-case hex digits, each once, ascending.
    static func digests(in documents: Data...) -> [String] {
        var found: Set<String> = []
        for document in documents { document.withUnsafeBytes { search($0, &found) } }
        return found.sorted()
    }

    private static func search(_ document: UnsafeRawBufferPointer, _ found: inout Set<String>) {
        var start = 0
        // The colon is the rarest byte of the prefix that memchr can look for.
        while let colon = document.offset(of: UInt8(ascii: ":"), from: start) {
            start = colon + 1
            let name = colon - (prefix.count - 1)
            guard name >= 0, document.count - start >= digitCount, document[name...colon].elementsEqual(prefix),
                document[start..<start + digitCount].allSatisfy(isDigit)
            else { continue }
            found.insert(String(decoding: document[name..<start + digitCount], as: UTF8.self))
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension UnsafeRawBufferPointer {
    /// The place of the first `byte` at or after `start` (memchr(3)); nil when there is none.
    fileprivate func offset(of byte: UInt8, from start: Int) -> Int? {
        guard let baseAddress, start < count, let found = memchr(baseAddress + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - baseAddress
    }
}
