import Foundation
import Subprocess

/// What a render child finds in its environment; nothing of the parent's gets there by itself.
enum RenderEnvironment {
    /// Whether this process's environment asks for plain children.
    static let isPlain = CPUFeaturePolicy.isPlain(ProcessInfo.processInfo.environment)

    /// The environment of a child.
    /// - Parameter temporary: the folder for temporary files.
    static func environment(temporary: String) -> Environment {
        let variables = variables(temporary: temporary).map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        return .custom(Dictionary(uniqueKeysWithValues: variables))
    }

    /// The variables of a child's environment, by name.
    /// - Parameter temporary: the folder for temporary files.
    static func variables(temporary: String, isPlain: Bool = isPlain) -> [String: String] {
        ["LC_ALL": "C.UTF-8", "TMPDIR": temporary].merging(CPUFeaturePolicy.environment(isPlain: isPlain)) { $1 }
    }
}
