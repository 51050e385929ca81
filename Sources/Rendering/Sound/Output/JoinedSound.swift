import Bitstream
import CompositionModel
import Foundation
import Media
import Planning

/// Makes a piece of sound of packets that are copied, written one by one, and encoded (``SoundPacketPlan``).
struct JoinedSound {
    private let task: SoundTask
    private let plan: SoundPacketPlan
    private let sources: [RenderSource]

    init(_ task: SoundTask, _ plan: SoundPacketPlan, sources: [RenderSource]) throws(RenderError) {
        guard plan.count > 0, -1...0 ~= plan.start, plan.runs.allSatisfy({ $0.count > 0 }),
            plan.start + plan.runs.reduce(0, { $0 + $1.count }) >= plan.count,
            task.encoding.codec == .aac, 1...6 ~= task.channels, 1024..<2048 ~= plan.priming
        else { throw .invalidPackets("its packets do not fit together") }
        (self.task, self.plan, self.sources) = (task, plan, sources)
    }

    /// Writes the packets to `path`; see ``SoundRenderer/render(_:sources:to:scratchFolder:progress:warn:)``.
    func render(to path: String, scratchFolder: String, progress: (Int) -> Void, warn: (Failure) -> Void) throws {
        let parts = task.mixedParts(plan, in: task.mixed)
        var kept = KeptSamples(bridgedSamples(), channels: task.channels)
        let encoders = try parts.map(encoder)
        var place = 0
        try SoundRenderer.mix(
            task,
            parts: parts.map(\.samples),
            sources: sources,
            scratchFolder: scratchFolder,
            progress: progress,
            warn: warn
        ) { start, block in
            while parts[place].samples.upperBound <= start { place += 1 }
            kept.keep(block, from: start)
            try encoders[place]?.send(after: parts[place].samples.lowerBound, start, block)
        }
        for encoder in encoders { try encoder?.run.finish() }
        let format = try AACFormat(task)
        try write(MadePackets(encoders: encoders.compactMap { $0?.run }, samples: kept, format: format), to: path)
    }

    /// An encoder and the first sample of the timeline that it hears.
    private struct Hearing {
        let run: EncodedRun
        let start: Int64

        /// Gives it what it hears of a block that begins with sample `place`.
        func send(after lower: Int64, _ place: Int64, _ block: [UnsafeMutableBufferPointer<Double>]) throws {
            let passed = min(max(start - place, 0), Int64(block[0].count))
            guard passed < block[0].count else { return }
            try run.send(SoundWriter.floats(block.map { UnsafeMutableBufferPointer(rebasing: $0[Int(passed)...]) }))
        }
    }

    private func encoder(of part: SoundTask.MixedPart) throws -> Hearing? {
        guard let first = part.firstPacket else { return nil }
        let start = task.sample(ofPacket: first, plan) + SoundCopyFacts.frameSize
        let run = try EncodedRun(
            task.encoding,
            sampleRate: task.sampleRate,
            channels: task.channels,
            firstPacket: first,
            silence: part.samples.lowerBound - start,
            wanted: -1..<plan.count
        )
        return Hearing(run: run, start: start)
    }

    /// The samples under the windows of bridges.
    private func bridgedSamples() -> [Range<Int64>] {
        let bridges = plan.ranges.filter { $0.run.isBridge == true }.map { packets, _ in
            let own = packets.clamped(to: 0..<plan.count)
            return task.sample(ofPacket: own.lowerBound, plan)..<task.sample(ofPacket: own.upperBound + 1, plan)
        }
        return SampleRanges(bridges).ranges
    }

    private func write(_ made: MadePackets, to path: String) throws {
        let header = try AudioEncoder(
            encoding: task.encoding,
            sampleRate: task.sampleRate,
            channels: task.channels
        ).extradata
        let content = PacketFileHeader.AudioContent(
            codec: task.encoding.codec,
            sampleRate: task.sampleRate,
            channels: task.channels,
            priming: plan.priming,
            frameSize: Int(SoundCopyFacts.frameSize)
        )
        let file = try PacketFileWriter(path: path, header: .init(content: .audio(content), extradata: header))
        let joiner = try PacketJoiner(task, plan, sources: sources, made: made)
        try joiner.join { number, bytes in
            let start = number * SoundCopyFacts.frameSize - Int64(plan.priming)
            try file.write(
                CodedPacket(
                    decodeIndex: number,
                    displayIndex: start,
                    duration: min(SoundCopyFacts.frameSize, task.sampleCount - start),
                    isKey: true,
                    data: bytes
                )
            )
        }
        try file.finish()
    }
}
