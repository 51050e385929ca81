/// What a coordinator fetches from elsewhere.
package struct SourceSettings: Sendable {
    /// The addresses from which it fetches.
    package var allowed: SourceAllowList
    /// The service behind `s3://` addresses.
    package var buckets = SourceBuckets()
    /// The most bytes of one file.
    package var largest: Int64 = 1 << 40
    /// The number of files that are fetched at a time.
    package var lanes = 2
    /// The time without a byte after which what came of a file is forgotten.
    package var idle: Duration = .seconds(86_400)

    /// Names the addresses.
    package init(allowed: SourceAllowList) { self.allowed = allowed }
}
