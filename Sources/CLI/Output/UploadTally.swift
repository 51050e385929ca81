import Foundation
import WireProtocol

/// How far files are that are sent to a farm. It is a value.
struct UploadTally: Sendable {
    /// One of the files.
    struct File: Sendable {
        /// The name without its folder, with control characters made visible.
        let name: String
        /// The length in bytes.
        let byteCount: Int64
        /// The bytes that were there when the file was first begun here, by an earlier run; nil before that.
        var found: Int64?
        /// The bytes that are there.
        var sent: Int64 = 0
        /// Whether the coordinator has taken it.
        var isTaken = false

        init(path: String, byteCount: Int64) {
            name = (path as NSString).lastPathComponent.visible
            self.byteCount = byteCount
        }
    }

    private(set) var files: [File]

    init(_ files: [File]) { self.files = files }

    /// Notes that a file is sent from a byte on.
    mutating func start(_ byteCount: Int64, of index: Int) {
        files[index].found = files[index].found ?? byteCount
        files[index].sent = byteCount
    }

    /// Notes how much of a file is there.
    mutating func note(_ byteCount: Int64, of index: Int) { files[index].sent = byteCount }

    /// Notes that the coordinator has a file.
    mutating func finish(_ index: Int) {
        files[index].sent = files[index].byteCount
        files[index].isTaken = true
    }

    /// The length of all files in bytes.
    var byteCount: Int64 { files.reduce(0) { $0 + $1.byteCount } }

    /// The bytes that are there.
    var sent: Int64 { files.reduce(0) { $0 + $1.sent } }

    /// The bytes that came since the beginning here.
    var sentHere: Int64 { files.reduce(0) { $0 + max(0, $1.sent - ($1.found ?? 0)) } }

    /// The line, with rate and time left once some seconds have passed. When all is sent the coordinator hashes and probes.
    func line(after seconds: Int64) -> String {
        let name = files.count == 1 ? files[0].name : "\(files.count) files"
        guard sent < byteCount else {
            return "\(name): sent; the coordinator reads \(files.count == 1 ? "it" : "them")"
        }
        let taken = files.count(where: \.isTaken)
        let done = taken > 0 && files.count > 1 ? " (\(taken) done)" : ""
        let line = "sending \(name)\(done): \(sent * 100 / byteCount) % of \(Self.megabytes(byteCount))"
        guard seconds > 2, sentHere >= seconds else { return line }
        let rate = sentHere / seconds
        let left = (byteCount - sent) / rate
        let clock =
            left < 60
            ? "\(left) s" : left < 3600 ? "\(left / 60) min \(left % 60) s" : "\(left / 3600) h \(left / 60 % 60) min"
        return line + " · \(Self.megabytes(rate)) a second · \(clock) left"
    }

    private static func megabytes(_ bytes: Int64) -> String {
        bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }
}
