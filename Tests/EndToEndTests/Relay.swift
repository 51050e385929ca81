import Foundation
import TestSupport

/// A program between a worker and its coordinator that passes everything on, but holds each completion until it is told
/// to let it go. So a test decides when a delivery arrives.
final class Relay: Sendable {
    /// What the worker takes for its coordinator.
    let address: String
    private let folder: String
    private let program: RunningProgram

    /// - Parameters:
    ///   - coordinator: the address of the coordinator, such as `http://127.0.0.1:8080`.
    ///   - name: names the relay's folder among those of the test.
    init(to coordinator: String, _ name: String, in test: TemporaryFolder) async throws {
        let folder = test.path(name)
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = folder + "/relay.py"
        try Data(Self.source.utf8).write(to: URL(fileURLWithPath: script))
        let port = coordinator.split(separator: ":").last.map(String.init) ?? ""
        let program = try RunningProgram("/usr/bin/python3", ["-S", script, port, folder], log: folder + "/log")
        self.program = program
        try await waitUntil {
            guard !program.hasEnded else { throw Unexpected(description: "the relay ended") }
            return FileManager.default.contents(atPath: folder + "/port") != nil
        }
        address = "http://127.0.0.1:" + (try String(contentsOfFile: folder + "/port", encoding: .utf8))
    }

    /// Method and path of every request, in order.
    var requests: [String] {
        let lines = (try? String(contentsOfFile: folder + "/requests", encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").map(String.init)
    }

    /// The attempts whose completions are held, or were.
    var held: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("held-") }.map { String($0.dropFirst(5)) }
    }

    /// Lets go what is held, and holds nothing from now on.
    func open() throws { try Data().write(to: URL(fileURLWithPath: folder + "/go")) }

    /// The status with which the coordinator answered the completion of an attempt; nil before it did.
    func status(of attempt: String) -> Int? {
        let line = try? String(contentsOfFile: folder + "/answer-" + attempt, encoding: .utf8)
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    private static let source = #"""
        import os, re, socket, sys, threading, time

        port, folder = int(sys.argv[1]), sys.argv[2]

        def write(name, data):
            with open(f"{folder}/.{name}", "wb") as file: file.write(data)
            os.rename(f"{folder}/.{name}", f"{folder}/{name}")

        def hold(data, awaited):
            request = re.search(rb"^([A-Z]+ \S+) HTTP", data)
            if request:
                with open(f"{folder}/requests", "ab") as file: file.write(request.group(1) + b"\n")
            found = re.search(rb"^POST /v1/attempts/(\S+)/complete HTTP", data)
            if not found: return
            attempt = found.group(1).decode()
            write("held-" + attempt, b"")
            while not os.path.exists(folder + "/go"): time.sleep(0.02)
            awaited.append(attempt)

        def note(data, awaited):
            if awaited: write("answer-" + awaited.pop(), data.split(b"\r\n")[0])

        def copy(source, target, look, awaited):
            try:
                while data := source.recv(1 << 16):
                    look(data, awaited)
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)
            except OSError:
                source.close()
                target.close()

        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        write("port", str(listener.getsockname()[1]).encode())
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", port))
            awaited = []
            threading.Thread(target=copy, args=(client, server, hold, awaited), daemon=True).start()
            threading.Thread(target=copy, args=(server, client, note, awaited), daemon=True).start()
        """#
}
