/// The file format of a still image.
public enum StillFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case png, jpeg

    /// The extension of the image's file name, without a dot.
    public var fileExtension: String { self == .png ? "png" : "jpg" }
}
