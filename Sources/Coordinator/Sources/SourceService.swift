import Farm
import Foundation
import Logging
import ServiceLifecycle
import Storage

/// Fetches the sources that are due, some at a time. Each coordinator that may fetch does; a claim keeps two from fetching
/// the same.
struct SourceService: Service {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let fetcher: SourceFetcher
    let settings: SourceSettings
    let clock: any Clock<Duration>
    let logger: Logger

    /// The time for which a source that nobody asks for is remembered.
    private static let memory: Int64 = 30 * 86_400_000

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<settings.lanes { group.addTask { await fetchWhatIsDue() } }
                group.addTask { await forgetWhatIsOld() }
            }
        }
    }

    private func fetchWhatIsDue() async {
        while !Task.isCancelled {
            let claim = UUID()
            do throws(FarmStoreError) {
                if let source = try await store.claimSource(by: claim) {
                    await fetcher.fetch(source, claim: claim)
                    continue
                }
            } catch {
                logger.warnUnlessCancelled("sources cannot be claimed", error)
            }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    private func forgetWhatIsOld() async {
        repeat {
            let seconds = Int(settings.idle.components.seconds)
            let removed = (try? await blocking { artifacts.removePartialSources(untouchedFor: seconds) }) ?? 0
            if removed > 0 { logger.info("unfinished sources removed", metadata: ["count": "\(removed)"]) }
            _ = try? await store.forgetSources(untouchedFor: Self.memory)
        } while (try? await clock.sleep(for: .seconds(600))) != nil
    }
}
