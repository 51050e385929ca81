import Foundation
import Sandbox
import TestSupport

/// A program that speaks the render child's protocol and does with a task what a test wants.
enum FakeRenderer {
    static let copiesItsSource = """
        need(0)
        send({"progress": {"permille": 500}})
        copy()
        """

    /// Until the file `go` is in the test's folder, after making `started` there, in which its process is named.
    static let waits = """
        with open(os.path.join(here, ".started"), "w") as file: file.write(str(os.getpid()))
        os.rename(os.path.join(here, ".started"), os.path.join(here, "started"))
        while not os.path.exists(os.path.join(here, "go")): time.sleep(0.02)
        """

    static let fails = """
        send({"failure": {"_0": {"code": "asset_damaged", "message": "The clip is damaged.", "isPermanent": True}}})
        """

    /// Says a line on standard error, which names a path of the worker.
    static let speaks = "sys.stderr.write('h264: ' + here + '/x is odd\\n')\n"

    /// Until the server of the test's folder has begun to take lines, which used up the only line of its script.
    static let untilLinesAreTaken = """
        import glob
        log = os.path.join(here, "served/v1/attempts/*/log.script")
        while not any(not open(path).read() for path in glob.glob(log)): time.sleep(0.02)

        """

    static func make(in folder: TemporaryFolder, does what: String) throws -> RenderProcess {
        RenderProcess(executable: try folder.program("fake-render", start + what + "\n"))
    }

    private static let start = """
        #!/usr/bin/python3 -S
        import json, os, struct, sys, time

        here = os.path.dirname(os.path.abspath(sys.argv[0]))

        def take(count):
            data = b""
            while len(data) < count:
                part = os.read(0, count - len(data))
                if not part: sys.exit(1)
                data += part
            return data

        def receive(): return json.loads(take(struct.unpack(">I", take(4))[0]))

        def send(event):
            data = json.dumps(event).encode()
            os.write(0, struct.pack(">I", len(data)) + data)

        def need(block):
            send({"need": {"source": 0, "block": block}})
            reply = receive()
            if "unavailable" in reply:
                send({"failure": reply["unavailable"]})
                sys.exit(0)

        def copy():
            open(request["output"], "wb").write(open(request["sources"][0]["path"], "rb").read())
            send({"usage": {"cpuMilliseconds": 3, "peakMemoryBytes": 4096, "vectors": ["x264", "made up", "libav"]}})
            send({"result": {"_0": {"artifact": {"unitCount": request["task"]["frameCount"]}}}})

        request = next(iter(receive().values()))["_0"]

        """
}
