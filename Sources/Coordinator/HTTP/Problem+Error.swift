import Farm
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Storage
import WireProtocol

extension Error {
    /// Whether the connection broke, or ended in the middle of a request: nobody reads the answer.
    var meansThatTheClientLeft: Bool {
        self is IOError || self is ChannelError || self as? HTTPParserError == .invalidEOFState
    }
}

extension Problem {
    /// The problem that a client sees for `error`; nil for a fault of the coordinator, which only its log may describe.
    static func describing(_ error: any Error) -> Problem? {
        switch error {
        case let problem as Problem: problem
        case let error as FarmStoreError: Problem(error)
        case let error as StorageError: Problem(error)
        case let refusal as UploadRefusal: Problem(refusal)
        case let shortage as DiskShortage: Problem(shortage, status: 507)
        case let error as HTTPError: Problem(error)
        case is NIOTooManyBytesError: Problem.bodyTooLarge(limit: Int64(BodyLimit.json))
        case is CancellationError: Problem.shuttingDown
        case let error as ByteBudget.NoRoom: Problem.noRoom(error.byteCount)
        case let error as HTTPParserError where error != .invalidEOFState: Problem.brokenFraming
        default: nil
        }
    }

    /// The problem with which a request is answered for `error`; nil as for ``describing(_:)``. Without a shutdown a request
    /// is cancelled because its connection broke, or its body turned out not to be HTTP.
    static func answering(_ error: any Error) -> Problem? {
        error is CancellationError && !Task.isShuttingDownGracefully ? brokenFraming : describing(error)
    }

    static let internalFault = Problem(
        status: 500,
        code: "internal",
        title: "Fault of the coordinator",
        detail: "The coordinator failed over this request; its log says more."
    )

    private init(_ error: FarmStoreError) {
        let status =
            switch error {
            case .unavailable, .unusableRow, .full: 503
            case .unknownWorker, .unknownJob: 404
            case .keyTaken, .noAuditor, .targetTaken: 409
            case .overQuota: 429
            case .invalid: 422
            }
        self.init(status: status, code: error.code, title: "Refused by the farm", detail: error.sentence)
    }

    private init(_ error: StorageError) {
        let status =
            switch error {
            case .missing: 404
            case .wrongDigest, .unreadable: 422
            case .changed: 410
            case .noSpace: 507
            case .bucket: 503
            case .foreign, .foreignBucket, .elsewhere, .system: 500
            }
        self.init(status: status, code: error.code, title: "Refused by the store", detail: error.sentenceWithoutPaths)
    }

    private init(_ refusal: UploadRefusal) {
        switch refusal {
        case .offset(let offset):
            self = .conflict("upload_offset", "The upload stands at \(offset) bytes; go on there.")
        case .busy:
            self = .conflict(
                "upload_busy",
                "The same upload is written to or read at this moment; ask again in a moment."
            )
        case .gone:
            self = .conflict("upload_gone", "The upload was begun anew or ended meanwhile; ask how much of it is here.")
        case .tooMany(let limit):
            self = .tooManyUploads("\(limit) unfinished uploads")
        case .tooManyBytes(let limit):
            self = .tooManyUploads("unfinished uploads of \(limit >> 30) GiB in all")
        }
    }

    /// The problem of a disk that is nearly full.
    /// - Parameter status: 507 where something would be stored, 503 where it is asked whether the coordinator is ready.
    init(_ shortage: DiskShortage, status: Int) {
        self.init(status: status, code: "no_space", title: "No space", detail: shortage.description)
    }

    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound: self = .notFound
        case .contentTooLarge: self = .bodyTooLarge(limit: Int64(BodyLimit.json))
        default: self = .notUnderstood(error.body ?? error.status.reasonPhrase)
        }
    }

    /// The problem as an answer over HTTP.
    func response() -> Response {
        let body = (try? WireJSON.encode(self)) ?? Data()
        var response = Response(
            status: .init(code: status),
            headers: [.contentType: "application/problem+json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
        if status == 503 || status == 429 { response.headers[.retryAfter] = "1" }
        if status == 401 { response.headers[.wwwAuthenticate] = "Bearer realm=\"cutfarm\"" }
        return response
    }
}

extension FarmStoreError {
    /// The sentence for clients. Why a database does not answer names addresses and folders, and is for the log.
    fileprivate var sentence: String {
        if case .unavailable = self { return "The farm's database does not answer; repeat the request." }
        if case .unusableRow = self { return "A row of the farm's database cannot be used; repeat the request." }
        return description
    }
}
