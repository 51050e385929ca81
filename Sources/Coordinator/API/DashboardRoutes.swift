import Farm
import HTTPTypes
import Hummingbird
import Logging
import Storage

/// The page of the dashboard and its files.
struct DashboardRoutes: RouteGroup {
    /// The page itself needs no token: it shows nothing until one was exchanged for a session.
    func add(to table: RouteTable) {
        for (path, type, bytes) in [
            ("/", "text/html; charset=utf-8", PackageResources.index_html),
            ("/dashboard.css", "text/css; charset=utf-8", PackageResources.dashboard_css),
            ("/dashboard.js", "text/javascript; charset=utf-8", PackageResources.dashboard_js),
        ] {
            let headers: HTTPFields = [
                .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: dashboardPolicy,
            ]
            let body = ByteBuffer(bytes: bytes)
            for method in [.get, .head] as [HTTPRequest.Method] {
                table.on(method, path) { _, _ in
                    Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
                }
            }
        }
    }

    private var dashboardPolicy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
}
