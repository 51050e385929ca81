import CompositionModel
import Farm
import Foundation
import Planning
import Synchronization
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

/// An edit as a timeline: what it costs the coordinator, and how large the answer may be.
@Suite struct TrackDrawingTests {
    private let name = String(repeating: "Ä", count: 300)

    /// The composition of an edit of one clip for each second, all of one asset.
    private func composition(clips: Int) throws -> Composition {
        let rate = try FrameRate(25)
        let segments = (0..<clips).map { index in
            VideoTrackSegment(
                target: FrameRange(start: Int64(index) * 25, count: 25),
                asset: 0,
                stream: 0,
                sourceStart: .zero,
                fit: .contain
            )
        }
        return Composition(
            format: Format(
                size: PictureSize(width: 320, height: 180),
                frameRate: rate,
                sampleRate: 48000,
                channels: 2,
                color: .bt709,
                background: "#000000"
            ),
            frameCount: Int64(clips) * 25,
            assets: [CompositionAsset(name: name, digest: ContentDigest(of: Data("a".utf8)))],
            videoTracks: [VideoTrack(id: "v1.a", segments: segments)],
            instructions: [],
            audioTracks: [],
            outputs: []
        )
    }

    private func job(_ composition: Composition, in store: InMemoryFarmStore) throws -> JobView {
        var job = try FarmPieces.job()
        job.composition = try CanonicalJSON.data(composition)
        return try store.insertJob(job).job
    }

    private func drawing(
        _ store: any FarmStore,
        _ pool: PlanningPool,
        _ owners: OwnerCounter = OwnerCounter(limit: 8)
    ) -> TrackDrawing {
        TrackDrawing(
            store: store,
            pool: pool,
            memory: ByteBudget(total: 1 << 20, share: 1 << 19, clock: TestClock()),
            owners: owners
        )
    }

    @Test func aTimelineIsDrawnOnceForAll() async throws {
        let store = StalledStore()
        let job = try job(composition(clips: 2), in: store.model)
        let drawing = drawing(store, PlanningPool(limit: .seconds(60), clock: TestClock()))
        let first = try await drawing.tracks(of: job.id, for: "a")
        #expect(try WireJSON.decode(JobTracks.self, from: first).tracks.first?.items.count == 2)
        let lists = store.lists
        #expect(try await drawing.tracks(of: job.id, for: "b") == first && store.lists == lists, "\(store.lists)")
        await #expect(throws: FarmStoreError.unknownJob) {
            try await drawing.tracks(of: JobID(uuid: UUID()), for: "a")
        }
    }

    /// One owner's edit is planned, and takes its thread: the owner's timelines wait, another's is drawn.
    @Test func anOwnerWithAPlanUnderWayWaits() async throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        let jobs = try (0..<2).map { _ in try job(composition(clips: 1), in: store).id }
        let pool = PlanningPool(limit: .seconds(60), clock: TestClock())
        let owners = OwnerCounter(limit: 1)
        let drawing = drawing(store, pool, owners)
        let gate = DispatchSemaphore(value: 0)
        let begun = Mutex(false)
        let plan = Task {
            try await pool.run(for: "many") {
                begun.withLock { $0 = true }
                gate.wait()
            }
        }
        try await waitUntil { begun.withLock(\.self) }
        let waiting = Task { try await drawing.tracks(of: jobs[0], for: "many") }
        try await waitUntil { owners.underWay(of: "many") == 1 }
        let refused = await #expect(throws: Problem.self) { try await drawing.tracks(of: jobs[0], for: "many") }
        #expect(refused?.status == 429 && refused?.code == "too_many_timelines")
        _ = try await drawing.tracks(of: jobs[1], for: "one")
        gate.signal()
        try await plan.value
        _ = try await waiting.value
    }

    /// The name of an asset stands in each of its clips.
    @Test func namesAreCut() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        let composition = try composition(clips: 2000)
        let tracks = EditTracks(composition, of: try job(composition, in: store)).tracks
        let item = try #require(tracks.tracks.first?.items.first)
        #expect(item.label.count == EditTracks.longestName && item.label.hasSuffix("Ä…") && item.source == item.label)
        #expect(try WireJSON.encode(tracks).count < 1 << 20)
    }

    @Test func tracksAreCounted() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        var composition = try composition(clips: 1)
        let segments = composition.videoTracks[0].segments
        composition.videoTracks = (0..<3000).map { VideoTrack(id: "v\($0)", segments: segments) }
        let tracks = EditTracks(composition, of: try job(composition, in: store)).tracks
        #expect(tracks.tracks.count == EditTracks.mostTracks && tracks.tracks.first?.name == "V2999")
        #expect(tracks.omitted == "Of 3000 tracks 200 are drawn.")
    }

    /// What a composition names and does not have is drawn without a name.
    @Test func aNestedEditThatIsNotThereHasNoName() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        for nested in [nil, [] as [NestedComposition]?] {
            var composition = try composition(clips: 1)
            composition.nested = nested
            composition.videoTracks[0].segments[0].isNested = true
            let tracks = EditTracks(composition, of: try job(composition, in: store)).tracks
            #expect(tracks.tracks.first?.items.first?.label == "nested edit")
        }
    }
}
