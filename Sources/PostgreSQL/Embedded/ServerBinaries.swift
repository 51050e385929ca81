import Foundation
import Glibc

/// The folder with `initdb` and `postgres`.
struct ServerBinaries: Sendable, Hashable {
    let folder: String
    /// Major version, such as 15.
    let version: Int

    var initdb: String { folder + "/initdb" }
    var postgres: String { folder + "/postgres" }

    /// Debian's places first (they are not on PATH), then PATH.
    ///
    /// - Parameter version: of an existing data folder, which no other major version can open; nil takes the newest.
    static func find(
        version: Int?,
        root: String = "/usr/lib/postgresql",
        path: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) throws(EmbeddedError) -> ServerBinaries {
        let all = installed(root) + path.split(separator: ":").compactMap { candidate(String($0)) }
        guard let wanted = version else {
            guard let newest = all.max(by: { $0.version < $1.version }) else { throw missing }
            return newest
        }
        guard let match = all.first(where: { $0.version == wanted }) else { throw missing(wanted) }
        return match
    }

    private static func installed(_ root: String) -> [ServerBinaries] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.compactMap { name in
            Int(name).map { ServerBinaries(folder: "\(root)/\(name)/bin", version: $0) }
        }.filter(\.isComplete)
    }

    /// `postgres --version` says `postgres (PostgreSQL) 15.14 (Debian …)`; a link stands for the folder it leads to.
    private static func candidate(_ folder: String) -> ServerBinaries? {
        let program = URL(fileURLWithPath: folder + "/postgres").resolvingSymlinksInPath().path
        guard access(program, X_OK) == 0, let line = try? ChildProcess.output(of: [program, "--version"]),
            let number = line.split(separator: " ").lazy.compactMap({ $0.split(separator: ".").first }).compactMap({
                Int($0)
            }).first
        else { return nil }
        let found = ServerBinaries(folder: (program as NSString).deletingLastPathComponent, version: number)
        return found.isComplete ? found : nil
    }

    private var isComplete: Bool { access(initdb, X_OK) == 0 && access(postgres, X_OK) == 0 }

    private static var missing: EmbeddedError {
        EmbeddedError(
            .notInstalled,
            "PostgreSQL is not installed; run: apt-get install postgresql — or give --database-url."
        )
    }

    private static func missing(_ version: Int) -> EmbeddedError {
        EmbeddedError(
            .otherVersion,
            "The farm's data was made by PostgreSQL \(version), which is not installed; run: apt-get install "
                + "postgresql-\(version)"
        )
    }
}
