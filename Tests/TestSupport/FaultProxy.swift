import Foundation

/// An HTTP proxy before a server, on a free port of 127.0.0.1, which makes faults by a script; ended when this goes away.
package final class FaultProxy: Sendable {
    /// What it does with one request.
    package enum Fault: Sendable, Hashable {
        /// Passes it on.
        case none
        /// Answers with this status and this S3 code, and passes nothing on.
        case refusal(Int, String)
        /// Breaks off when so many bytes of the request's body came, and passes nothing on.
        case cutRequest(Int)
        /// Passes the request on, and breaks off behind so many bytes of the answer's body.
        case cutAnswer(Int)
    }

    /// The address of the proxy.
    package let url: String
    private let folder: TemporaryFolder
    private let process: RunningProgram

    private static let program = #"""
        import http.client, http.server, os, sys, threading
        folder, port = sys.argv[1], int(sys.argv[2])
        lock = threading.Lock()
        def next_line():
            with lock:
                lines = open(folder + '/script').read().splitlines() if os.path.exists(folder + '/script') else []
                if lines: open(folder + '/script', 'w').write('\n'.join(lines[1:]))
            return (lines[0] if lines else 'none').split()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def log_message(self, *_): pass
            def pass_on(self):
                fault = next_line()
                with lock, open(folder + '/log', 'a') as log:
                    log.write('%s %s %s\n' % (self.command, self.path, self.headers.get('Range', '-')))
                length = int(self.headers.get('Content-Length', 0))
                body = self.rfile.read(min(length, int(fault[1])) if fault[0] == 'cutRequest' else length)
                if fault[0] == 'cutRequest':
                    self.close_connection = True
                    return
                if fault[0] == 'refusal':
                    answer = ('<Error><Code>%s</Code><Message>No.</Message></Error>' % fault[2]).encode()
                    self.send_response(int(fault[1]))
                    self.send_header('Content-Length', str(len(answer)))
                    self.end_headers()
                    if self.command != 'HEAD': self.wfile.write(answer)
                    return
                server = http.client.HTTPConnection('127.0.0.1', port)
                server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    if name.lower() != 'connection': server.putheader(name, value)
                server.endheaders(body)
                answer = server.getresponse()
                data = answer.read()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ('connection', 'transfer-encoding', 'content-length'): self.send_header(name, value)
                whole = answer.getheader('Content-Length') if self.command == 'HEAD' else str(len(data))
                if whole is not None: self.send_header('Content-Length', whole)
                self.end_headers()
                if fault[0] == 'cutAnswer':
                    self.close_connection = True
                    data = data[:int(fault[1])]
                if self.command != 'HEAD': self.wfile.write(data)
            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = pass_on
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """#

    /// Starts a proxy before the server at a port of 127.0.0.1.
    package init(before port: UInt16) async throws {
        folder = try TemporaryFolder()
        let said = folder.path("said")
        let words = ["-c", FaultProxy.program, folder.url.path, String(port)]
        let process = try RunningProgram("/usr/bin/python3", words, log: said)
        self.process = process
        var own: UInt16?
        try await waitUntil {
            let text = String(decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
            if text.hasSuffix("\n") { own = UInt16(text.dropLast()) }
            return own != nil || process.hasEnded
        }
        guard let own else { throw Shell.Failed(description: "The proxy did not start.") }
        url = "http://127.0.0.1:\(own)"
    }

    /// Says what happens to the next requests, in their order; later ones are passed on.
    package func script(_ faults: [Fault]) throws {
        let lines = faults.map { fault in
            switch fault {
            case .none: "none"
            case .refusal(let status, let code): "refusal \(status) \(code)"
            case .cutRequest(let count): "cutRequest \(count)"
            case .cutAnswer(let count): "cutAnswer \(count)"
            }
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: folder.path("script")))
    }

    /// Method, path with query, and range (`-` for none) of every request so far.
    package var log: [String] {
        let data = FileManager.default.contents(atPath: folder.path("log")) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
