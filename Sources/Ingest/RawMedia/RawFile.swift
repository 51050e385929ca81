import CompositionModel
import Foundation

/// A file of frames or samples without a header, and what an edit says that it holds.
///
/// It becomes an asset like any other by being written, unchanged, into a Matroska file (pictures) or a wave file
/// (sound). The same bytes and the same format give the same file.
struct RawFile {
    /// The absolute path.
    let path: String
    let format: RawFormat
    /// The length in bytes, a multiple of one frame or of one sample of all channels.
    let byteCount: Int64

    /// Checks that the file is there and holds a whole number of frames or samples.
    /// - Parameter path: an absolute path.
    /// - Throws: ``MediaRefusal`` for a file that is missing, no regular file, empty, or of another length.
    init(path: String, format: RawFormat) throws(MediaRefusal) {
        self.path = path
        self.format = format
        var about = stat()
        guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            throw MediaRefusal("\(path) cannot be read")
        }
        byteCount = Int64(about.st_size)
        guard byteCount > 0, byteCount % Int64(format.unitByteCount) == 0 else {
            let numbers = "has \(byteCount) bytes, no multiple of the \(format.unitByteCount) of \(format.unitWords)"
            throw MediaRefusal("\(path) \(numbers); is \"raw\" what it holds?")
        }
    }

    /// The extension of the written file's name, without a dot.
    var fileExtension: String {
        if case .picture = format { "mkv" } else { "wav" }
    }

    /// Writes the file with a header.
    /// - Parameter target: the path of the new file; an existing file is replaced.
    /// - Throws: `CocoaError` when this file cannot be read or the target cannot be written.
    func write(to target: String) throws {
        guard let input = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadUnknown) }
        defer { try? input.close() }
        guard FileManager.default.createFile(atPath: target, contents: nil),
            let output = FileHandle(forWritingAtPath: target)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? output.close() }
        switch format {
        case .picture(let picture): try write(picture, from: input, to: output)
        case .sound(let sound): try write(sound, from: input, to: output)
        }
    }

    /// Reads the next `count` bytes.
    /// - Throws: `CocoaError` when fewer are left, because the file was shortened meanwhile.
    func read(_ count: Int, from input: FileHandle) throws -> Data {
        guard let data = try input.read(upToCount: count), data.count == count else {
            throw CocoaError(.fileReadUnknown)
        }
        return data
    }
}

extension RawFormat {
    /// The length of one frame, or of one sample of all channels, in bytes.
    fileprivate var unitByteCount: Int {
        switch self {
        case .picture(let picture): picture.byteCount
        case .sound(let sound): sound.byteCount
        }
    }

    /// Names one frame or one sample for the user, such as “a frame of 16x16 in yuv420p”.
    fileprivate var unitWords: String {
        switch self {
        case .picture(let picture):
            "a frame of \(picture.size.width)x\(picture.size.height) in \(picture.pixelFormat.rawValue)"
        case .sound(let sound):
            "a sample of \(Count.of(sound.channels, "channel")) in \(sound.sampleFormat.rawValue)"
        }
    }
}
