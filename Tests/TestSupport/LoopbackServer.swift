public import Foundation

/// A small HTTP server (Python's) on a free port of 127.0.0.1, ended when this goes away.
///
/// It serves the files of a folder, with ranges; keeps what is PUT; answers POST with the file of that path and
/// `.reply`, or with what was sent. `/status/N`, `/stall` and `/drop` answer as their names say. `log` lists requests.
public final class LoopbackServer: Sendable {
    public let url: String
    /// What it serves.
    public let folder: String
    private let process: RunningProgram

    private static let program = #"""
        import http.server, os, re, sys, threading, time, json
        root = sys.argv[1]
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def log_message(self, *_): pass
            def note(self):
                with open(root + '/log', 'a') as log:
                    log.write(' '.join([self.command, self.path, self.headers.get('Range', '-'),
                                        self.headers.get('Authorization', '-')]) + '\n')
            def answer(self, status, body=b'', headers={}):
                self.send_response(status)
                for name in headers: self.send_header(name, headers[name])
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                if self.command != 'HEAD': self.wfile.write(body)
            def problem(self, status):
                self.answer(status, json.dumps({'status': status, 'code': 'code_%d' % status, 'title': 'T',
                                                'detail': 'Detail of %d.' % status}).encode())
            def do_GET(self):
                self.note()
                path = root + self.path.split('?')[0]
                if self.path == '/stall': return time.sleep(30)
                if self.path == '/drop':
                    self.close_connection = True
                    return self.answer(200, b'dropped')
                if self.path.startswith('/status/'): return self.problem(int(self.path[8:]))
                if not os.path.isfile(path): return self.problem(404)
                data = open(path, 'rb').read()
                part = re.match(r'bytes=(\d+)-(\d+)', self.headers.get('Range', ''))
                if not part: return self.answer(200, data, {'X-Name': 'Value'})
                self.answer(206, data[int(part[1]):int(part[2]) + 1])
            do_HEAD = do_GET
            do_DELETE = do_GET
            def body(self): return self.rfile.read(int(self.headers.get('Content-Length', 0)))
            def do_PUT(self):
                self.note()
                data = self.body()
                os.makedirs(os.path.dirname(root + self.path), exist_ok=True)
                open(root + self.path, 'wb').write(data)
                self.answer(201)
            def do_POST(self):
                self.note()
                data = self.body()
                path = root + self.path + '.reply'
                self.answer(200, open(path, 'rb').read() if os.path.isfile(path) else data)
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """#

    public struct NotStarted: Error {}

    /// - Parameter folder: made when it is missing.
    public init(folder: String) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let said = folder + "/port"
        process = try RunningProgram("/usr/bin/env", ["python3", "-c", LoopbackServer.program, folder], log: said)
        url = "http://127.0.0.1:\(try await LoopbackServer.port(in: said, process))"
    }

    /// Waits for the server's first line without holding a thread of the pool that all tests share.
    private static func port(in path: String, _ process: RunningProgram) async throws -> UInt16 {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, !process.hasEnded {
            let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            if said.hasSuffix("\n"), let port = UInt16(said.trimmingCharacters(in: .whitespacesAndNewlines)) {
                return port
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotStarted()
    }

    /// Puts a file to be served at `path`, which begins with a slash.
    public func serve(_ data: Data, at path: String) throws {
        let file = URL(fileURLWithPath: folder + path)
        let parent = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// What lies at `path`, served or PUT.
    public func file(_ path: String) -> Data? { FileManager.default.contents(atPath: folder + path) }

    /// Method, path, range and authorization of every request, `-` for none.
    public var log: [String] {
        String(decoding: file("/log") ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
