import Bitstream
import CompositionModel
import Foundation
import Planning

/// Puts the packets of a piece in order, and writes bridges between those that are encoded and those that are copied.
final class PacketJoiner {
    /// Consecutive packets, as they are made.
    private typealias Stretch = (packets: Range<Int64>, run: SoundPacketRun)
    private typealias Slopes = [BridgePacket.Slope]

    private let task: SoundTask
    private let plan: SoundPacketPlan
    private let sources: [RenderSource]
    private let made: MadePackets
    private let bridge: BridgePacket
    private let stretches: [Stretch]
    /// The copied packets behind the bridge that was written last.
    private var opened: CopiedRun?
    /// The right halves of the last copied packet's windows.
    private var copiedSlopes: Slopes?

    init(_ task: SoundTask, _ plan: SoundPacketPlan, sources: [RenderSource], made: MadePackets) throws {
        (self.task, self.plan, self.sources, self.made) = (task, plan, sources, made)
        bridge = try BridgePacket(channels: task.channels, sampleRate: task.sampleRate)
        stretches = plan.ranges
    }

    /// Hands over the piece's packets, by their numbers.
    func join(_ take: (Int64, Data) throws -> Void) throws {
        for (index, stretch) in stretches.enumerated() {
            if let copy = stretch.run.copy {
                try copied(copy, stretch.packets, take)
            } else if stretch.run.isBridge == true {
                try bridged(index, take)
            } else {
                try encoded(stretch.packets, take)
            }
        }
    }

    private func copied(_ copy: CopiedSound, _ packets: Range<Int64>, _ take: (Int64, Data) throws -> Void) throws {
        let run = try opened ?? CopiedRun(copy, of: task, sources: sources, isJoined: false)
        opened = nil
        for number in packets.lowerBound..<min(packets.upperBound, plan.count) {
            let packet = try run.next()
            if number >= 0 { try take(number, packet) }
        }
        if packets.upperBound < plan.count { copiedSlopes = try run.right() }
    }

    private func encoded(_ packets: Range<Int64>, _ take: (Int64, Data) throws -> Void) throws {
        for number in packets.clamped(to: 0..<plan.count) {
            guard let packet = made.packet(number) else {
                throw RenderError.invalidPackets("packet \(number) is not made")
            }
            try take(number, packet)
        }
    }

    // MARK: Bridges

    private func bridged(_ index: Int, _ take: (Int64, Data) throws -> Void) throws {
        let packets = stretches[index].packets
        let (before, behind) = (neighbour(index - 1), neighbour(index + 1))
        var (left, right) = (bridge.inner, bridge.inner)
        var written = packets
        if before?.copy != nil, let copiedSlopes { left = copiedSlopes }
        if let copy = behind?.copy { right = try slopes(of: copy) }
        if before?.isEncoded == true {
            (written, left) = try afterEncoder(packets, right)
        } else if behind?.isEncoded == true {
            (written, right) = try beforeEncoder(packets, left)
        }
        for number in packets.clamped(to: 0..<plan.count) {
            guard written.contains(number) else {
                try encoded(number..<number + 1, take)
                continue
            }
            let packet = try bridge.packet(
                samples(under: number),
                left: number == written.lowerBound ? left : bridge.inner,
                right: number == written.upperBound - 1 ? right : bridge.inner
            )
            try take(number, Data(packet))
        }
    }

    private func neighbour(_ index: Int) -> SoundPacketRun? {
        stretches.indices.contains(index) ? stretches[index].run : nil
    }

    private func samples(under number: Int64) -> [[Double]] {
        made.samples.samples(task.sample(ofPacket: number, plan)..<task.sample(ofPacket: number + 2, plan))
    }

    /// The left slopes of a copy, which is opened for it.
    private func slopes(of copy: CopiedSound) throws -> Slopes {
        let run = try CopiedRun(copy, of: task, sources: sources, isJoined: true)
        opened = run
        guard let left = run.left else { throw RenderError.invalidPackets("a copy begins where nothing can be joined") }
        return left
    }

    /// The packets of a bridge behind the encoder's that have to be written, as few as possible, and their left slopes.
    /// - Parameter right: the slopes of what follows.
    private func afterEncoder(_ packets: Range<Int64>, _ right: Slopes) throws -> (Range<Int64>, Slopes) {
        for start in packets.reversedBounds {
            guard let left = made.slopes(before: start) else { continue }
            if Self.fits(start..<packets.upperBound, left, right) { return (start..<packets.upperBound, left) }
        }
        throw RenderError.invalidPackets("what is encoded before packet \(packets.upperBound) is not made")
    }

    /// The packets of a bridge before the encoder's that have to be written, as few as possible, and their right slopes.
    /// - Parameter left: the slopes of what is before.
    private func beforeEncoder(_ packets: Range<Int64>, _ left: Slopes) throws -> (Range<Int64>, Slopes) {
        for end in packets.lowerBound...packets.upperBound {
            guard let right = made.slopes(before: end) else { continue }
            if Self.fits(packets.lowerBound..<end, left, right) { return (packets.lowerBound..<end, right) }
        }
        throw RenderError.invalidPackets("what is encoded behind packet \(packets.lowerBound) is not made")
    }

    /// Whether `written` packets can stand between such slopes: none where both are the same, one where no window has two
    /// short ones.
    private static func fits(_ written: Range<Int64>, _ left: Slopes, _ right: Slopes) -> Bool {
        switch written.count {
        case 0: left == right
        case 1: zip(left, right).allSatisfy { !$0.isShort || !$1.isShort }
        default: true
        }
    }
}

extension Range<Int64> {
    /// The bounds and all numbers between them, the last first.
    fileprivate var reversedBounds: ReversedCollection<ClosedRange<Int64>> { (lowerBound...upperBound).reversed() }
}
