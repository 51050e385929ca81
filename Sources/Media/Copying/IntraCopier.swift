import Foundation
import Timing

/// Copies pictures that are coded by themselves: their packets as they are.
struct IntraCopier: PictureCopier {
    private var packets: CopiedPackets

    init(_ packets: CopiedPackets) { self.packets = packets }

    mutating func next() throws(MediaError) -> EncodedPacket? {
        while let packet = try packets.next() {
            // Pictures that the edit list hides are needed by no other.
            guard let frame = packet.frame else { continue }
            let place = packets.count - 1
            let number = frame - packets.frames.start
            return EncodedPacket(pts: number, dts: place, duration: 1, isKey: true, data: Data(packet.bytes))
        }
        return nil
    }
}
