import Foundation

extension String {
    /// The path without its last part; empty when it has one part only. (NSString's `deletingLastPathComponent` traps
    /// on paths of one character in Foundation 6.3.)
    var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
