import Foundation
import Testing

@testable import CompositionModel
@testable import Planning
@testable import WireProtocol

@Suite struct ListeningProtocolTests {
    /// A reader need not know which keys may be missing.
    @Test func whatHasNoNumberIsNull() throws {
        let silence = LoudnessSummary(
            integrated: nil,
            range: nil,
            truePeak: nil,
            maximumMomentary: nil,
            maximumShortTerm: nil,
            sampleCount: 100,
            sampleRate: 48_000
        )
        let data = try WireJSON.encode(silence)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object.count == 7 && object.values.count { $0 is NSNull } == 5)
        #expect(try WireJSON.decode(LoudnessSummary.self, from: data) == silence)
    }

    /// As av_image_check_size2 counts: both longest sides at once are too many bytes.
    @Test(
        arguments: [
            (16_384, 16_128, true), (16_384, 16_129, false), (16_128, 16_384, true), (16_129, 16_384, false),
            (16_384, 16_384, false), (1, 1, true), (0, 1, false), (16_385, 1, false),
        ]
    )
    func imagesHaveALimit(width: Int, height: Int, canBe: Bool) {
        #expect(WaveformOrder.canPaint(PictureSize(width: width, height: height)) == canBe)
    }
}
