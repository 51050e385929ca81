import CompositionModel
import Testing

@testable import Coordinator
@testable import Curl

/// Which faults of a transfer pass by themselves.
@Suite struct SourceFaultTests {
    @Test(
        arguments: [
            (.unreachable, false), (.timedOut, false), (.tls, false), (.certificate, true), (.protocolError, true),
            (.addressRefused, true),
        ] as [(HTTPError.Code, Bool)]
    )
    func whatMayPassIsTriedAgain(code: HTTPError.Code, isPermanent: Bool) {
        let error = HTTPError(code: code, description: "GET https://a.test/b: a reason")
        #expect(SourceFault(error, of: "https://a.test/b").failure.isPermanent == isPermanent)
    }
}
