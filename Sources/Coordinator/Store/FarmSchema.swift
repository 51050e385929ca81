import PostgreSQL

/// The steps of the farm's schema, one file each (`Migrations/*.sql`).
enum FarmSchema {
    // SwiftPM names an embedded file with `_` in place of a leading digit. A new file is also named in Package.swift.
    static let migrations = [
        migration(1, "farm", PackageResources._001_farm_sql),
        migration(2, "secret", PackageResources._002_secret_sql),
        migration(3, "references", PackageResources._003_references_sql),
        migration(4, "history", PackageResources._004_history_sql),
        migration(5, "versions", PackageResources._005_versions_sql),
        migration(6, "stills", PackageResources._006_stills_sql),
        migration(7, "measure", PackageResources._007_measure_sql),
        migration(8, "stages", PackageResources._008_stages_sql),
        migration(9, "copies", PackageResources._009_copies_sql),
        migration(10, "submissions", PackageResources._010_submissions_sql),
        migration(11, "quotas", PackageResources._011_quotas_sql),
        migration(12, "owners", PackageResources._012_owners_sql),
        migration(13, "joining_turns", PackageResources._013_joining_turns_sql),
        migration(14, "parts", PackageResources._014_parts_sql),
        migration(15, "document_slices", PackageResources._015_document_slices_sql),
        migration(16, "control", PackageResources._016_control_sql),
        migration(17, "logs", PackageResources._017_logs_sql),
        migration(18, "offers", PackageResources._018_offers_sql),
        migration(19, "looking", PackageResources._019_looking_sql),
        migration(20, "opening", PackageResources._020_opening_sql),
        migration(21, "night", PackageResources._021_night_sql),
        migration(22, "sources", PackageResources._022_sources_sql),
        migration(23, "tokens", PackageResources._023_tokens_sql),
        migration(24, "webhooks", PackageResources._024_webhooks_sql),
        migration(25, "retention", PackageResources._025_retention_sql),
        migration(26, "traces", PackageResources._026_traces_sql),
        migration(27, "deliveries", PackageResources._027_deliveries_sql),
        migration(28, "audit", PackageResources._028_audit_sql),
        migration(29, "requirements", PackageResources._029_requirements_sql),
        migration(30, "objects", PackageResources._030_objects_sql),
        migration(31, "machines", PackageResources._031_machines_sql),
        migration(32, "job_assets", PackageResources._032_job_assets_sql),
        migration(33, "bucket_uploads", PackageResources._033_bucket_uploads_sql),
    ]

    private static func migration(_ number: Int, _ name: String, _ bytes: [UInt8]) -> Migration {
        Migration(number: number, name: name, sql: String(decoding: bytes, as: UTF8.self))
    }
}
