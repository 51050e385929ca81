import Foundation
import Subprocess

/// What a render child finds in its environment; nothing of the parent's gets there by itself.
enum RenderEnvironment {
    /// Whether children compute with the instructions that every x86-64 processor has: `CUTFARM_CPU=plain` in the
    /// parent's environment. It serves tests, and finding out whether two machines differ (docs/picture.md, “On every
    /// CPU”).
    static let isPlain = ProcessInfo.processInfo.environment["CUTFARM_CPU"] == "plain"

    static func environment(temporary: String) -> Environment {
        let variables = variables(temporary: temporary).map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        return .custom(Dictionary(uniqueKeysWithValues: variables))
    }

    /// - Parameter temporary: folder for temporary files.
    static func variables(temporary: String, isPlain: Bool = isPlain) -> [String: String] {
        // glibc's FMA variants give other bits on other processors (docs/architecture.md, "Same on every machine").
        var features = ["FMA", "FMA4"]
        var variables = ["LC_ALL": "C.UTF-8", "TMPDIR": temporary]
        if isPlain {
            features += vectors
            // Media reads the first, pixman, which Cairo draws with, the second.
            variables["CUTFARM_CPU"] = "plain"
            variables["PIXMAN_DISABLE"] = "mmx sse2 ssse3 arm-simd arm-neon"
        }
        variables["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=" + features.map { "-" + $0 }.joined(separator: ",")
        return variables
    }

    /// The instruction sets to switch off, by glibc's names (“Hardware Capability Tunables”).
    private static let vectors = [
        "AVX", "AVX2", "AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL", "SSE4_2", "SSE4_1", "SSSE3", "SSE3",
        "BMI1", "BMI2", "LZCNT", "MOVBE", "POPCNT", "ERMS", "FSRM", "XSAVEC",
    ]
}
