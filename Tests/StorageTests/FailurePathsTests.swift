import CompositionModel
import Storage
import Testing

/// What others are told of a host's files.
@Suite struct FailurePathsTests {
    @Test(arguments: [
        ("“/var/lib/cutfarm/artifacts/7f/out.mp4” cannot be written: Full.", "“out.mp4” cannot be written: Full."),
        ("The cache file /var/lib/cutfarm/blocks/ab/cd cannot be opened.", "The cache file cd cannot be opened."),
        ("There is no space left for /var/lib/cutfarm/x.png.", "There is no space left for x.png."),
        ("Of /var/lib/cutfarm/a/b, /var/lib/cutfarm/c", "Of b, c"),
        ("Others, /var/lib/cutfarm-other/x, stay", "Others, /var/lib/cutfarm-other/x, stay"),
        ("/var/lib/cutfarm/", ""),
    ])
    func onlyNamesStay(message: String, expected: String) {
        let failure = Failure(code: "c", message: message, isPermanent: true)
        let short = failure.withoutPaths(below: ["", "/var/lib/cutfarm"])
        #expect(short.message == expected)
        #expect(short.code == "c" && short.isPermanent)
    }
}
