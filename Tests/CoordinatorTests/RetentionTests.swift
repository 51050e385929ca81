import CompositionModel
import Farm
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Retention from the API to the files.
@Suite struct RetentionTests {
    @Test func whatGoesIsSaidAndItsBytesGo() async throws {
        let store = try await StoreDatabase.store()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            let data = Data("asset".utf8)
            let digest = ContentDigest(of: data)
            #expect(try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor").status == 201)
            let artifacts = try ArtifactStore(root: farm.folder.path("artifacts"))
            store.setClock(try await store.now().adding(milliseconds: 2 * 3_600_000))
            func apply(_ order: RetentionOrder) async throws -> RetentionReport {
                try await farm.post("/v1/retention:apply", order, as: "admin").decode(RetentionReport.self)
            }
            let dry = try await apply(RetentionOrder(assets: KeptAmount(bytes: 0), isDryRun: true))
            #expect(dry.assets.map(\.digest) == [digest] && dry.byteCount == 5 && dry.movies.isEmpty)
            #expect(artifacts.byteCount(of: digest) == 5)
            #expect(try await apply(RetentionOrder(assets: KeptAmount(bytes: 0), isDryRun: false)) == dry)
            #expect(artifacts.byteCount(of: digest) == nil)
            #expect(try await farm.call("GET", "/v1/assets/\(digest.hex)", as: "editor").status == 404)
            #expect(try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor").status == 201)
        }
    }

    @Test func wrongOrdersAreRefused() async throws {
        let store = try await StoreDatabase.store()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            for order in [
                RetentionOrder(isDryRun: false), RetentionOrder(movies: KeptAmount(), isDryRun: false),
                RetentionOrder(movies: KeptAmount(seconds: -1), isDryRun: false),
                RetentionOrder(movies: KeptAmount(bytes: 0), assets: KeptAmount(bytes: -1), isDryRun: true),
            ] {
                let answer = try await farm.post("/v1/retention:apply", order, as: "admin")
                #expect(answer.code == "invalid_request")
            }
        }
        try await withCoordinator { farm in
            let order = RetentionOrder(movies: KeptAmount(bytes: 0), isDryRun: true)
            let answer = try await farm.post("/v1/retention:apply", order, as: "admin")
            #expect(answer.code == "not_possible")
        }
    }

    /// A coordinator applies its own once an hour, beginning at its start.
    @Test func aCoordinatorKeepsToItsLimits() async throws {
        let (store, clock, log) = (try await StoreDatabase.store(), TestClock(), KeptLog())
        try await withCoordinator { configuration, _ in
            configuration.store = store
            configuration.clock = clock
            configuration.keptAssets = KeptAmount(seconds: 86_400)
            configuration.logger = log.logger
        } _: { farm in
            let data = Data("asset".utf8)
            let digest = ContentDigest(of: data)
            #expect(try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor").status == 201)
            store.setClock(try await store.now().adding(milliseconds: 2 * 86_400_000))
            // Asking for the asset would be a use of it.
            try await clock.turn(by: .seconds(60)) { log.lines.contains { $0.message == "asset removed" } }
            #expect(try await store.asset(digest) == nil)
        }
    }
}
