import Foundation
import TestSupport

/// Stands between a client and a coordinator, and cuts connections after so many bytes, or holds them there.
final class CuttingRelay: Sendable {
    /// The two ways that bytes go.
    enum Direction: String, Sendable {
        case up, down
    }

    /// What clients take for the coordinator.
    let address: String
    private let folder: String
    private let process: RunningProgram

    init(to coordinator: String, in folder: TemporaryFolder) async throws {
        let place = folder.path("relay-\(UUID().uuidString)")
        self.folder = place
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Self.write(coordinator, place, "target")
        let program = ["python3", "-c", Self.source, place]
        process = try RunningProgram("/usr/bin/env", program, log: place + "/log")
        var port: String?
        try await waitUntil { [process] in
            port = try? String(contentsOfFile: place + "/port", encoding: .utf8)
            return port != nil || process.hasEnded
        }
        address = "http://127.0.0.1:\(port ?? "0")"
    }

    private static func write(_ text: String, _ folder: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .atomic)
    }

    /// Sends new connections to another coordinator.
    func turn(to coordinator: String) throws { try Self.write(coordinator, folder, "target") }

    /// Ends new connections once so many bytes went in a direction; nil lets all pass.
    /// - Parameter isHeld: whether the connection is held there until the client or ``release()`` ends it.
    func cut(_ direction: Direction, after byteCount: Int?, isHeld: Bool = false) throws {
        for name in ["up", "down", "hold", "held"] { unlink("\(folder)/\(name)") }
        if isHeld { try Self.write("", folder, "hold") }
        if let byteCount { try Self.write(String(byteCount), folder, direction.rawValue) }
    }

    /// Whether a connection is held.
    var isHolding: Bool { access(folder + "/held", F_OK) == 0 }

    /// Ends what is held, and holds nothing from now on.
    func release() { unlink(folder + "/hold") }

    /// The bytes that went in a direction.
    func passed(_ direction: Direction) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: "\(folder)/passed-\(direction.rawValue)")[.size]
        return (size as? NSNumber)?.intValue ?? 0
    }

    private static let source = #"""
        import os, socket, sys, threading, time
        folder = sys.argv[1]
        lock = threading.Lock()

        def limit(direction):
            try: return int(open(f"{folder}/{direction}").read())
            except OSError: return None

        def copy(source, target, direction, most):
            passed = 0
            # Its size counts what passed: a hole takes no room.
            tally = f"{folder}/passed-{direction}"
            try:
                while data := source.recv(1 << 16):
                    if most is not None: data = data[:max(0, most - passed)]
                    target.sendall(data)
                    passed += len(data)
                    with lock:
                        size = os.path.getsize(tally) if os.path.exists(tally) else 0
                        with open(tally, "ab") as file: file.truncate(size + len(data))
                    if most is not None and passed >= most:
                        if os.path.exists(folder + "/hold"):
                            open(folder + "/held", "w").close()
                            while os.path.exists(folder + "/hold"): time.sleep(0.02)
                        break
            except OSError: pass
            for end in (source, target):
                try: end.shutdown(socket.SHUT_RDWR)
                except OSError: pass

        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        open(folder + "/.port", "w").write(str(listener.getsockname()[1]))
        os.rename(folder + "/.port", folder + "/port")
        while True:
            client, _ = listener.accept()
            try: server = socket.create_connection(("127.0.0.1", int(open(folder + "/target").read().rsplit(":", 1)[1])))
            except OSError:
                client.close()
                continue
            ways = ((client, server, "up", limit("up")), (server, client, "down", limit("down")))
            for way in ways: threading.Thread(target=copy, args=way, daemon=True).start()
        """#
}
