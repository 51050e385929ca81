import CompositionModel
import Foundation
import Testing

@testable import Media

@Suite struct LibAVTests {
    /// A file that one machine has no memory for is not a bad file: the task goes to another.
    @Test func noMemoryIsNotTheFilesFault() {
        let none = #expect(throws: MediaError.self) { try LibAV.check(-ENOMEM, MediaError.decoding, "Decoding") }
        #expect(none?.failure.code == "render_out_of_memory")
        #expect(none?.failure.isPermanent == false)
        let bad = #expect(throws: MediaError.self) { try LibAV.check(-EINVAL, MediaError.decoding, "Decoding") }
        #expect(bad?.failure.code == "decode_failed")
    }
}
