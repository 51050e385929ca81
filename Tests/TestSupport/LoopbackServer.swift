package import Foundation

/// A small HTTP server (Python's) on a free port of 127.0.0.1, ended when this goes away.
///
/// It serves the files of a folder (for a folder of it the file `.bytes` in that), with ranges; keeps what is PUT;
/// answers POST with the file of that path and `.reply`, or with what was sent. `/status/N`, `/stall` and `/drop`
/// answer as their names say; a PUT to `/reset` on a connection that had a request before resets that connection. `log` lists requests; ``script(_:at:)`` and ``isAway`` let it fail.
package final class LoopbackServer: Sendable {
    package let url: String
    /// What it serves.
    package let folder: String
    private let process: RunningProgram

    private static let program = #"""
        import hashlib, http.server, os, re, sys, threading, time, json
        root = sys.argv[1]
        lock = threading.Lock()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def log_message(self, *_): pass
            def note(self):
                with open(root + '/log', 'a') as log:
                    log.write(' '.join([self.command, self.path, self.headers.get('Range', '-'),
                                        self.headers.get('Authorization', '-')]) + '\n')
                time.sleep(float(self.beside('.delay') or 0))
            asked = 0
            def parse_request(self):
                if not super().parse_request(): return False
                self.asked += 1
                self.close_connection = self.close_connection or os.path.exists(root + '/away')
                return not os.path.exists(root + '/away')
            def beside(self, suffix):
                path = root + self.path.split('?')[0] + suffix
                return open(path, 'rb').read() if os.path.isfile(path) else None
            def next_line(self):
                with lock:
                    lines = (self.beside('.script') or b'').decode().splitlines()
                    if lines: open(root + self.path.split('?')[0] + '.script', 'w').write('\n'.join(lines[1:]))
                return lines[0] if lines else 'go'
            def refused(self):
                words = self.line.split()
                if words[0] == 'to': self.answer(int(words[1]), b'elsewhere', {'Location': words[2]})
                elif words[0] == 'hold': self.until_the_client_goes()
                elif words[0].isdigit(): self.problem(int(words[0]), words[1], words[2:])
                return words[0] in ('to', 'hold') or words[0].isdigit()
            def until_the_client_goes(self):
                while self.rfile.read(1): pass
            def answer(self, status, body=b'', headers={}):
                if self.line == 'drop':
                    self.close_connection = True
                    return
                self.send_response(status)
                for name in headers: self.send_header(name, headers[name])
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                if self.line == 'cut':
                    self.close_connection = True
                    body = body[:len(body) // 2]
                if self.command != 'HEAD': self.wfile.write(body)
            def problem(self, status, code=None, missing=[]):
                problem = {'status': status, 'code': code or 'code_%d' % status, 'title': 'T',
                           'detail': 'Detail of %d.' % status}
                if missing: problem['missing'] = missing
                self.answer(status, json.dumps(problem).encode())
            def do_GET(self):
                self.line = self.next_line()
                self.note()
                if self.refused(): return
                path = root + self.path.split('?')[0]
                if os.path.isdir(path): path += '/.bytes'
                if self.path == '/stall': return self.until_the_client_goes()
                if self.path == '/drop':
                    self.close_connection = True
                    return self.answer(200, b'dropped')
                if self.path.startswith('/status/'): return self.problem(int(self.path[8:]))
                if not os.path.isfile(path): return self.problem(404)
                data = open(path, 'rb').read()
                part = re.match(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
                tag = '"sha256:%s"' % hashlib.sha256(data).hexdigest()
                if not part or self.headers.get('If-Range', tag) != tag:
                    return self.answer(200, data, {'X-Name': 'Value', 'ETag': tag})
                first = int(part[1])
                last = min(int(part[2] or len(data)), len(data) - 1)
                if first >= len(data): return self.problem(416, 'range_not_satisfiable')
                self.answer(206, data[first:last + 1], {'Content-Range': 'bytes %d-%d/%d' % (first, last, len(data))})
            do_HEAD = do_GET
            do_DELETE = do_GET
            def body(self): return self.rfile.read(int(self.headers.get('Content-Length', 0)))
            # Whoever finds a request in the log finds also what it sent.
            def keep(self, suffix, mode, data):
                os.makedirs(os.path.dirname(root + self.path), exist_ok=True)
                with lock, open(root + self.path + suffix, mode) as file: file.write(data)
            def do_PUT(self):
                if self.path == '/reset' and self.asked > 1:
                    # What is left unread makes the kernel answer with a reset instead of an end.
                    self.note()
                    self.close_connection = True
                    return os.close(self.connection.detach())
                data = self.body()
                self.line = self.next_line()
                if not self.line.split()[0].isdigit(): self.keep('', 'wb', data)
                self.note()
                if not self.refused(): self.answer(201, b'stored')
            def do_POST(self):
                data = self.body()
                if self.path.endswith('/order'):
                    # A coordinator without a bucket takes artifacts itself.
                    self.line = 'go'
                    self.note()
                    return self.problem(404, 'sent_here')
                self.line = self.next_line()
                if self.line == 'late': time.sleep(1)
                self.keep('.sent', 'ab', data + b'\n')
                self.note()
                if self.refused(): return
                reply = self.beside('.' + self.line[6:] if self.line.startswith('reply ') else '.reply')
                self.answer(200, data if reply is None else reply)
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """#

    package struct NotStarted: Error {}

    /// - Parameter folder: made when it is missing.
    package init(folder: String) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let said = folder + "/port"
        process = try RunningProgram("/usr/bin/env", ["python3", "-c", LoopbackServer.program, folder], log: said)
        url = "http://127.0.0.1:\(try await LoopbackServer.port(in: said, process))"
    }

    /// Waits for the server's first line without holding a thread of the pool that all tests share.
    private static func port(in path: String, _ process: RunningProgram) async throws -> UInt16 {
        var port: UInt16?
        try await waitUntil {
            let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            if said.hasSuffix("\n") { port = UInt16(said.trimmingCharacters(in: .whitespacesAndNewlines)) }
            return port != nil || process.hasEnded
        }
        guard let port else { throw NotStarted() }
        return port
    }

    /// Puts a file to be served at `path`, which begins with a slash.
    package func serve(_ data: Data, at path: String) throws {
        let file = URL(fileURLWithPath: folder + path)
        let parent = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// What lies at `path`, served or PUT.
    package func file(_ path: String) -> Data? { FileManager.default.contents(atPath: folder + path) }

    /// Method, path, range and authorization of every request, `-` for none.
    package var log: [String] {
        String(decoding: file("/log") ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What the next requests for `path` are answered, one line each, whatever their method: `409 artifact_missing` a
    /// problem, without doing anything (`409 asset_missing DIGEST…` names what is missing); `drop` nothing, when all is
    /// done; `cut` half of the answer; `reply NAME` the file of that path and `.NAME`; `hold` nothing for as long as
    /// the client waits; `late` what is posted is kept and answered a second later; `go` as without a script.
    package func script(_ lines: [String], at path: String) throws {
        try serve(Data(lines.joined(separator: "\n").utf8), at: path + ".script")
    }

    /// Whether connections are closed without an answer.
    package var isAway: Bool {
        get { FileManager.default.fileExists(atPath: folder + "/away") }
        set {
            if newValue {
                _ = FileManager.default.createFile(atPath: folder + "/away", contents: nil)
            } else {
                try? FileManager.default.removeItem(atPath: folder + "/away")
            }
        }
    }

    /// The bodies of every POST to `path`, which must be one line each, as JSON is. A body that is being written is not
    /// one of them yet.
    package func sent(to path: String) -> [Data] {
        let written = file(path + ".sent") ?? Data()
        guard let end = written.lastIndex(of: 10) else { return [] }
        return written[..<end].split(separator: 10).map { Data($0) }
    }

    /// How often `method` was asked of `path`.
    package func count(_ method: String, _ path: String) -> Int { log.count { $0.hasPrefix("\(method) \(path) ") } }
}
