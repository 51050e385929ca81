import PostgreSQL

/// The farm's schema as it grew, one file a step (`Migrations/*.sql`).
enum FarmSchema {
    // SwiftPM names an embedded file with `_` in place of a leading digit. A new file is also named in Package.swift.
    static let migrations = [
        Migration(number: 1, name: "farm", sql: String(decoding: PackageResources._001_farm_sql, as: UTF8.self))
    ]
}
