import TestSupport

/// Which samples get which other parameter set ids.
enum Renaming {
    /// Each sample with one of the ids, in turn; with `CUTFARM_THOROUGH=1` each with all of them.
    static func of<Sample>(_ samples: [Sample], ids: [Int]) -> [(Sample, Int)] {
        if TestSeeds.isThorough { return samples.flatMap { sample in ids.map { (sample, $0) } } }
        return samples.enumerated().map { ($0.element, ids[$0.offset % ids.count]) }
    }
}
