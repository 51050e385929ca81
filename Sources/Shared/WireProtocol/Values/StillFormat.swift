/// How a still image is stored.
public enum StillFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case png, jpeg

    public var fileExtension: String { self == .png ? "png" : "jpg" }
}
