import Planning
public import WireProtocol

/// The renderer and the libraries that bytes depend on, as one word: equal words give equal bytes.
public struct RenderVersions: Sendable, Hashable {
    /// Such as `renderer 3, libavcodec 59.37.100`, by name.
    public let text: String

    public init(renderer: Int, libraries: [String: String]) {
        text = (["renderer \(renderer)"] + libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
            .joined(separator: ", ")
    }

    /// As it was stored.
    public init(text: String) { self.text = text }
}

extension TaskPayload {
    /// Those that must render it; nil when it names no libraries.
    public var versions: RenderVersions? {
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
    /// Those of its tasks, which are all the same.
    public var versions: RenderVersions? { tasks.first?.payload.versions }
}

extension WorkerRecord {
    /// Whether it gives the bytes that a task with `versions` is for.
    func has(_ versions: RenderVersions?) -> Bool { versions.map { $0 == self.versions } ?? true }
}
