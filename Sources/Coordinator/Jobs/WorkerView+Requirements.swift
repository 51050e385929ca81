import Farm
import WireProtocol

extension WorkerView {
    /// Whether the worker has what a job requires.
    func meets(_ requirement: WorkerRequirement) -> Bool {
        requirement.isMet(tags: tags ?? [], memoryBytes: memoryBytes, libraries: libraries)
    }

    /// The worker and what jobs may require of it, for people.
    var abilities: String {
        let memory = memoryBytes.map { "\(($0 + 500_000_000) / 1_000_000_000) GB of memory" } ?? "memory not known"
        let tags = (tags ?? []).isEmpty ? "no tags" : "tags " + (tags ?? []).joined(separator: ", ")
        return "“\(name.visible)” (\(tags); \(memory))"
    }

    /// The names of its libraries, from ``versions``: `renderer 3, libavcodec 59.37.100, x265 3.5`.
    private var libraries: [String: String] {
        let pairs = (versions ?? "").split(separator: ",").compactMap { part -> (String, String)? in
            let words = part.split(separator: " ", maxSplits: 1)
            return words.count == 2 ? (String(words[0]), String(words[1])) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
