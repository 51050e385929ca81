import Foundation

/// The address of a coordinator as a person writes it: a URL, or a host with or without a port.
struct CoordinatorAddress: Hashable {
    /// The port of a coordinator unless it was started with another.
    private static let port = 7411

    /// The address as a URL, with the path that was written.
    let url: String
    /// A sentence that says what was taken for what was left out; nil for a whole URL.
    let note: String?

    /// Completes what was written. A host of this machine is asked over http, any other over https.
    /// - Parameter allowsClear: whether tokens may travel in clear: then any host is asked over http.
    init(_ text: String, allowsClear: Bool = false) {
        guard !text.contains("://"), !text.isEmpty else {
            (url, note) = (text, nil)
            return
        }
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        let (bare, path) = (text[..<slash], text[slash...] == "/" ? "" : text[slash...])
        let address = bare.filter { $0 == ":" }.count > 1 && !bare.hasPrefix("[") ? "[\(bare)]" : String(bare)
        let parts = URLComponents(string: "//" + address)
        let host = parts?.host ?? ""
        let isHere = ["localhost", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
        let scheme = isHere || allowsClear ? "http" : "https"
        url = "\(scheme)://\(address)" + (parts?.port == nil ? ":\(Self.port)" : "") + path
        note =
            isHere || allowsClear
            ? "Taking \(url)."
            : "Taking \(url); for a coordinator without TLS say --insecure-token, which sends the token in clear."
    }
}
