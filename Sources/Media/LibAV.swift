import CLibAV
import Glibc
import Synchronization

/// Starts the libraries silent, counting the errors that they log (``LoggedErrors``); every owner of a libav object calls it
/// before its first call.
package enum LibAV {
    private static let isHeard = Atomic<Bool>(false)

    private static let isPrepared: Bool = {
        if isHeard.load(ordering: .relaxed) { cut_say_log() } else { cut_count_log() }
        return true
    }()

    /// Has the libraries write their warnings and errors on standard error, a line each. It is called before anything
    /// else of this module, by a process whose standard error somebody keeps.
    package static func sayOnStandardError() { isHeard.store(true, ordering: .relaxed) }

    static func prepare() { _ = isPrepared }

    /// libav's words for an error code.
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        cut_error_text(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// - Throws: `error` with `code`'s words appended when `code` is negative; `outOfMemory` when it says that.
    @discardableResult
    static func check(
        _ code: Int32,
        _ error: (String) -> MediaError,
        _ what: @autoclosure () -> String
    ) throws(MediaError) -> Int32 {
        guard code < 0 else { return code }
        // AVERROR(ENOMEM) is -ENOMEM where errno's numbers are positive (libavutil/error.h).
        if code == -ENOSPC || code == -EDQUOT { throw .noSpace("\(what()): \(text(code)).") }
        if code == -ENOMEM { throw .outOfMemory("\(what()): \(text(code)).") }
        throw error("\(what()): \(text(code)).")
    }
}

/// Numbers that no honest file exceeds; what exceeds them is refused before memory is taken for it.
package enum MediaLimits {
    /// Streams of a file.
    package static let streams = 64
    /// Width and height in pixels.
    package static let dimension = 16384
    /// Pixels of a picture that is made: a long crawl is wider than any source.
    static let area = 1 << 28
    /// Channels of a sound stream.
    package static let channels = 64
    /// Packets of one stream: 100 hours at 60 frames a second.
    package static let packets = 21_600_000
    /// Ticks from zero, either way, that a timestamp may have: sums and differences of such never overflow.
    static let ticks: Int64 = 1 << 60
    /// Outermost boxes of an ISO file that are looked at.
    static let boxes = 1 << 20
    /// Bytes of a picture's compressed text and colour profile.
    static let compressedText: Int64 = 1 << 20
    /// Bytes read to find out what a file is.
    static let probeBytes: Int64 = 32 << 20
    /// Microseconds of media looked at for the same end.
    static let probeDuration: Int64 = 20_000_000
}
