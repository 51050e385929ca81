import Foundation
import Subprocess

/// What a render child finds in its environment; nothing of the parent's gets there by itself.
enum RenderEnvironment {
    /// Whether children compute with the instructions that every x86-64 processor has: `CUTFARM_CPU=plain` in the
    /// parent's environment. It serves tests, and finding out whether two machines differ (docs/picture.md, “On every
    /// CPU”).
    static let isPlain = ProcessInfo.processInfo.environment["CUTFARM_CPU"] == "plain"

    /// The environment of a child.
    /// - Parameter temporary: the folder for temporary files.
    static func environment(temporary: String) -> Environment {
        let variables = variables(temporary: temporary).map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        return .custom(Dictionary(uniqueKeysWithValues: variables))
    }

    /// The variables of a child's environment, by name.
    /// - Parameter temporary: the folder for temporary files.
    static func variables(temporary: String, isPlain: Bool = isPlain) -> [String: String] {
        ["LC_ALL": "C.UTF-8", "TMPDIR": temporary].merging(ProcessorPolicy.environment(isPlain: isPlain)) { $1 }
    }

    /// The instruction sets to switch off, by glibc's names (“Hardware Capability Tunables”).
    private static let vectors = [
        "AVX", "AVX2", "AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL", "SSE4_2", "SSE4_1", "SSSE3", "SSE3",
        "BMI1", "BMI2", "LZCNT", "MOVBE", "POPCNT", "ERMS", "FSRM", "XSAVEC",
    ]
}
