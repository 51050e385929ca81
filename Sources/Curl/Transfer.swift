import CLibCurl
import Foundation
import Synchronization

/// What libcurl's callbacks work on during one request. Lives on the handle's thread; only `isCancelled` is shared.
final class Transfer {
    /// Set from any thread; the progress callback sees it and ends the transfer.
    final class Cancellation: Sendable {
        let isCancelled = Atomic<Bool>(false)
    }

    typealias Sink = @Sendable (UnsafeRawBufferPointer) throws -> Void

    /// Ends the transfer when it is set.
    let cancellation: Cancellation
    /// Takes the bytes that were sent so far.
    var onSent: (@Sendable (Int64) -> Void)?
    /// To where it may connect.
    var peers: PeerRule?
    /// The last address to which it may not.
    var refusedAddress: String?
    /// Sees the head of a success.
    var onSuccess: (@Sendable (Int, [String: String]) throws -> Void)?
    /// The time in which a byte must be sent while some are left.
    var sendingStallTimeout: Duration?
    /// Whether that time passed.
    private(set) var hasStalled = false
    private var lastSent = (byteCount: Int64(0), at: ContinuousClock.now)
    private let sink: Sink?
    private let limit: Int
    private(set) var body = Data()
    private(set) var headers: [String: String] = [:]
    private(set) var sinkError: (any Error)?
    private(set) var bodyError: HTTPError?
    private var status = 0
    /// Whether a line of an answer has come.
    var hasAnswer: Bool { status != 0 }
    private(set) var isTooLarge = false
    private var upload: Upload

    /// - Parameters:
    ///   - limit: most bytes kept in `body`.
    ///   - sink: gets the body instead, of an answer that is a success; a refusal is kept.
    init(cancellation: Cancellation, upload: Upload, limit: Int, sink: Sink?) {
        self.cancellation = cancellation
        self.upload = upload
        self.limit = limit
        self.sink = sink
    }

    /// - Returns: whether the transfer goes on.
    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let sink, (200..<300).contains(status) else {
            guard body.count + bytes.count <= limit else {
                isTooLarge = true
                return false
            }
            body.append(contentsOf: bytes)
            return true
        }
        do {
            try sink(bytes)
            return true
        } catch {
            sinkError = error
            return false
        }
    }

    /// Takes a header line. A status line begins a new answer: what came before it was a redirect or an interim one.
    /// - Returns: whether the transfer goes on.
    func receivedHeader(_ line: String) -> Bool {
        if line == "\r\n", (200..<300).contains(status), let onSuccess {
            do {
                try onSuccess(status, headers)
            } catch {
                sinkError = error
                return false
            }
        }
        if line.hasPrefix("HTTP/") {
            headers.removeAll()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
        guard let colon = line.firstIndex(of: ":") else { return true }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        headers[line[..<colon].lowercased()] = value
        return true
    }

    /// Notes how many bytes of the body were sent.
    /// - Returns: whether the transfer goes on.
    func sent(_ byteCount: Int64) -> Bool {
        onSent?(byteCount)
        guard let sendingStallTimeout, upload.isUnderWay else { return true }
        let now = ContinuousClock.now
        if byteCount != lastSent.byteCount { lastSent = (byteCount, now) }
        hasStalled = lastSent.at.duration(to: now) > sendingStallTimeout
        return !hasStalled
    }

    /// Fills `buffer` with the next bytes of the request's body.
    /// - Returns: the number of bytes filled; 0 at the end; nil when the transfer must end, and then `bodyError` says
    ///   why.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(HTTPError) {
            return try upload.read(into: buffer)
        } catch {
            bodyError = error
            return nil
        }
    }

    /// Continues the request's body at `offset`.
    /// - Returns: whether that is possible.
    func seek(to offset: Int64) -> Bool { upload.seek(to: offset) }
}

/// The body of a request, read piece by piece.
enum Upload {
    case none
    case data(Data, offset: Int)
    case file(FileHandle, path: String, range: Range<Int64>, offset: Int64)

    /// Whether some of a file is left to read.
    var isUnderWay: Bool {
        if case .file(_, _, let range, let offset) = self { offset < range.upperBound } else { false }
    }

    /// Reads the next bytes of the body.
    /// - Returns: the number of bytes filled; 0 at the end.
    /// - Throws: code `bodyFailed` for a file that cannot be read, or that has become shorter than announced.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
        switch self {
        case .none: return 0
        case .data(let data, let offset):
            let count = min(buffer.count, data.count - offset)
            let start = data.startIndex + offset
            data[start..<start + count].copyBytes(to: buffer)
            self = .data(data, offset: offset + count)
            return count
        case .file(let handle, let path, let range, let offset):
            let wanted = Int(min(Int64(buffer.count), range.upperBound - offset))
            guard wanted > 0 else { return 0 }
            let got = pread(handle.fileDescriptor, buffer.baseAddress, wanted, off_t(offset))
            guard got > 0 else {
                let reason = got < 0 ? String(cString: strerror(errno)) : "it became shorter meanwhile"
                throw HTTPError(code: .bodyFailed, description: "\(path) cannot be sent: \(reason).")
            }
            self = .file(handle, path: path, range: range, offset: offset + Int64(got))
            return got
        }
    }

    /// Continues the body at `offset`. libcurl asks for it when a kept connection turns out to be dead and the body has
    /// to be sent again on a new one.
    /// - Returns: whether that is possible.
    mutating func seek(to offset: Int64) -> Bool {
        switch self {
        case .none: return offset == 0
        case .data(let data, _):
            guard offset >= 0, offset <= data.count else { return false }
            self = .data(data, offset: Int(offset))
            return true
        case .file(let handle, let path, let range, _):
            guard offset >= 0, offset <= range.upperBound - range.lowerBound else { return false }
            self = .file(handle, path: path, range: range, offset: range.lowerBound + offset)
            return true
        }
    }
}

// MARK: libcurl's callbacks: file-scope functions, so that they inherit no isolation.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

func curlReceived(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let total = size * count
    return transfer(context)?.received(UnsafeRawBufferPointer(start: bytes, count: total)) == true ? total : 0
}

func curlReceivedHeader(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let total = size * count
    let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: total), as: UTF8.self)
    return transfer(context)?.receivedHeader(line) == true ? total : 0
}

func curlSends(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.fill(buffer) ?? Int(CURL_READFUNC_ABORT)
}

func curlSeeks(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    let isDone = origin == SEEK_SET && transfer(context)?.seek(to: Int64(offset)) == true
    return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

func curlProgress(
    _ context: UnsafeMutableRawPointer?,
    _: curl_off_t,
    _: curl_off_t,
    _: curl_off_t,
    _ sentCount: curl_off_t
) -> Int32 {
    guard let transfer = transfer(context) else { return 0 }
    guard transfer.sent(Int64(sentCount)) else { return 1 }
    return transfer.cancellation.isCancelled.load(ordering: .relaxed) ? 1 : 0
}
