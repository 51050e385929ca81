import Testing

@testable import Sandbox

@Suite struct RenderEnvironmentTests {
    @Test func fusedMultiplicationIsAlwaysOff() {
        let variables = RenderEnvironment.variables(temporary: "/work", isPlain: false)
        #expect(
            variables == [
                "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4", "LC_ALL": "C.UTF-8", "TMPDIR": "/work",
            ]
        )
    }

    @Test func aPlainProcessorHasNoVectors() throws {
        let variables = RenderEnvironment.variables(temporary: "/work", isPlain: true)
        let tunables = try #require(variables["GLIBC_TUNABLES"])
        #expect(tunables.hasPrefix("glibc.cpu.hwcaps=-FMA,-FMA4,-AVX,-AVX2,-AVX512F") && tunables.contains("-SSE4_2"))
        #expect(variables["CUTFARM_CPU"] == "plain")
        #expect(try #require(variables["PIXMAN_DISABLE"]).contains("ssse3"))
    }
}
