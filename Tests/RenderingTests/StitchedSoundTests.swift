import Foundation
import Testing

@testable import Rendering

/// What the joined sound's track says of itself.
@Suite struct StitchedSoundTests {
    /// FLAC's own documentation: 36 bits from the middle of byte 13 on.
    @Test func aFLACStreamKnowsItsLength() {
        let block = Data((0..<34).map { UInt8($0) })
        var expected = block
        expected.replaceSubrange(13..<18, with: [0x09, 0x87, 0x65, 0x43, 0x21])
        #expect(FLACStreamInfo.counted(block, sampleCount: 0x9_8765_4321) == expected)
        #expect(FLACStreamInfo.counted(block, sampleCount: 1 << 36) == block)
        #expect(FLACStreamInfo.counted(block.dropLast(), sampleCount: 1).count == 33)
    }
}
