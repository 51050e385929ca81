import Client
import CompositionModel
import Foundation
import Sandbox
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Worker

@Suite struct FailureTests {
    @Test func theFarmIsToldWhatHappened() {
        let told = Failure(code: "damaged", message: "The file is damaged.", isPermanent: true)
        #expect(Failure(describing: RenderFailed(told)) == told)
        let problem = Problem(status: 404, code: "asset_missing", title: "t", detail: "It is not there.")
        let refused = Failure(describing: ClientError.problem(problem))
        #expect(refused == Failure(code: "asset_missing", message: "It is not there.", isPermanent: false))
        #expect(Failure(describing: ClientError.unreachable("No.")).code == "coordinator_unreachable")
        let full = Failure(code: "no_space", message: "Full.", isPermanent: false)
        #expect(Failure(describing: RenderFailed(full)).code == "worker_no_space")
        #expect(Failure(describing: CocoaError(.fileWriteOutOfSpace)).code == "worker_no_space")
        #expect(Failure(describing: StorageError.noSpace(path: "/cache")).code == "worker_no_space")
        let coordinatorIsFull = Problem(status: 507, code: "no_space", title: "t", detail: "Full.")
        #expect(Failure(describing: ClientError.problem(coordinatorIsFull)).code == "no_space")
        #expect(Failure(describing: CancellationError()).code == "worker_failed")
    }
}
