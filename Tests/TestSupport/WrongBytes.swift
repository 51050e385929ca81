import Foundation

/// Damage of files, the same at every run.
package enum WrongBytes {
    /// - Parameters:
    ///   - count: of the bytes that are replaced, one behind the other, at each place.
    ///   - percents: where in the file.
    package static func write(_ count: Int, at percents: [Int], of path: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SplitMix(state: 5)
        for percent in percents {
            let start = bytes.count * percent / 100
            for place in start..<start + count { bytes[place] = UInt8(random.below(256)) }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
