import Farm
import WireProtocol

/// Remembers where the parts of the outputs lie that are looked at, so that a picture or a fragment of a job of ten
/// thousand tasks does not read them all.
actor OutputLayouts {
    private let store: any FarmStore
    private var layouts = RecentValues<JobID, OutputLayout>(limit: OutputLayouts.mostPieces)

    /// The most pieces of all layouts together; one takes about 30 bytes.
    private static let mostPieces = 1 << 19

    init(store: any FarmStore) { self.store = store }

    /// Answers like ``FarmStore/outputLayout(of:)``, possibly also for a job that was pruned meanwhile.
    func layout(of job: JobID) async throws(FarmStoreError) -> OutputLayout? {
        if let layout = layouts.value(of: job) { return layout }
        guard let layout = try await store.outputLayout(of: job) else { return nil }
        layouts.keep(layout, for: job, cost: 1 + layout.pictures.count + layout.sounds.count)
        return layout
    }
}
