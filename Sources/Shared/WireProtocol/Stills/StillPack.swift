package import CompositionModel
import Foundation
import Planning

/// Several images in one file: the 8 bytes `CUTSTIL1`, the length of a list as a big-endian UInt32, the list in
/// canonical JSON, then the images in order.
package struct StillPack: Sendable, Hashable {
    /// One frame of the pack.
    package struct Still: Sendable, Hashable {
        /// The frame on the timeline.
        package var frame: Int64
        /// The bytes of the image file, or why there is none.
        package var image: Result<[UInt8], Failure>

        package init(frame: Int64, image: Result<[UInt8], Failure>) {
            self.frame = frame
            self.image = image
        }
    }

    private struct Entry: Codable {
        var frame: Int64
        var byteCount: Int
        var failure: Failure?
    }

    /// The frames, in the order of the file.
    package var stills: [Still]

    private static let magic = Array("CUTSTIL1".utf8)

    package init(_ stills: [Still]) { self.stills = stills }

    /// The bytes of the pack.
    /// - Throws: The error that encoding the list throws; no pack causes one.
    package func encoded() throws -> [UInt8] {
        let entries = stills.map { still in
            switch still.image {
            case .success(let image): Entry(frame: still.frame, byteCount: image.count, failure: nil)
            case .failure(let failure): Entry(frame: still.frame, byteCount: 0, failure: failure)
            }
        }
        let list = Array(try CanonicalJSON.data(entries))
        var bytes = StillPack.magic
        withUnsafeBytes(of: UInt32(list.count).bigEndian) { bytes += $0 }
        bytes += list
        for still in stills { bytes += (try? still.image.get()) ?? [] }
        return bytes
    }

    /// Reads the bytes of a pack.
    /// - Returns: Nil for bytes that are no pack, or a truncated one.
    package init?(decoding bytes: [UInt8]) {
        let head = StillPack.magic.count + 4
        guard bytes.count >= head, bytes.starts(with: StillPack.magic) else { return nil }
        let length = bytes[StillPack.magic.count..<head].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - head >= length,
            let entries = try? WireJSON.decode([Entry].self, from: Data(bytes[head..<head + length]))
        else { return nil }
        var place = head + length
        stills = []
        for entry in entries {
            guard entry.byteCount >= 0, bytes.count - place >= entry.byteCount else { return nil }
            let image = Array(bytes[place..<place + entry.byteCount])
            place += entry.byteCount
            stills.append(Still(frame: entry.frame, image: entry.failure.map { .failure($0) } ?? .success(image)))
        }
        guard place == bytes.count else { return nil }
    }
}
