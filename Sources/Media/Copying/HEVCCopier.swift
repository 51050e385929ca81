import Bitstream
import Foundation
import Timing

/// Copies pictures of HEVC as NAL units with start codes.
///
/// A copy that begins at a CRA picture begins a sequence: the picture becomes a BLA picture, whose order count begins anew
/// (ITU-T H.265, 8.3.1). All that follows refers to nothing before it, as its skipped leading pictures are left out.
/// Pictures before a copy are always shown: no_output_of_prior_pics_flag is cleared.
struct HEVCCopier: PictureCopier {
    private var packets: CopiedPackets
    private let sets: HEVCCopiedSets

    init(_ packets: CopiedPackets, sets: HEVCCopiedSets) {
        self.packets = packets
        self.sets = sets
    }

    mutating func next() throws(MediaError) -> EncodedPacket? {
        while let packet = try packets.next() {
            let isFirst = packet.frame != nil && packets.count == 1
            do {
                let units = try packets.units(of: packet.bytes)
                guard let type = try units.map({ try HEVCUnitHeader(of: $0).type }).first(where: \.isSlice) else {
                    throw BitstreamError(.truncated, element: "slice_segment_header", bit: 0)
                }
                guard let frame = packet.frame else {
                    // Leading pictures that are shown before the copy.
                    guard type.isRASL || type.isRADL else { throw CopiedPackets.unfitting }
                    continue
                }
                guard !isFirst || type.isIRAP else { throw CopiedPackets.unfitting }
                let kept = try sets.kept(units, beginsSequence: isFirst)
                return EncodedPacket(
                    pts: frame - packets.frames.start,
                    dts: packets.count - 1,
                    duration: 1,
                    isKey: type.isIRAP,
                    data: Data(AnnexB.stream(of: kept.map { $0[...] }))
                )
            } catch let error as MediaError {
                throw error
            } catch {
                throw .invalidIndex("A picture cannot be copied (\(error)); probe the asset again.")
            }
        }
        return nil
    }
}
