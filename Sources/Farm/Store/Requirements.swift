package import WireProtocol

/// What workers must have for tasks of a job: a set in one order, so that equal ones are equal texts.
package struct Requirements: Sendable, Hashable {
    /// The requirements as they are written, ascending, each once.
    package let texts: [String]
    private let list: [WorkerRequirement]

    /// Nothing is required.
    package static let none = Requirements([])

    /// Makes a set.
    package init(_ list: [WorkerRequirement]) {
        self.list = Set(list).sorted { $0.text < $1.text }
        texts = self.list.map(\.text)
    }

    /// Reads a set as it was stored; texts of a later version that this one does not know are met by nobody.
    package init(texts: [String]) {
        self.texts = texts
        list = texts.compactMap { WorkerRequirement($0) }
    }

    /// Whether nothing is required.
    package var isEmpty: Bool { texts.isEmpty }

    /// Whether a worker has everything.
    package func areMet(by worker: WorkerRecord) -> Bool {
        list.count == texts.count
            && list.allSatisfy {
                $0.isMet(tags: worker.tags, memoryBytes: worker.memoryBytes, libraries: worker.libraries)
            }
    }
}

extension WorkerRequirement {
    /// Whether a worker has it.
    /// - Parameters:
    ///   - memoryBytes: the memory of its machine; nil when it is not known, which is too little.
    ///   - libraries: the versions of its libraries. Encoders of libraries of their own are there if the library is, all
    ///     others are libavcodec's own.
    package func isMet(tags: [String], memoryBytes: Int64?, libraries: [String: String]) -> Bool {
        switch self {
        case .tag(let name): tags.contains(name)
        case .memory(let bytes): memoryBytes.map { $0 >= bytes } ?? false
        case .encoder(let name):
            name.hasPrefix("lib") ? libraries[String(name.dropFirst(3))] != nil : Self.own.contains(name)
        }
    }

    /// The encoders of libavcodec itself that presets use.
    private static let own: Set<String> = ["aac", "ffv1", "flac", "mjpeg", "png", "pcm_s16le", "pcm_s24le"]
}
