import Planning
package import WireProtocol

/// The versions of the renderer and the libraries that bytes depend on, as one text: equal texts give equal bytes.
package struct RenderVersions: Sendable, Hashable, Codable {
    /// The text, such as `renderer 3, libavcodec 59.37.100`, in the order of names.
    package let text: String

    /// Makes the text from versions.
    package init(renderer: Int, libraries: [String: String]) {
        text = (["renderer \(renderer)"] + libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
            .joined(separator: ", ")
    }

    /// Reads the text as it was stored.
    package init(text: String) { self.text = text }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension TaskPayload {
    /// The versions that must render the task; nil when it names no libraries.
    package var versions: RenderVersions? {
        let (renderer, libraries) =
            switch self {
            case .picture(let task): (task.rendererVersion, task.libraries)
            case .sound(let task): (task.rendererVersion, task.libraries)
            case .stitch(let task): (task.rendererVersion, task.libraries)
            case .stills(let task): (task.rendererVersion, task.libraries)
            case .measure(let task): (task.rendererVersion, task.libraries)
            }
        return libraries.map { RenderVersions(renderer: renderer, libraries: $0) }
    }
}

extension NewJob {
    /// The versions of its tasks, which are all the same; nil when they name no libraries.
    package var versions: RenderVersions? { tasks.first?.payload.versions }
}

extension WorkerRecord {
    /// Whether the worker gives the bytes that a task of these versions is for. Nil stands for a task that names none.
    func has(_ versions: RenderVersions?) -> Bool { versions.map { $0 == self.versions } ?? true }
}
