import Farm
import HTTPTypes
import Hummingbird
import Storage
import WireProtocol

/// The numbers of the farm and of this coordinator in Prometheus' format.
struct MetricsRoutes: RouteGroup {
    let metrics: FarmMetrics
    let tally: SharedTally
    let space: SpaceWatch
    let artifacts: ArtifactStore
    /// Whether nobody needs a token for them.
    let isOpen: Bool

    func add(to table: RouteTable) {
        let scopes: [Scope] = isOpen ? [] : [.view]
        table.on(.get, "/metrics", anyOf: scopes) { _, _ in
            var text = MetricsText()
            write(await tally.answer(), to: &text)
            if let room = space.read(space.artifactRoot) {
                text.add(
                    "cutfarm_disk_free_bytes",
                    .gauge,
                    "Room where the coordinator stores parts and movies.",
                    Double(room.free)
                )
                text.add(
                    "cutfarm_disk_reserve_bytes",
                    .gauge,
                    "Room below which nothing new begins.",
                    Double(room.reserve)
                )
            }
            if let uploads = try? await blocking({ artifacts.unfinishedUploads() }) {
                text.add(
                    "cutfarm_unfinished_uploads",
                    .gauge,
                    "Uploads of which some bytes are still to come.",
                    Double(uploads.count)
                )
                text.add(
                    "cutfarm_unfinished_upload_bytes",
                    .gauge,
                    "Bytes of unfinished uploads that are here.",
                    Double(uploads.byteCount)
                )
            }
            metrics.write(to: &text)
            return Response(
                status: .ok,
                headers: [.contentType: MetricsText.mediaType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text.text))
            )
        }
    }

    private func write(_ answer: SharedTally.Answer, to text: inout MetricsText) {
        text.add("cutfarm_database_up", .gauge, "Whether the database answered.", answer.tally == nil ? 0 : 1)
        guard let tally = answer.tally else { return }
        let age = Double(answer.age.milliseconds) / 1000
        text.add("cutfarm_tally_age_seconds", .gauge, "Time since tasks, jobs, leases and workers were counted.", age)
        text.begin(
            "cutfarm_tasks_queued",
            .gauge,
            "Tasks that wait for a worker, by the priority of their job; priorities beyond 10 count as 10."
        )
        let priorities = Set(tally.queuedTasks.keys).union([0]).sorted()
        for priority in priorities {
            let count = Double(tally.queuedTasks[priority] ?? 0)
            text.add("cutfarm_tasks_queued", [("priority", "\(priority)")], count)
        }
        text.begin("cutfarm_jobs", .gauge, "Jobs by state.")
        for state in JobState.allCases {
            text.add("cutfarm_jobs", [("state", state.rawValue)], Double(tally.jobs[state] ?? 0))
        }
        text.add(
            "cutfarm_oldest_queued_job_seconds",
            .gauge,
            "Time since the oldest job was stored of which nothing has begun and that is not paused; 0 for none.",
            Double(tally.oldestQueuedMilliseconds ?? 0) / 1000
        )
        text.add("cutfarm_leases", .gauge, "Tasks that workers hold.", Double(tally.leases))
        text.begin("cutfarm_workers", .gauge, "Workers that were heard of lately, by state.")
        for state in FarmTally.WorkerState.allCases {
            text.add("cutfarm_workers", [("state", state.rawValue)], Double(tally.workers[state] ?? 0))
        }
    }
}
