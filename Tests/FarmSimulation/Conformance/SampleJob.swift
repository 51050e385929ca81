package import CompositionModel
package import Farm
import Foundation
import Planning
package import Timing
package import WireProtocol

/// Small jobs for the simulator and the conformance suite: real payloads, nothing to render.
package enum SampleJob {
    /// - Parameters:
    ///   - segments: picture tasks, ≥ 1; with `hasSound` one sound task beside them, then one stitch task.
    ///   - rounds: of three measuring tasks each, before the sound; no picture waits for them.
    ///   - cost: of each segment in milliseconds; the sound costs twice, the stitch half as much.
    ///   - sharesParts: whether its segments have the keys of the same positions of all such jobs; else they are its own.
    package static func job(
        key: String,
        owner: String = "owner",
        segments: Int,
        hasSound: Bool = true,
        rounds: Int = 0,
        priority: Int = 0,
        cost: Int64 = 4000,
        sharesParts: Bool = false
    ) -> NewJob {
        var tasks = (0..<segments).map { position in
            var task = segment(position, of: segments, stage: rounds, cost: cost + Int64(position))
            task.key = self.key(of: position, in: sharesParts ? nil : "\(owner)/\(key)")
            return task
        }
        func add(_ payload: TaskPayload, stage: Int, cost: Int64) {
            tasks.append(NewTask(position: tasks.count, stage: stage, payload: payload, costMilliseconds: cost))
        }
        for round in 0..<rounds { for _ in 0..<3 { add(.measure(measure), stage: round, cost: cost / 4) } }
        if hasSound { add(.sound(sound), stage: rounds, cost: 2 * cost) }
        add(.stitch(stitch(parts: segments, hasSound: hasSound)), stage: rounds + 1, cost: cost / 2)
        return NewJob(
            idempotencyKey: key,
            owner: owner,
            title: "\(key).edit",
            preset: "h264",
            fileExtension: "mp4",
            priority: priority,
            frameCount: Int64(segments) * framesPerSegment,
            frameRate: frameRate,
            copying: segments > 1 ? copying(segments) : nil,
            composition: Data("{\"key\":\"\(key)\"}".utf8),
            plan: Data("{\"segments\":\(segments)}".utf8),
            tasks: tasks
        )
    }

    /// The bytes that attempt results are named by: what a task's rendering gives, whoever does it.
    package static func artifact(_ job: JobID, position: Int) -> ContentDigest {
        ContentDigest(of: Data("\(job)/\(position)".utf8))
    }

    /// The bytes that a task of a shared key has, whichever job it belongs to.
    static func artifact(ofKey key: ContentDigest) -> ContentDigest { ContentDigest(of: Data("of \(key)".utf8)) }

    /// What a machine with faulty memory makes in place of `artifact`.
    package static func spoilt(_ artifact: ContentDigest) -> ContentDigest {
        ContentDigest(of: Data("spoilt \(artifact)".utf8))
    }

    private static func key(of position: Int, in job: String?) -> ContentDigest {
        ContentDigest(of: Data("segment \(position) \(job ?? "")".utf8))
    }

    static let framesPerSegment: Int64 = 120
    // 25 is above 0.
    package static let frameRate = (try? FrameRate(25)) ?? { preconditionFailure("25 frames per second are a rate") }()

    private static let size = PictureSize(width: 64, height: 36)
    private static let asset = ContentDigest(of: Data("an asset".utf8))

    /// The share of a job whose segments copy their first ``copiedPerSegment`` frames.
    private static func copying(_ segments: Int) -> CopyingShare {
        let copied = Int64(segments) * copiedPerSegment
        let rest = Int64(segments) * framesPerSegment - copied
        return CopyingShare(
            copiedCount: copied,
            encoded: [CopyingShare.Rest(frameCount: rest, reason: EncodingReason.title.words)],
            sound: CopiedSoundShare(
                copiedCount: copied * 1920,
                sampleCount: (copied + rest) * 1920,
                sampleRate: 48_000,
                encoded: [.init(sampleCount: rest * 1920, reason: SoundEncodingReason.level.words)]
            )
        )
    }

    private static let copiedPerSegment: Int64 = 48

    private static func segment(_ position: Int, of count: Int, stage: Int, cost: Int64) -> NewTask {
        var task = PictureTask(
            frameRate: frameRate,
            size: size,
            color: .bt709,
            background: "#000000",
            frameCount: framesPerSegment,
            postRollCount: 20,
            assets: [asset],
            instructions: [],
            encoding: VideoEncoding(
                codec: .h264,
                speed: "medium",
                crfThousandths: 20_000,
                keyframeInterval: 50,
                postRoll: 20
            ),
            rendererVersion: 1
        )
        if count > 1 {
            task.encoding.copies = true
            let frames = FrameRange(start: 0, count: copiedPerSegment)
            task.copies = [CopiedSpan(frames: frames, asset: 0, stream: 0, sourceFrame: 0, configuration: Data([1]))]
        }
        return NewTask(
            position: position,
            stage: stage,
            isIndependent: stage > 0,
            payload: .picture(task),
            frames: FrameRange(start: Int64(position) * framesPerSegment, count: framesPerSegment),
            startBorder: position == 0 ? .edge : .cut,
            endBorder: position == count - 1 ? .edge : .cut,
            costMilliseconds: cost
        )
    }

    private static let sound = SoundTask(
        sampleRate: 48_000,
        channels: 2,
        sampleCount: 480_000,
        firstSample: 0,
        assets: [asset],
        tracks: [],
        encoding: AudioEncoding(codec: .aac, bitRate: 192_000),
        rendererVersion: 1
    )

    private static let measure = MeasureTask(sound: sound, what: .loudness, start: 0, wholeSampleCount: 480_000)

    private static func stitch(parts: Int, hasSound: Bool) -> StitchTask {
        StitchTask(
            container: .mp4,
            frameRate: frameRate,
            frameCount: Int64(parts) * framesPerSegment,
            sampleRate: 48_000,
            sampleCount: 480_000,
            size: size,
            color: .bt709,
            partFrameCounts: [Int64](repeating: framesPerSegment, count: parts),
            hasSound: hasSound,
            rendererVersion: 1
        )
    }
}
