import Foundation

/// A folder to which files go when they are done, each with its report beside it. What is there already stays: a file of the
/// same name gets a number.
struct ArchiveFolder {
    let path: String

    /// What the name of a report adds to that of its file.
    static let reportEnding = ".cutfarm.txt"

    /// Moves a file here and writes its report.
    /// - Parameters:
    ///   - file: the path of the file, in the same file system; nil when it is not there any more as it was.
    ///   - name: its name.
    /// - Throws: `POSIXError` when it cannot be moved, `CocoaError` when the report cannot be written.
    func take(_ file: String?, named name: String, report: Data) throws {
        var number = 1
        while true {
            let place = path + "/" + Self.name(name, number)
            number += 1
            guard !Self.isThere(place), !Self.isThere(place + Self.reportEnding) else { continue }
            if let file {
                let code = Self.move(file, to: place)
                if code == EEXIST { continue }
                guard code == 0 else { throw POSIXError(POSIXError.Code(rawValue: code) ?? .EIO) }
            }
            return try report.write(to: URL(fileURLWithPath: place + Self.reportEnding), options: .atomic)
        }
    }

    /// `a.mov`, then `a-2.mov`, `a-3.mov`, …
    static func name(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let stem = name.withoutExtension
        return stem + "-\(number)" + name.dropFirst(stem.count)
    }

    private static func isThere(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0
    }

    /// link(2) replaces nothing; rename(2) is for file systems without links.
    /// - Returns: 0, or the number of the error.
    private static func move(_ file: String, to place: String) -> Int32 {
        if link(file, place) == 0 { return unlink(file) == 0 ? 0 : errno }
        guard errno == EPERM || errno == EOPNOTSUPP else { return errno }
        return rename(file, place) == 0 ? 0 : errno
    }
}
