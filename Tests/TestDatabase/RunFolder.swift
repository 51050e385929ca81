import Foundation
import Synchronization

/// The state folder of this run's server, named for this process so that what a killed run left can be told.
enum RunFolder {
    private static let prefix = "cutfarm-test-postgresql-"
    static let path = "/tmp/\(prefix)\(getpid())"

    static func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard let owner = pid_t(name.dropFirst(prefix.count)), kill(owner, 0) == -1, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(atPath: "/tmp/" + name)
        }
    }

    /// Ends the server and removes the folder when this process exits. A killed one's server ends by itself.
    static func removeAtExit(server: Int32) {
        serverProcess.store(server, ordering: .relaxed)
        atexit(cleanUp)
    }
}

private let serverProcess = Atomic<Int32>(0)

private func cleanUp() {
    let id = serverProcess.load(ordering: .relaxed)
    guard id > 1 else { return }
    kill(id, SIGQUIT)
    var status: Int32 = 0
    waitpid(id, &status, 0)
    try? FileManager.default.removeItem(atPath: RunFolder.path)
}
