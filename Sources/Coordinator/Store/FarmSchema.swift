import PostgreSQL

/// The steps of the farm's schema, one file each (`Migrations/*.sql`).
enum FarmSchema {
    // A new file is also named in CEmbedded/files.c.
    static let migrations = [
        migration(1, "farm"),
        migration(2, "secret"),
        migration(3, "references"),
        migration(4, "history"),
        migration(5, "versions"),
        migration(6, "stills"),
        migration(7, "measure"),
        migration(8, "stages"),
        migration(9, "copies"),
        migration(10, "submissions"),
        migration(11, "quotas"),
        migration(12, "owners"),
        migration(13, "joining_turns"),
        migration(14, "parts"),
        migration(15, "document_slices"),
        migration(16, "control"),
        migration(17, "logs"),
        migration(18, "offers"),
        migration(19, "looking"),
        migration(20, "opening"),
        migration(21, "night"),
        migration(22, "sources"),
        migration(23, "tokens"),
        migration(24, "webhooks"),
        migration(25, "retention"),
        migration(26, "traces"),
        migration(27, "deliveries"),
        migration(28, "audit"),
        migration(29, "requirements"),
        migration(30, "objects"),
        migration(31, "machines"),
        migration(32, "job_assets"),
        migration(33, "bucket_uploads"),
        migration(34, "worker_counts"),
    ]

    private static func migration(_ number: Int, _ name: String) -> Migration {
        let digits = String(number)
        let file = String(repeating: "0", count: 4 - digits.count) + "\(digits)_\(name).sql"
        return Migration(number: number, name: name, sql: String(decoding: EmbeddedFile.bytes(file), as: UTF8.self))
    }
}
