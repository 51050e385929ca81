import Farm
import HTTPTypes
import Hummingbird
import Logging
import Storage

/// The page of the dashboard and its files.
struct DashboardRoutes: RouteGroup {
    /// The modules of the page's script, which `main` imports.
    private static let modules = [
        "main", "api", "dom", "words", "list", "detail", "timeline", "inspector", "plot", "workers", "batch", "player",
        "actions", "keys", "drop", "digest", "notify",
    ]

    /// The page itself needs no token: it shows nothing until one was exchanged for a session.
    func add(to table: RouteTable) {
        add("/", "text/html; charset=utf-8", "index.html", to: table)
        add("/dashboard.css", "text/css; charset=utf-8", "dashboard.css", to: table)
        for name in Self.modules {
            add("/dashboard/\(name).js", "text/javascript; charset=utf-8", "\(name).js", to: table)
        }
    }

    private func add(_ path: String, _ type: String, _ file: String, to table: RouteTable) {
        let headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: Self.policy,
        ]
        let body = ByteBuffer(bytes: EmbeddedFile.bytes(file))
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, path) { _, _ in
                Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
            }
        }
    }

    /// Media come from this host, and from the buffers that the player fills.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
