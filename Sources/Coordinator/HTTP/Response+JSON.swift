import Foundation
import Hummingbird
import WireProtocol

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(value)))
        )
    }

    static let noContent = Response(status: .noContent)
}
