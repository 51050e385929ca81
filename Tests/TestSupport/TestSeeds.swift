import Foundation

/// How much a seeded test tries: `CUTFARM_THOROUGH=1` asks for more, `CUTFARM_SEED=17` for that seed alone, `201-300`
/// for those.
package enum TestSeeds {
    private static let environment = ProcessInfo.processInfo.environment

    package static let isThorough = environment["CUTFARM_THOROUGH"] != nil

    /// The cases of a test of which each takes a farm and many seconds: all of them in a thorough run.
    /// - Parameter usual: those of every run.
    package static func asked<Case>(_ all: [Case], usual: [Case]) -> [Case] { isThorough ? all : usual }

    /// - Parameters:
    ///   - usual: seeds from 1 on that every run tries.
    ///   - thorough: those of a thorough one.
    package static func asked(usual: Int, thorough: Int) -> [Int] {
        let asked = (environment["CUTFARM_SEED"] ?? "").split(separator: "-").compactMap { Int($0) }
        if let first = asked.first, let last = asked.last { return Array(first...max(first, last)) }
        return Array(1...(isThorough ? thorough : usual))
    }
}
