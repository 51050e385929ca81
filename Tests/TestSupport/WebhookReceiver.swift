import Foundation

/// A receiver of webhooks: Python's HTTP server on a port of this machine, which checks signatures by itself, as Standard
/// Webhooks describes them, and notes every message that came. ``behave(_:)`` says how it answers.
package final class WebhookReceiver: Sendable {
    /// How it answers.
    package enum Behaviour: String, Sendable {
        case takes, fails, redirects, hangs, floods, isGone
    }

    /// One message as it came.
    package struct Message: Decodable, Sendable {
        package var path: String
        package var id: String
        package var timestamp: Int64
        /// The signatures that fit a secret of ``secrets``, in the order of the secrets.
        package var signedBy: [String]
        package var body: String
    }

    package let port: UInt16
    private let folder: TemporaryFolder
    private let process: RunningProgram

    private static let program = #"""
        import base64, hashlib, hmac, http.server, json, os, sys, threading
        root = sys.argv[1]
        lock = threading.Lock()
        def text(name):
            try: return open(root + '/' + name).read()
            except FileNotFoundError: return ''
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def log_message(self, *_): pass
            def do_GET(self): self.do_POST()
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                id, stamp = self.headers.get('webhook-id', ''), self.headers.get('webhook-timestamp', '0')
                given = [word.split(',', 1)[1] for word in self.headers.get('webhook-signature', '').split() if word[:3] == 'v1,']
                signed = []
                for secret in text('secrets').split():
                    key = base64.b64decode(secret.removeprefix('whsec_'))
                    code = hmac.new(key, b'%s.%s.%s' % (id.encode(), stamp.encode(), body), hashlib.sha256).digest()
                    if base64.b64encode(code).decode() in given: signed.append(secret)
                line = {'path': self.path, 'id': id, 'timestamp': int(stamp), 'signedBy': signed, 'body': body.decode()}
                with lock, open(root + '/messages', 'a') as log: log.write(json.dumps(line) + '\n')
                mode = text('mode') or 'takes'
                if mode == 'hangs':
                    while self.rfile.read(1): pass
                    return
                status = {'takes': 204, 'fails': 500, 'redirects': 307, 'floods': 200, 'isGone': 410}[mode]
                self.send_response(status)
                if mode == 'redirects': self.send_header('Location', 'http://127.0.0.1:%d/inside' % port)
                answer = b'x' * (1 << 20) if mode == 'floods' else b''
                self.send_header('Content-Length', str(len(answer)))
                self.end_headers()
                try: self.wfile.write(answer)
                except OSError: pass
        server = http.server.ThreadingHTTPServer(('0.0.0.0', int(sys.argv[2])), Handler)
        server.daemon_threads = True
        port = server.server_address[1]
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        print(port, flush=True)
        server.serve_forever()
        """#

    package struct NotStarted: Error {}

    /// - Parameter port: the port to listen on; 0 takes any free one.
    package init(port: UInt16 = 0) async throws {
        folder = try TemporaryFolder()
        let (root, said) = (folder.url.path, folder.path("port"))
        let started = try RunningProgram("/usr/bin/env", ["python3", "-c", Self.program, root, "\(port)"], log: said)
        var bound: UInt16?
        try await waitUntil {
            let text = String(decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
            if text.hasSuffix("\n") { bound = UInt16(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
            return bound != nil || started.hasEnded
        }
        guard let bound else { throw NotStarted() }
        (process, self.port) = (started, bound)
    }

    /// Says how the next messages are answered.
    package func behave(_ behaviour: Behaviour) throws { try write(behaviour.rawValue, "mode") }

    /// The secrets by which signatures are checked.
    package func know(_ secrets: [String]) throws { try write(secrets.joined(separator: "\n"), "secrets") }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)), options: .atomic)
    }

    /// The messages that came, in order.
    package func messages() throws -> [Message] {
        let data = FileManager.default.contents(atPath: folder.path("messages")) ?? Data()
        return try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Message.self, from: Data($0))
        }
    }

    /// Ends it; its port is free again.
    package func stop() async throws {
        process.send(SIGKILL)
        _ = try await process.wait()
    }
}
