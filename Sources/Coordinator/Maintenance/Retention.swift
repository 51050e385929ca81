import CompositionModel
import Farm
import Logging
import ServiceLifecycle
import WireProtocol

/// Removes finished movies and unused assets beyond what is kept.
struct Retention: Sendable {
    let store: any RetentionStore
    let collection: ArtifactCollection

    /// Carries out an order, or says what it would remove.
    /// - Returns: what went, at most ``RetentionReport/largest`` movies and as many assets.
    /// - Throws: ``FarmStoreError`` or `StorageError` when the database or the disk does not answer.
    func apply(_ order: RetentionOrder) async throws -> RetentionReport {
        let (report, digests) = try await removed(order)
        guard !order.isDryRun else { return report }
        // Looking for what unfinished jobs need takes long with many of them, and nothing is stored while the hold is held.
        // Where it cannot be had, the collector removes the bytes later.
        _ = try await collection.removing { ((), digests) }
        return report
    }

    private func removed(_ order: RetentionOrder) async throws -> (report: RetentionReport, digests: [ContentDigest]) {
        var report = RetentionReport()
        var digests: [ContentDigest] = []
        if let kept = order.movies, !kept.isAll {
            report.movies = try await store.removeMovies(
                beyond: kept,
                isDryRun: order.isDryRun,
                limit: RetentionReport.largest
            )
            digests += report.movies.map(\.artifact)
        }
        if let kept = order.assets, !kept.isAll {
            let found = try await store.removeAssets(
                beyond: kept,
                isDryRun: order.isDryRun,
                limit: RetentionReport.largest
            )
            report.assets = found.assets
            digests += found.digests
        }
        return (report, digests)
    }
}

/// Applies a coordinator's retention once an hour.
struct RetentionSweeper: Service {
    let retention: Retention
    let movies: KeptAmount
    let assets: KeptAmount
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await sweep() } while (try? await clock.sleep(for: .seconds(3600))) != nil
        }
    }

    private func sweep() async {
        let order = RetentionOrder(movies: movies, assets: assets, isDryRun: false)
        do {
            var isPartial = true
            while isPartial {
                let report = try await retention.apply(order)
                note(report)
                isPartial = max(report.movies.count, report.assets.count) == RetentionReport.largest
            }
        } catch {
            logger.warnUnlessCancelled("what is beyond the retention cannot be removed", error)
        }
    }

    private func note(_ report: RetentionReport) {
        for movie in report.movies {
            logger.info(
                "movie removed",
                metadata: ["job": "\(movie.job)", "title": "\(movie.title)", "bytes": "\(movie.byteCount)"]
            )
        }
        for asset in report.assets {
            logger.info("asset removed", metadata: ["asset": "\(asset.digest)", "bytes": "\(asset.byteCount)"])
        }
    }
}
