import CompositionModel
import Foundation
import Media
import Testing

@testable import Rendering

@Suite struct RenderErrorTests {
    private static let unreachable = Failure(
        code: "coordinator_unreachable",
        message: "The coordinator cannot be reached.",
        isPermanent: false
    )

    /// Whose asset is named looks for the fault in it.
    @Test(arguments: [
        (MediaError.notMedia("x"), true), (.protected("x"), true), (.endless("x"), true), (.truncated("x"), true),
        (.unsupported("x"), true), (.limitExceeded("x"), true), (.decoding("x"), true), (.outOfRange("x"), true),
        (.unreadable("x"), false), (.source(unreachable), false), (.invalidIndex("x"), false),
        (.outOfMemory("x"), false), (.encoding("x"), false), (.writing("x"), false),
    ])
    func onlyAFaultOfItsBytesNamesAnAsset(error: MediaError, isNamed: Bool) {
        let asset = ContentDigest(of: Data("bytes".utf8))
        let failure = RenderError(error, of: asset).failure
        #expect(failure.asset == (isNamed ? asset : nil))
        #expect(failure.code == error.failure.code && failure.message == error.failure.message)
    }
}
