import Foundation

/// Bytes that replace others of a finished file.
struct FilePatch {
    var offset: Int64
    var bytes: [UInt8]

    /// - Throws: ``MediaError/writing(_:)``.
    static func apply(_ patches: [FilePatch], to path: String) throws(MediaError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        for patch in patches {
            let count = patch.bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(patch.offset))
            }
            guard count == patch.bytes.count else { throw failure }
        }
    }

    private static var failure: MediaError {
        .writing("The index of the file cannot be written: \(String(cString: strerror(errno))).")
    }
}

extension FilePatch {
    /// Changes tracks of a finished MP4 or QuickTime file; a file without tracks stays as it is.
    /// - Parameters:
    ///   - streams: the source of each track, in the file's order.
    ///   - patch: what a track gets, if anything.
    /// - Throws: ``MediaError/writing(_:)``, and what `patch` throws.
    static func apply(
        toTracksOf path: String,
        _ streams: [ExportStream],
        _ patch: (ISOBoxReader.Box, ExportStream, ISOBoxReader, FileByteSource) throws(MediaError) -> FilePatch?
    ) throws(MediaError) {
        let source = try FileByteSource(path: path)
        let reader = ISOBoxReader(source)
        guard let movie = try reader.boxes(at: "moov").first else { return }
        var patches: [FilePatch] = []
        for (track, stream) in zip(try reader.boxes(in: movie).filter { $0.type == "trak" }, streams) {
            if let found = try patch(track, stream, reader, source) { patches.append(found) }
        }
        try apply(patches, to: path)
    }
}
