import CompositionModel
import Farm
import Foundation
import Planning
import Timing
import WireProtocol

/// A worker and a small job, made by hand: the farm's side of the API needs no media.
enum FarmPieces {
    static let registration = WorkerRegistration(
        name: "bench",
        kinds: [.picture, .sound],
        slots: 1,
        rendererVersion: Renderer.version,
        libraries: FakeRenderer.libraries
    )

    static func poll(_ worker: WorkerID, wait: Int, capacity: Int = 1, poll: PollID = PollID(uuid: UUID())) -> LeasePoll
    {
        LeasePoll(worker: worker, poll: poll, kinds: [.picture, .sound], capacity: capacity, waitMilliseconds: wait)
    }

    /// A packet file with `text` in place of packets, which the fake renderer joins.
    static func part(_ text: String, units: Int64 = 25) -> Data {
        func number(_ value: some FixedWidthInteger) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
        let head = Data("CUTPACK\n".utf8) + number(UInt32(1)) + number(UInt32(2)) + Data("{}".utf8)
        let body = head + Data(text.utf8)
        let summary = Data("S".utf8) + [1, units, Int64(text.utf8.count), 0, 0, 0].map { number($0) }.joined()
        return body + summary + number(Int64(body.count)) + Data(count: 32) + Data("CUTPEND\n".utf8)
    }

    static func completion(_ worker: WorkerID, _ data: Data) -> TaskCompletion {
        TaskCompletion(
            worker: worker,
            artifact: ContentDigest(of: data),
            byteCount: Int64(data.count),
            unitCount: 25,
            statistics: TaskStatistics()
        )
    }

    /// `parts` segments of one second and what joins them.
    /// - Parameter keys: what the segments' keys are made of; without any they have none, and the job names no versions.
    static func job(
        key: String = UUID().uuidString,
        owner: String = "editor",
        title: String = "cut.json",
        parts: Int = 2,
        keys: [String] = []
    ) throws -> NewJob {
        let rate = try FrameRate(25)
        let encoding = VideoEncoding(
            codec: .h264,
            speed: "medium",
            crfThousandths: 20_000,
            keyframeInterval: 50,
            postRoll: 20
        )
        let picture = PictureTask(
            frameRate: rate,
            size: PictureSize(width: 320, height: 180),
            color: .bt709,
            background: "#000000",
            frameCount: 25,
            postRollCount: 0,
            assets: [],
            instructions: [],
            encoding: encoding,
            rendererVersion: Renderer.version
        )
        let stitch = StitchTask(
            container: .mp4,
            frameRate: rate,
            frameCount: Int64(parts) * 25,
            sampleRate: 48000,
            sampleCount: Int64(parts) * 48000,
            size: picture.size,
            color: .bt709,
            partFrameCounts: [Int64](repeating: 25, count: parts),
            hasSound: false,
            rendererVersion: Renderer.version
        )
        var tasks = (0..<parts).map { index in
            NewTask(
                position: index,
                stage: 0,
                payload: .picture(picture),
                frames: FrameRange(start: Int64(index) * 25, count: 25),
                startBorder: .cut,
                endBorder: .cut,
                key: keys.isEmpty ? nil : ContentDigest(of: Data(keys[index].utf8)),
                costMilliseconds: 100
            )
        }
        tasks.append(NewTask(position: parts, stage: 1, payload: .stitch(stitch), costMilliseconds: 10))
        let job = NewJob(
            idempotencyKey: key,
            owner: owner,
            title: title,
            preset: "h264",
            fileExtension: "mp4",
            frameCount: Int64(parts) * 25,
            frameRate: rate,
            composition: Data("{}".utf8),
            plan: Data("{}".utf8),
            tasks: tasks
        )
        return keys.isEmpty ? job : job.pinned(to: FakeRenderer.libraries)
    }
}

extension RunningCoordinator {
    func registerWorker() async throws -> WorkerID {
        try await post("/v1/workers", FarmPieces.registration).decode(WorkerRegistered.self).worker
    }

    func grants(_ poll: LeasePoll) async throws -> [LeaseGrant] {
        try await post("/v1/leases:poll", poll).decode(LeaseGrants.self).grants
    }

    func liveAttempts() throws -> Set<AttemptID> {
        let tasks = try store.jobs(JobFilter()).flatMap { try store.tasks(of: $0.id) }
        return Set(tasks.flatMap(\.attempts).filter { $0.state == .live }.map(\.id))
    }

}
