import CLibCurl
import Foundation
import Threads

/// One libcurl easy handle on its own thread; it keeps its connection open between requests.
actor CurlHandle {
    private let executor = ThreadExecutor(name: "curl")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let handle: OpaquePointer?

    init() {
        _ = CurlHandle.startLibrary
        handle = curl_easy_init().map { OpaquePointer($0) }
    }

    isolated deinit {
        if let handle { curl_easy_cleanup(UnsafeMutableRawPointer(handle)) }
        executor.stop()
    }

    /// libcurl's global state, made once (curl_global_init(3)).
    private static let startLibrary: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends `request` and returns when all of the answer has come.
    func perform(
        _ request: HTTPRequest,
        limit: Int,
        cancellation: Transfer.Cancellation,
        sink: Transfer.Sink?
    ) throws -> HTTPResponse {
        guard let handle else { throw HTTPError(code: .protocolError, description: "libcurl could not start.") }
        let curl = UnsafeMutableRawPointer(handle)
        curl_easy_reset(curl)
        let upload = try open(request.body, curl)
        let transfer = Transfer(cancellation: cancellation, upload: upload, limit: limit, sink: sink)
        transfer.onSent = request.onSent
        transfer.onSuccess = request.onSuccess
        transfer.sendingStallTimeout = request.sendingStallTimeout
        transfer.acceptsAddress = request.acceptsAddress
        configure(curl, request)
        let pinned = try pin(request, curl)
        defer { curl_slist_free_all(pinned) }
        var list: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { list = curl_slist_append(list, "\(header.name): \(header.value)") }
        // Our server answers no `100-continue`; libcurl would wait a second for one.
        list = curl_slist_append(list, "Expect:")
        defer { curl_slist_free_all(list) }
        _ = cut_curl_set_list(curl, CURLOPT_HTTPHEADER, list)
        attach(transfer, to: curl)
        var code = curl_easy_perform(curl)
        if code == CURLE_SEND_ERROR, isKept(curl), !transfer.hasAnswer, transfer.seek(to: 0) {
            _ = cut_curl_set_long(curl, CURLOPT_FRESH_CONNECT, 1)
            code = curl_easy_perform(curl)
        }
        withExtendedLifetime(transfer) {}
        if let error = failure(code, transfer, request) { throw error }
        var status = 0
        _ = cut_curl_status(curl, &status)
        return HTTPResponse(status: status, headers: transfer.headers, body: transfer.body)
    }

    /// The most bytes of a body that may be sent again by themselves. libcurl, as this handle, cannot tell a kept connection
    /// that was dead from one that was cut under way, and sends all of a body again. A larger one goes over a new
    /// connection, so that whoever sent it hears of the cut and goes on where it was.
    private static let sentTwice: Int64 = 1 << 20

    /// Whether the last transfer used a connection of an earlier one. The server may close such a connection just when a
    /// request is sent on it. libcurl sends the request again on a new connection when it finds that while reading, but not
    /// when it finds it while sending (its multi.c, MSTATE_PERFORMING). A request that could not be sent as a whole was
    /// not carried out but for a beginning that an upload keeps, and bodies of which much is kept have connections of their
    /// own (``sentTwice``).
    private func isKept(_ curl: UnsafeMutableRawPointer) -> Bool {
        var connectionCount = 0
        return cut_curl_connects(curl, &connectionCount) == CURLE_OK && connectionCount == 0
    }

    private func attach(_ transfer: Transfer, to curl: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        _ = cut_curl_set_data(curl, CURLOPT_WRITEFUNCTION, curlReceived)
        _ = cut_curl_set_pointer(curl, CURLOPT_WRITEDATA, context)
        _ = cut_curl_set_data(curl, CURLOPT_HEADERFUNCTION, curlReceivedHeader)
        _ = cut_curl_set_pointer(curl, CURLOPT_HEADERDATA, context)
        _ = cut_curl_set_data(curl, CURLOPT_READFUNCTION, curlSends)
        _ = cut_curl_set_pointer(curl, CURLOPT_READDATA, context)
        _ = cut_curl_set_seek(curl, curlSeeks)
        _ = cut_curl_set_pointer(curl, CURLOPT_SEEKDATA, context)
        _ = cut_curl_set_progress(curl, curlProgress)
        _ = cut_curl_set_pointer(curl, CURLOPT_XFERINFODATA, context)
        guard transfer.acceptsAddress != nil else { return }
        _ = cut_curl_set_open_socket(curl, curlOpensSocket)
        _ = cut_curl_set_pointer(curl, CURLOPT_OPENSOCKETDATA, context)
        _ = cut_curl_set_before_request(curl, curlBeforeRequest)
        _ = cut_curl_set_pointer(curl, CURLOPT_PREREQDATA, context)
    }

    /// Tells libcurl the addresses of the host, so that it asks nobody for them.
    /// - Returns: a list to be freed after the request; nil for none.
    /// - Throws: ``HTTPError`` for an address without a host.
    private func pin(
        _ request: HTTPRequest,
        _ curl: UnsafeMutableRawPointer
    ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist>? {
        guard let addresses = request.addresses else { return nil }
        guard let parts = URLComponents(string: request.url), let host = parts.host, !host.isEmpty else {
            throw HTTPError(code: .protocolError, description: "“\(request.url)” has no host.")
        }
        // A host that is an address is not looked up.
        guard !host.hasPrefix("["), !addresses.isEmpty else { return nil }
        let port = parts.port ?? (parts.scheme == "https" ? 443 : 80)
        let list = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
        let pinned = curl_slist_append(nil, "\(host):\(port):\(list)")
        _ = cut_curl_set_list(curl, CURLOPT_RESOLVE, pinned)
        return pinned
    }

    private func configure(_ curl: UnsafeMutableRawPointer, _ request: HTTPRequest) {
        _ = cut_curl_set_text(curl, CURLOPT_URL, request.url)
        // A path with dots in it is sent as it stands: it may be the name of an object, and what was signed or allowed.
        _ = cut_curl_set_long(curl, CURLOPT_PATH_AS_IS, 1)
        _ = cut_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https")
        // An environment's proxy must not see what is meant for the coordinator alone.
        _ = cut_curl_set_text(curl, CURLOPT_NOPROXY, "*")
        _ = cut_curl_set_long(curl, CURLOPT_NOSIGNAL, 1)
        _ = cut_curl_set_long(curl, CURLOPT_NOPROGRESS, 0)
        _ = cut_curl_set_long(curl, CURLOPT_TCP_KEEPALIVE, 1)
        _ = cut_curl_set_long(curl, CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        _ = cut_curl_set_long(curl, CURLOPT_LOW_SPEED_LIMIT, 1)
        _ = cut_curl_set_long(curl, CURLOPT_LOW_SPEED_TIME, Int(request.stallTimeout.components.seconds))
        _ = cut_curl_set_long(curl, CURLOPT_BUFFERSIZE, 512 << 10)
        if let timeout = request.timeout {
            _ = cut_curl_set_long(
                curl,
                CURLOPT_TIMEOUT_MS,
                Int(
                    timeout.components.seconds * 1000
                        + timeout.components.attoseconds / 1_000_000_000_000_000
                )
            )
        }
        switch request.method {
        case .get: break
        case .head: _ = cut_curl_set_long(curl, CURLOPT_NOBODY, 1)
        case .put: _ = cut_curl_set_long(curl, CURLOPT_UPLOAD, 1)
        case .post: _ = cut_curl_set_long(curl, CURLOPT_POST, 1)
        case .patch:
            _ = cut_curl_set_long(curl, CURLOPT_UPLOAD, 1)
            _ = cut_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, "PATCH")
        case .delete: _ = cut_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, "DELETE")
        }
    }

    /// Opens the body and announces its size.
    private func open(_ body: HTTPRequest.Body, _ curl: UnsafeMutableRawPointer) throws -> Upload {
        let (upload, size): (Upload, Int64)
        switch body {
        case .none: (upload, size) = (.none, 0)
        case .data(let data): (upload, size) = (.data(data, offset: 0), Int64(data.count))
        case .file(let path, let start, let byteCount):
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw HTTPError(code: .bodyFailed, description: "\(path) cannot be opened for sending.")
            }
            let end = Int64(try file.seekToEnd())
            guard start + (byteCount ?? 0) <= end else {
                throw HTTPError(code: .bodyFailed, description: "\(path) cannot be sent: it became shorter meanwhile.")
            }
            size = byteCount ?? end - start
            upload = .file(file, path: path, range: start..<start + size, offset: start)
        }
        if size > Self.sentTwice { _ = cut_curl_set_long(curl, CURLOPT_FRESH_CONNECT, 1) }
        _ = cut_curl_set_offset(curl, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
        _ = cut_curl_set_offset(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(size))
        return upload
    }

    private func failure(_ code: CURLcode, _ transfer: Transfer, _ request: HTTPRequest) -> HTTPError? {
        guard code != CURLE_OK else { return nil }
        let url = request.shownURL
        if let address = transfer.refusedAddress {
            let what =
                "\(request.method.rawValue) \(url): its server's address \(address) is none that may be connected to"
            return HTTPError(code: .addressRefused, description: what)
        }
        if transfer.isTooLarge {
            return HTTPError(code: .bodyTooLarge, description: "The answer from \(url) is too large.")
        }
        if let error = transfer.sinkError {
            return HTTPError(code: .sinkFailed, description: "What \(url) sent cannot be kept: \(error)")
        }
        if let error = transfer.bodyError { return error }
        if transfer.hasStalled {
            return HTTPError(code: .timedOut, description: "\(request.method.rawValue) \(url): nothing moves")
        }
        let reason = String(cString: curl_easy_strerror(code))
        let what = "\(request.method.rawValue) \(url): \(reason)"
        return HTTPError(code: HTTPError.Code(libcurl: code.rawValue), description: what)
    }
}

extension HTTPError.Code {
    /// The kind of reason that an error of libcurl is (libcurl-errors(3)). One that a cut connection may have is
    /// ``unreachable``, whatever protocol was spoken on it.
    init(libcurl code: UInt32) {
        self =
            switch CURLcode(rawValue: code) {
            case CURLE_ABORTED_BY_CALLBACK: .cancelled
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
                CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3,
                CURLE_QUIC_CONNECT_ERROR:
                .unreachable
            case CURLE_SSL_CONNECT_ERROR: .tls
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .certificate
            default: .protocolError
            }
    }
}
