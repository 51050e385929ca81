import Bitstream
package import Foundation

/// What a sample entry of pictures needs that are coded by themselves (ProRes, DNxHD, Motion JPEG), and what all their
/// headers say: pictures with equal configurations can stand in one track.
package struct IntraConfiguration: Sendable, Hashable, Codable {
    /// The four characters of the sample entry; nil where the writer knows them from codec and profile.
    package var tag: String?
    /// libavcodec's number of the profile.
    package var profile: Int32
    /// libavutil's name of the pixel format.
    package var pixelFormat: String
    /// What the headers of all pictures say: size, sampling, depth and numbers of the codec's own.
    package var traits: [Int]

    init(tag: String?, profile: Int32, pixelFormat: String, _ header: IntraPictureHeader) {
        self.tag = tag
        self.profile = profile
        self.pixelFormat = pixelFormat
        traits = [header.width, header.height, header.chromaFormat, header.bits] + header.traits
    }

    /// - Parameter data: as ``encoded()`` gives them.
    /// - Throws: ``MediaError/invalidIndex(_:)``.
    package init(_ data: Data) throws(MediaError) {
        do {
            self = try JSONDecoder().decode(IntraConfiguration.self, from: data)
        } catch {
            let message = "The configuration of copied pictures cannot be read (\(error)); probe the asset again."
            throw .invalidIndex(message)
        }
    }

    /// The configuration as `CodedForm.configuration`; equal ones have equal bytes.
    /// - Throws: `EncodingError`, which no configuration causes.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
