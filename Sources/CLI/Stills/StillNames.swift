import Foundation
import WireProtocol

/// The paths of stills: one file, a folder, or a pattern with the frame number in it.
struct StillNames {
    let format: StillFormat
    private let destination: String
    private let stem: String

    /// Reads `-o` and `--format`.
    /// - Parameters:
    ///   - destination: the value of `-o`; nil is the working folder.
    ///   - input: the path of the input, after which stills in a folder are named.
    /// - Throws: ``CommandFailure`` for a format that does not exist.
    init(_ destination: String?, input: String, format: String?) throws {
        let name = (input as NSString).lastPathComponent
        stem = name == "-" ? "edit" : (name as NSString).deletingPathExtension
        self.destination = destination ?? "."
        self.format = try StillNames.format(format, destination ?? ".")
    }

    /// The path of the still of a frame.
    /// - Parameter isOnly: whether there is no other still.
    /// - Throws: ``CommandFailure`` when several would go to one file.
    func path(_ frame: Int64, isOnly: Bool) throws -> String {
        if StillNames.isFolder(destination) {
            let name = "\(stem)-\(String(frame).leftPadded(to: 6)).\(format.fileExtension)"
            return destination.hasSuffix("/") ? destination + name : destination + "/" + name
        }
        if let name = StillNames.filled(destination, with: frame) { return name }
        guard isOnly else {
            throw CommandFailure(
                .usage,
                "Several stills cannot go to the one file \(destination); name a folder, or a pattern such as "
                    + "still-%06d.png, where the number is the frame's."
            )
        }
        return destination
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return isThere && isFolder.boolValue || path.hasSuffix("/")
    }

    /// The pattern with `%d` or `%06d` replaced by the frame number; nil when there is none.
    private static func filled(_ pattern: String, with frame: Int64) -> String? {
        guard let match = pattern.firstMatch(of: /%(0([1-9]))?d/) else { return nil }
        let width = match.output.2.flatMap { Int($0) } ?? 1
        return pattern.replacingCharacters(in: match.range, with: String(frame).leftPadded(to: width))
    }

    private static func format(_ said: String?, _ destination: String) throws -> StillFormat {
        if let said {
            guard let format = StillFormat(rawValue: said == "jpg" ? "jpeg" : said) else {
                throw CommandFailure(.usage, "There is no still format “\(said)”; there are png and jpeg.")
            }
            return format
        }
        switch (destination as NSString).pathExtension.lowercased() {
        case "jpg", "jpeg": return .jpeg
        case "png", "": return .png
        case let other where !isFolder(destination):
            throw CommandFailure(.usage, "A still cannot be stored as .\(other); name it .png or .jpg.")
        default: return .png
        }
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - count)) + self
    }
}
