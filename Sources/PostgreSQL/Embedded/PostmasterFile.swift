import Foundation

/// `postmaster.pid` of a data folder (src/include/utils/pidfile.h): what a running server says of itself.
struct PostmasterFile: Sendable, Hashable {
    let process: pid_t
    let dataFolder: String
    let socketFolder: String
    /// It accepts connections.
    let isReady: Bool

    /// - Returns: nil when there is none, or it is not complete yet.
    init?(dataFolder: String) {
        guard let text = try? String(contentsOfFile: Self.path(in: dataFolder), encoding: .utf8) else { return nil }
        self.init(text: text)
    }

    /// Line 1 process id, 2 data folder, 5 first socket folder, 8 status padded with spaces.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 5, let process = pid_t(lines[0]), process > 1 else { return nil }
        self.process = process
        dataFolder = lines[1]
        socketFolder = lines[4]
        isReady = lines.count >= 8 && lines[7].trimmingCharacters(in: .whitespaces) == "ready"
    }

    static func path(in dataFolder: String) -> String { dataFolder + "/postmaster.pid" }
}
