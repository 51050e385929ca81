import Glibc

/// Whom the server runs as: PostgreSQL refuses root, so the user `postgres` then; otherwise ourselves.
struct ServerAccount: Sendable, Hashable {
    let userID: uid_t
    let groupID: gid_t
    /// nil: the user we are.
    let name: String?

    /// - Throws: ``EmbeddedError`` when we are root and there is no user `postgres`.
    static func current() throws(EmbeddedError) -> ServerAccount {
        guard geteuid() == 0 else { return ServerAccount(userID: geteuid(), groupID: getegid(), name: nil) }
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 4096)
        guard getpwnam_r("postgres", &record, &text, text.count, &found) == 0, found != nil else {
            throw EmbeddedError(
                .noAccount,
                "PostgreSQL does not run as root and there is no user “postgres”; run: apt-get install postgresql"
            )
        }
        return ServerAccount(userID: record.pw_uid, groupID: record.pw_gid, name: "postgres")
    }

    /// `command` under this account; told to stop (fast shutdown) when the thread that started it is gone.
    func command(_ command: [String]) -> [String] {
        var words = ["setpriv", "--pdeathsig", "INT"]
        if let name { words += ["--reuid", name, "--regid", String(groupID), "--init-groups"] }
        return words + ["--"] + command
    }

    /// The first folder on the way to `path` that this account may not enter, or nil.
    func blockedFolder(towards path: String) -> String? {
        guard name != nil else { return nil }
        var prefix = ""
        for part in path.split(separator: "/") {
            prefix += "/" + part
            var status = stat()
            guard stat(prefix, &status) == 0 else { return nil }
            if !mayEnter(status) { return prefix }
        }
        return nil
    }

    private func mayEnter(_ status: stat) -> Bool {
        if status.st_uid == userID { return status.st_mode & S_IXUSR != 0 }
        if status.st_gid == groupID { return status.st_mode & S_IXGRP != 0 }
        return status.st_mode & S_IXOTH != 0
    }
}
