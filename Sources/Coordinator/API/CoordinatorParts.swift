import Farm
import Logging
import Sandbox
import Storage

/// What the routes work with.
struct CoordinatorParts: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let tokens: TokenBook
    let sessions: SessionSigner
    let hub: ChangeHub
    let dispatcher: LeaseDispatcher
    let intake: AssetIntake
    let versions: RendererVersions
    let planning: JobPlanning
    let uploads: UploadReceiver
    let roots: AllowedRoots
    /// Cookies are marked `Secure`.
    let isTLS: Bool
    let heartbeat: Duration
    let logger: Logger

    /// Every route there is.
    func routes() -> RouteTable {
        let table = RouteTable(middlewares: [
            AnswerMiddleware(logger: logger), AuthenticationMiddleware(tokens: tokens, sessions: sessions),
        ])
        addHealth(to: table)
        addSession(to: table)
        addJobs(to: table)
        addEvents(to: table)
        addOutput(to: table)
        addStills(to: table)
        addMeasured(to: table)
        addWorkers(to: table)
        addLeases(to: table)
        addAssets(to: table)
        addArtifacts(to: table)
        addDashboard(to: table)
        table.refuseOtherMethods()
        return table
    }
}
