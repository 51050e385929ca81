import Bitstream
import CompositionModel
import Foundation
import Planning

/// Puts the packets of a piece in order, and writes bridges between those that are encoded and those that are copied.
final class PacketJoiner {
    /// Consecutive packets, as they are made.
    private struct Stretch {
        var packets: Range<Int64>
        let run: SoundPacketRun
    }

    private let task: SoundTask
    private let plan: SoundPacketPlan
    private let sources: [RenderSource]
    private let made: MadePackets
    private let bridge: BridgePacket
    private var stretches: [Stretch]
    /// The copied packets behind the bridge that was written last.
    private var opened: CopiedRun?
    /// The right half of the last packet's window.
    private var slope = BridgePacket.Slope()

    init(_ task: SoundTask, _ plan: SoundPacketPlan, sources: [RenderSource], made: MadePackets) throws {
        (self.task, self.plan, self.sources, self.made) = (task, plan, sources, made)
        bridge = try BridgePacket(channels: task.channels, sampleRate: task.sampleRate)
        stretches = plan.ranges.map { Stretch(packets: $0.packets, run: $0.run) }
        for index in stretches.indices where stretches[index].run.isBridge == true { try widen(index) }
    }

    /// Hands over the piece's packets, by their numbers.
    func join(_ take: (Int64, Data) throws -> Void) throws {
        for (index, stretch) in stretches.enumerated() {
            if let copy = stretch.run.copy {
                try copied(copy, stretch.packets, take)
            } else if stretch.run.isBridge == true {
                try bridged(stretch.packets, right: rightSlope(of: index), take)
            } else {
                try encoded(stretch.packets, take)
            }
        }
    }

    private func wanted(_ packets: Range<Int64>) -> Range<Int64> { packets.clamped(to: 0..<plan.count) }

    // MARK: Widening

    /// Lets a bridge grow into what is encoded beside it, to where all channels have one window.
    private func widen(_ index: Int) throws {
        if index > 0, stretches[index - 1].run.isEncoded {
            try move(index - 1) {
                made.window(of: $0.upperBound - 1) != nil
            } by: {
                $0.lowerBound..<$0.upperBound - 1
            }
            let start = stretches[index - 1].packets.upperBound
            stretches[index].packets = start..<stretches[index].packets.upperBound
        }
        if index + 1 < stretches.count, stretches[index + 1].run.isEncoded {
            try move(index + 1) {
                made.window(of: $0.lowerBound) != nil && made.window(of: $0.lowerBound - 1) != nil
            } by: {
                $0.lowerBound + 1..<$0.upperBound
            }
            stretches[index].packets = stretches[index].packets.lowerBound..<stretches[index + 1].packets.lowerBound
        }
    }

    /// Takes packets away from what is encoded until `isReadable`.
    private func move(
        _ index: Int,
        until isReadable: (Range<Int64>) -> Bool,
        by step: (Range<Int64>) -> Range<Int64>
    ) throws {
        var packets = stretches[index].packets
        for _ in 0..<JoinedSound.reach {
            guard !packets.isEmpty else { break }
            if isReadable(packets) {
                stretches[index].packets = packets
                return
            }
            if packets.count == 1 { break }
            packets = step(packets)
        }
        throw RenderError(
            "sound_not_joined",
            "The sound around sample \(task.sample(ofPacket: packets.lowerBound, plan)) cannot be joined to copied sound; "
                + "render the edit with the preset “h264”.",
            isPermanent: true
        )
    }

    // MARK: Packets

    private func copied(_ copy: CopiedSound, _ packets: Range<Int64>, _ take: (Int64, Data) throws -> Void) throws {
        let run = try opened ?? CopiedRun(copy, of: task, sources: sources, isJoined: false)
        opened = nil
        for number in packets.lowerBound..<min(packets.upperBound, plan.count) {
            let packet = try run.next()
            if number >= 0 { try take(number, packet) }
        }
        if let window = run.last { slope = .init(isShort: window.isShortRight, shape: window.shape) }
    }

    private func encoded(_ packets: Range<Int64>, _ take: (Int64, Data) throws -> Void) throws {
        for number in wanted(packets) {
            guard let packet = made.packet(number) else {
                throw RenderError.invalidPackets("packet \(number) is not made")
            }
            try take(number, packet)
        }
        if let window = made.window(of: packets.upperBound - 1) {
            slope = .init(isShort: window.isShortRight, shape: window.shape)
        }
    }

    private func bridged(
        _ packets: Range<Int64>,
        right: BridgePacket.Slope,
        _ take: (Int64, Data) throws -> Void
    ) throws {
        for number in wanted(packets) {
            let samples = made.samples.samples(
                task.sample(ofPacket: number, plan)..<task.sample(ofPacket: number + 2, plan)
            )
            let packet = try bridge.packet(
                samples,
                left: number == packets.lowerBound ? slope : .init(),
                right: number == packets.upperBound - 1 ? right : .init()
            )
            try take(number, Data(packet))
        }
        slope = .init()
    }

    /// The left half of the window behind a bridge.
    private func rightSlope(of index: Int) throws -> BridgePacket.Slope {
        guard index + 1 < stretches.count else { return .init() }
        let next = stretches[index + 1]
        if let copy = next.run.copy {
            let run = try CopiedRun(copy, of: task, sources: sources, isJoined: true)
            opened = run
            guard let before = run.before, let first = run.first else {
                throw RenderError.invalidPackets("a copy begins where nothing can be joined")
            }
            return .init(isShort: first.isShortLeft, shape: before.shape)
        }
        guard next.run.isEncoded, let before = made.window(of: next.packets.lowerBound - 1),
            let first = made.window(of: next.packets.lowerBound)
        else { return .init() }
        return .init(isShort: first.isShortLeft, shape: before.shape)
    }
}
