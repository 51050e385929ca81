import Testing

@testable import Farm

@Suite struct WorkerNameTests {
    @Test(arguments: [
        ("render-3.studio.example", "render-3.studio.example"), ("3f9a2c81b7d0", "worker-3f9a"),
        ("cutfarm-worker-6d4f9-xk2lp", "cutfarm-worker-6d4f9-xk2lp"), ("deadbeef", "deadbeef"),
        ("3F9A2C81B7D0", "3F9A2C81B7D0"), ("feedfacecafe0", "feedfacecafe0"),
    ])
    func aContainerIsCalledByTheFirstDigitsOfItsId(host: String, name: String) {
        #expect(WorkerName.standard(host: host) == name)
    }
}
