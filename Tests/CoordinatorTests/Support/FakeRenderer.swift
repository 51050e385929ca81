import CompositionModel
import Foundation
import Planning
import Sandbox
import TestSupport
import Timing

/// A program that speaks the render child's protocol and does nothing with media: a probe gives fixed facts (or a
/// refusal for bytes that begin with `BAD`, a failure that may pass for `OOPS`, no end for `HANG`), stitching writes
/// its parts one after the other, pictures before sounds, and a preview its kind and its parts (no end for `SLOW`, a
/// failure for `FAIL`). A request without a field that it reads, or with other parts than its task names, is refused for
/// good.
enum FakeRenderer {
    static let libraries = ["libavcodec": "59.37.100"]

    static func facts() throws -> AssetFacts {
        AssetFacts(
            container: "mov",
            byteCount: 100,
            video: [
                VideoStreamFacts(
                    streamIndex: 0,
                    codec: "h264",
                    profile: "High",
                    width: 320,
                    height: 180,
                    pixelFormat: "yuv420p",
                    pixelAspect: RationalTime(whole: 1),
                    orientation: .upright,
                    color: .bt709,
                    timeBase: try RationalTime(1, 12800),
                    frameRate: try FrameRate(25),
                    isVariableRate: false,
                    frameCount: 500,
                    duration: RationalTime(whole: 20),
                    keyframes: [0, 100, 200, 300, 400],
                    language: nil,
                    isDefault: true
                )
            ],
            audio: [
                AudioStreamFacts(
                    streamIndex: 1,
                    codec: "aac",
                    profile: "LC",
                    sampleRate: 48000,
                    channels: 2,
                    channelLayout: "stereo",
                    start: .zero,
                    sampleCount: 960_000,
                    language: nil,
                    isDefault: true
                )
            ]
        )
    }

    /// - Parameters:
    ///   - folder: where the program is written.
    ///   - probes: a file to which each probe and each preview adds a line; nil counts none.
    static func make(in folder: TemporaryFolder, countingProbesIn probes: String? = nil) throws -> RenderProcess {
        let facts = String(decoding: try JSONEncoder().encode(facts()), as: UTF8.self)
        return RenderProcess(executable: try folder.program("fake-render", program(facts, probes ?? "/dev/null")))
    }

    private static func program(_ facts: String, _ probes: String) -> String {
        """
        #!/usr/bin/python3 -S
        import hashlib, json, os, struct, time

        # What lies between the header and the summary of a packet file; anything else as it is.
        def packets(data):
            if data[:8] != b"CUTPACK\\n": return data
            return data[16 + struct.unpack("<I", data[12:16])[0]:struct.unpack("<q", data[-48:-40])[0]]

        def receive():
            length = struct.unpack(">I", os.read(0, 4))[0]
            data = b""
            while len(data) < length: data += os.read(0, length - len(data))
            return json.loads(data)

        def send(event):
            data = json.dumps(event).encode()
            os.write(0, struct.pack(">I", len(data)) + data)

        def result(kind, **values): send({"result": {"_0": {kind: values}}})

        def refuse(message):
            send({"failure": {"_0": {"code": "fake_refuses", "message": message, "isPermanent": True}}})

        def stitched(stitch):
            task, pictures, sounds = stitch["task"], stitch["pictureParts"], stitch["soundParts"]
            # One piece of sound has no list of its own (StitchTask.soundPartCounts).
            counts = task.get("soundPartCounts") or ([task["sampleCount"]] if task["hasSound"] else [])
            if (len(pictures), len(sounds)) != (len(task["partFrameCounts"]), len(counts)):
                return refuse(f"{len(pictures)} pictures and {len(sounds)} sounds are not the parts of {task}")
            data = [open(part, "rb").read() for part in pictures + sounds]
            for part in data:
                if b"JUNK" in part:
                    digest = "sha256:" + hashlib.sha256(part).hexdigest()
                    return send({"failure": {"_0": {"code": "packet_file_damaged", "message": "Junk.",
                                                    "isPermanent": False, "asset": digest}}})
            data = [packets(part) for part in data]
            if any(b"SLOW" in part for part in data): time.sleep(86400)
            open(stitch["output"], "wb").write(b"".join(data))
            result("artifact", unitCount=task["frameCount"])

        request = receive()
        if "versions" in request:
            result("versions", rendererVersion=\(Renderer.version), libraries={"libavcodec": "59.37.100"}, user=0)
        elif "probe" in request:
            probe = request["probe"]["_0"]
            open("\(probes)", "a").write("probe\\n")
            head = open(probe["source"]["path"], "rb").read(4)
            if head[:3] == b"BAD":
                send({"failure": {"_0": {"code": "not_media", "message": "This is no movie.", "isPermanent": True}}})
            elif head == b"HANG":
                time.sleep(86400)
            elif head == b"OOPS":
                send({"failure": {"_0": {"code": "no_memory", "message": "Not now.", "isPermanent": False}}})
            else:
                index = os.path.join(probe["outputFolder"], "index-0")
                open(index, "wb").write(b"frame index")
                result("probe", facts=json.loads('''\(facts)'''), frameIndexes={"0": index})
        elif "preview" in request:
            (kind, order), = request["preview"]["_0"].items()
            order = order["_0"]
            open("\(probes)", "a").write(f"{kind}\\n")
            data = b"".join(packets(open(part, "rb").read()) for part in order.get("parts", [order.get("part")]))
            if b"SLOW" in data: time.sleep(86400)
            if b"FAIL" in data:
                send({"failure": {"_0": {"code": "fake_refuses", "message": "No picture.", "isPermanent": True}}})
            else:
                open(order["output"], "wb").write(kind.encode() + b" " + data)
                result("track", codec="avc1.640028") if kind == "head" else result("artifact", unitCount=1)
        elif "stitch" in request:
            try:
                stitched(request["stitch"]["_0"])
            except KeyError as missing:
                refuse(f"the request has no field {missing}")
        """
    }
}
