package import Foundation

extension Data {
    /// All of a file, also of a pipe such as a shell's `<(…)`, whose size nobody knows before. Nil when it cannot be
    /// read.
    package init?(readingToEnd path: String) {
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() ?? Data() else {
            return nil
        }
        self = data
    }
}
