import HTTPTypes
import Hummingbird

/// The description of this API as an OpenAPI 3.1 document.
struct OpenAPIRoutes: RouteGroup {
    static let path = "/v1/openapi.json"

    /// Nobody needs to sign in: the document is the same at every coordinator of a version, says nothing of this farm, and
    /// tells a client how to sign in.
    func add(to table: RouteTable) {
        let body = ByteBuffer(bytes: EmbeddedFile.bytes("openapi.json"))
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, Self.path) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                    body: ResponseBody(byteBuffer: body)
                )
            }
        }
    }
}
