import CSandbox
import Foundation

/// What this kernel offers for sandboxes.
package enum KernelAbilities {
    /// Landlock's ABI version; 0 where the kernel has none.
    package static var landlockABI: Int { Int(cut_landlock_abi()) }

    /// The number in a file of the kernel's settings; nil where there is none.
    package static func number(of path: String) -> Int? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
