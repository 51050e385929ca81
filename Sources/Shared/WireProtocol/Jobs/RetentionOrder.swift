package import CompositionModel
package import Foundation

/// How much of one kind is kept: what exceeds either goes. Neither keeps all.
package struct KeptAmount: Sendable, Hashable, Codable {
    /// For how long, in seconds.
    package var seconds: Int64?
    /// Up to how many bytes; the oldest go first.
    package var bytes: Int64?

    package init(seconds: Int64? = nil, bytes: Int64? = nil) {
        self.seconds = seconds
        self.bytes = bytes
    }

    /// Whether everything is kept.
    package var isAll: Bool { seconds == nil && bytes == nil }
}

/// The body of `POST /v1/retention:apply`.
package struct RetentionOrder: Sendable, Hashable, Codable {
    /// The finished movies to keep, by the time of their completion; nil keeps all.
    package var movies: KeptAmount?
    /// The assets to keep that no unfinished job needs, by the time of their last use; nil keeps all.
    package var assets: KeptAmount?
    /// Whether only to say what would go.
    package var isDryRun: Bool

    package init(movies: KeptAmount? = nil, assets: KeptAmount? = nil, isDryRun: Bool) {
        self.movies = movies
        self.assets = assets
        self.isDryRun = isDryRun
    }
}

/// What went, or would: the answer to `POST /v1/retention:apply`.
package struct RetentionReport: Sendable, Hashable, Codable {
    /// The most movies, and the most assets, of one report.
    package static let largest = 1000

    /// The movie of one job.
    package struct Movie: Sendable, Hashable, Codable {
        package var job: JobID
        package var title: String
        package var owner: String
        package var artifact: ContentDigest
        package var byteCount: Int64
        package var finished: Date

        package init(
            job: JobID,
            title: String,
            owner: String,
            artifact: ContentDigest,
            byteCount: Int64,
            finished: Date
        ) {
            self.job = job
            self.title = title
            self.owner = owner
            self.artifact = artifact
            self.byteCount = byteCount
            self.finished = finished
        }
    }

    /// An asset.
    package struct Asset: Sendable, Hashable, Codable {
        package var digest: ContentDigest
        package var byteCount: Int64
        /// When it was last asked for, to ten minutes.
        package var used: Date

        package init(digest: ContentDigest, byteCount: Int64, used: Date) {
            self.digest = digest
            self.byteCount = byteCount
            self.used = used
        }
    }

    /// The movies, the oldest first.
    package var movies: [Movie]
    /// The assets, the one first that was not used for longest.
    package var assets: [Asset]

    package init(movies: [Movie] = [], assets: [Asset] = []) {
        self.movies = movies
        self.assets = assets
    }

    /// The bytes of everything.
    package var byteCount: Int64 { movies.reduce(0) { $0 + $1.byteCount } + assets.reduce(0) { $0 + $1.byteCount } }
}
