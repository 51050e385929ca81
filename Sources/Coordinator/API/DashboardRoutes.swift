import Farm
import HTTPTypes
import Hummingbird
import Logging
import Storage

/// The page of the dashboard and its files.
struct DashboardRoutes: RouteGroup {
    /// The modules of the page's script, which `main` imports.
    private static let modules = [
        ("main", PackageResources.main_js),
        ("api", PackageResources.api_js),
        ("dom", PackageResources.dom_js),
        ("words", PackageResources.words_js),
        ("list", PackageResources.list_js),
        ("detail", PackageResources.detail_js),
        ("timeline", PackageResources.timeline_js),
        ("inspector", PackageResources.inspector_js),
        ("plot", PackageResources.plot_js),
        ("workers", PackageResources.workers_js),
        ("batch", PackageResources.batch_js),
        ("player", PackageResources.player_js),
        ("actions", PackageResources.actions_js),
        ("keys", PackageResources.keys_js),
        ("drop", PackageResources.drop_js),
        ("digest", PackageResources.digest_js),
        ("notify", PackageResources.notify_js),
    ]

    /// The page itself needs no token: it shows nothing until one was exchanged for a session.
    func add(to table: RouteTable) {
        add("/", "text/html; charset=utf-8", PackageResources.index_html, to: table)
        add("/dashboard.css", "text/css; charset=utf-8", PackageResources.dashboard_css, to: table)
        for (name, bytes) in Self.modules {
            add("/dashboard/\(name).js", "text/javascript; charset=utf-8", bytes, to: table)
        }
    }

    private func add(_ path: String, _ type: String, _ bytes: [UInt8], to table: RouteTable) {
        let headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: Self.policy,
        ]
        let body = ByteBuffer(bytes: bytes)
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
