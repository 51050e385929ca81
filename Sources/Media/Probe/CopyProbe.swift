import Bitstream
import CLibAV
import CompositionModel

/// Reads the packets of a stream, in decode order, for what copying its pictures needs to know.
protocol CopyProbe {
    /// Takes the next packet. A global header in its side data counts from this packet on.
    mutating func add(_ packet: Packet)

    /// What is known after the last packet.
    /// - Parameters:
    ///   - index: the index of the same packets.
    ///   - refusal: why no picture can be copied, by what is known beside the bitstream; nil when some can.
    func facts(index: FrameIndex, refusal: CopyRefusal?) -> CopyFacts
}

extension CodedPictures: CopyProbe {
    func facts(index: FrameIndex, refusal: CopyRefusal?) -> CopyFacts {
        CopyFactsBuilder.facts(of: self, index: index, refusal: refusal)
    }
}

extension StreamFacts {
    /// The reader of its packets for copying; nil for a codec of which no pictures are copied.
    func copyProbe() -> (any CopyProbe)? {
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_H264: CodedPictures(codec: AV_CODEC_ID_H264, extradata: extradata)
        case AV_CODEC_ID_HEVC: HEVCPictures(extradata: extradata, hasDolbyVision: isDolbyVision)
        default: IntraPictures(self)
        }
    }
}

extension CopyFacts {
    /// The facts of a stream of which no picture can be copied for one reason.
    static func none(_ reason: CopyRefusal) -> CopyFacts {
        CopyFacts(forms: [], stretches: [], obstacles: [CopyObstacle(reason: reason, frame: 0)])
    }

    /// Notes a reason that keeps a frame from being copied, once.
    mutating func refuse(_ reason: CopyRefusal, _ frame: Int64) {
        guard !obstacles.contains(where: { $0.reason == reason }) else { return }
        obstacles.append(CopyObstacle(reason: reason, frame: frame))
    }
}

extension FrameIndex {
    /// The number of the shown frame that each packet holds; nil for one that is not shown, or whose time another has.
    func frameNumbers() -> [Int64?] {
        var numbers: [Int64: Int64] = [:]
        for (number, pts) in shown.enumerated() { numbers[pts] = numbers[pts] == nil ? Int64(number) : -1 }
        return packets.map { packet in
            guard !packet.isDiscarded, let number = numbers[packet.pts], number >= 0 else { return nil }
            return number
        }
    }

    /// The messages that shown pictures carry; nil when there are none.
    /// - Parameter messages: the kinds in each packet.
    func facts(of messages: [Set<PictureMessage>]) -> [MessageFacts]? {
        var frames: [PictureMessage: FrameSet] = [:]
        for (kinds, number) in zip(messages, frameNumbers()) {
            guard let number else { continue }
            for kind in kinds { frames[kind, default: FrameSet()].insert(number) }
        }
        guard !frames.isEmpty else { return nil }
        return PictureMessage.allCases.compactMap { kind in frames[kind].map { MessageFacts(kind: kind, frames: $0) } }
    }
}
