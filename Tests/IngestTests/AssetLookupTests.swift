import Foundation
import TestSupport
import Testing

@testable import Ingest

/// What is said of an asset that cannot be used.
@Suite struct AssetLookupTests {
    @Test func aFileBesideIsNamed() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("a.mp4")))
        #expect(AssetLookup.nearFile(folder.path("a.mp5")) == "a.mp4")
        #expect(AssetLookup.nearFile(folder.path("a.mp4")) == nil)
        #expect(AssetLookup.nearFile(folder.path("nowhere/else.mp4")) == nil)
    }
}
