/// The file format of a still image.
package enum StillFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case png, jpeg

    /// The extension of the image's file name, without a dot.
    package var fileExtension: String { self == .png ? "png" : "jpg" }
}
