import CompositionModel
import Coordinator
import Farm
import Foundation
import Logging
import NIOCore
import Synchronization
import TestSupport
import Testing
import WireProtocol

/// Requests whose values, framing or address no honest client sends.
@Suite struct HostileRequestTests {
    private let clip = Data("a clip".utf8)

    private func edit(_ seconds: Int = 10, name: String = "a") -> String {
        """
        { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "\(name)": "a.mp4" },
          "tracks": [{ "kind": "video", "segments": [{ "asset": "\(name)", "duration": "\(seconds)s" }] }],
          "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
        """
    }

    private func submission(_ key: String, _ text: String? = nil) -> JobSubmission {
        JobSubmission(
            idempotencyKey: key,
            editText: text ?? edit(),
            title: "cut.json",
            assets: ["a": ContentDigest(of: clip)]
        )
    }

    private func withClip(_ body: (RunningCoordinator) async throws -> Void) async throws {
        try await withCoordinator { farm in
            _ = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
            try await body(farm)
        }
    }

    /// A name of a megabyte, and mistakes by the thousand below it: the answer is short.
    @Test(arguments: ["/v1/edits:read", "/v1/jobs:plan", "/v1/jobs"])
    func longNamesHaveAShortAnswer(path: String) async throws {
        let name = String(repeating: "n", count: 1 << 20)
        let mistakes = (0..<20_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let text = #"{ "schema": "edit/1", "assets": { "\#(name)": { \#(mistakes) } }, "tracks": [] }"#
        try await withClip { farm in
            let answer =
                path == "/v1/edits:read"
                ? try await farm.post(path, EditText(editText: text), as: "editor")
                : try await farm.post(path, submission("k", text), as: "editor")
            #expect(answer.status == (path == "/v1/edits:read" ? 200 : 422))
            #expect(answer.text.contains("more findings are not listed"))
            #expect(answer.text.utf8.count < 1 << 20)
        }
    }

    /// Names of assets are compared before the edit is read.
    @Test func endlessCombiningMarksAreRefused() async throws {
        try await withClip { farm in
            var marked = submission("k")
            marked.assets["a" + String(repeating: "\u{301}\u{323}", count: 100_000)] = ContentDigest(of: clip)
            let refused = try await farm.post("/v1/jobs", marked, as: "editor")
            #expect(refused.status == 422 && refused.code == "invalid_request", "\(refused.text)")
            #expect(refused.text.contains("combining marks"))
            let text = edit(name: "a" + String(repeating: #"\u0301\u0323"#, count: 100_000))
            let wrong = try await farm.post("/v1/edits:read", EditText(editText: text), as: "editor")
            #expect(wrong.status == 200 && wrong.text.contains("combining marks"))
        }
    }

    /// UTF-16 has a byte 0 beside each character of JSON. The decoder would read it, and no check of its bytes.
    @Test func aBodyIsUTF8() async throws {
        try await withCoordinator { farm in
            // Long enough for a file: an argument of curl ends at a byte 0.
            let body = "{\u{0}}\u{0}" + String(repeating: " \u{0}", count: 60_000)
            let refused = try await farm.call("POST", "/v1/jobs", as: "editor", body: body)
            #expect(refused.status == 400 && refused.text.contains("UTF-8"), "\(refused.text)")
        }
    }

    /// Addresses are compared with those of routes, and what they and header fields say with what is known.
    @Test func endlessCombiningMarksInAHeadAreRefused() async throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 16)
        let escaped = String(repeating: "%CC%81%cc%a3", count: 16)
        try await withCoordinator { farm in
            let port = farm.port
            func answer(_ target: String, _ field: String = "") async throws -> String {
                let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(field)Connection: close\r\n\r\n"
                return try await onThread {
                    let connection = try RawConnection(port: port)
                    connection.send(request)
                    return connection.receive(until: "}")
                }
            }
            for (target, field) in [
                ("/healthz?a=\(escaped)", ""), ("/e\(escaped)", ""), ("/v1/jobs/\(escaped)", ""),
                ("/healthz?a=%5C\(escaped)", ""), ("/healthz?a=%5C%5C\(escaped)", ""),
                ("/healthz?a=e%CC\(escaped)", ""),
                ("/healthz?a=%F0\(escaped)", ""), ("/healthz?a=%80\(escaped)", ""),
                ("/healthz", "Cookie: e\\\(marks)\r\n"),
                ("/healthz", "Authorization: Bearer e\(marks)\r\n"), ("/healthz", "Cookie: e\(marks)\r\n"),
            ] {
                let text = try await answer(target, field)
                #expect(text.hasPrefix("HTTP/1.1 400"), "\(target) \(field): \(text)")
                #expect(text.contains("combining marks") && text.lowercased().contains("options: nosniff"), "\(text)")
            }
            let head = "HEAD /healthz?a=\(escaped) HTTP/1.1\r\nHost: localhost\r\n"
            let both = try await onThread {
                let connection = try RawConnection(port: port)
                connection.send(head + "\r\n" + head.replacing("HEAD", with: "GET") + "Connection: close\r\n\r\n")
                return connection.receive(until: "}")
            }
            #expect(both.ranges(of: "combining marks").count == 1, "the answer to HEAD has no body: \(both)")
            #expect(both.ranges(of: "HTTP/1.1 400").count == 2, "\(both)")
            // As many as scripts may need.
            let few = String(repeating: "%CC%81", count: 30)
            let field = "X-Note: e" + String(repeating: "\u{301}", count: 30) + "\r\n"
            #expect(try await answer("/healthz?a=e\(few)", field).hasPrefix("HTTP/1.1 200"))
            // Escapes of JSON are no marks here.
            let spelt = "%C3%A9" + String(repeating: "%5Cu0301", count: 31)
            #expect(try await answer("/healthz?a=\(spelt)").hasPrefix("HTTP/1.1 200"))
        }
    }

    // MARK: Values

    @Test(arguments: [Int(Int32.max) + 1, Int(Int32.min) - 1, Int.max, Int.min])
    func aPriorityIsANumberOfThirtyTwoBits(priority: Int) async throws {
        try await withClip { farm in
            var wide = submission("k")
            wide.priority = priority
            let refused = try await farm.post("/v1/jobs", wide, as: "editor")
            #expect(refused.status == 422 && refused.code == "invalid_request", "\(refused.text)")
            wide.priority = priority < 0 ? Int(Int32.min) : Int(Int32.max)
            #expect(try await farm.post("/v1/jobs", wide, as: "editor").status == 201)
        }
    }

    /// A number that this machine has no integer for is as wrong as one that the database has none for.
    @Test func aNumberBeyondEveryIntegerIsNotUnderstood() async throws {
        try await withClip { farm in
            let text = String(decoding: try WireJSON.encode(submission("k")), as: UTF8.self)
            for number in ["99999999999999999999", "1e300", "1.5"] {
                let body = text.replacing("\"priority\":0", with: "\"priority\":\(number)")
                let refused = try await farm.call("POST", "/v1/jobs", as: "editor", body: body)
                #expect(refused.status == 400 && refused.code == "invalid_request", "\(number): \(refused.text)")
                #expect(
                    refused.text.contains(#"/priority is"#) || refused.text.contains(#"\/priority is"#),
                    "\(refused.text)"
                )
            }
        }
    }

    /// The sentence says what is wrong with the text, and where a place is known.
    @Test(arguments: [
        (#"{"a": 1} x"#, "it is not JSON: invalid value around line 1, column 10."),
        ("{\"é\":\n \"日本\" 1}", "it is not JSON: invalid value around line 2, column 7."),
        ("{\"idempotencyKey\": \"b\nc\"}", "it is not JSON: unescaped control character around line 1, column 22."),
        (String(repeating: "[", count: 600), "it is not JSON: too many nested arrays or dictionaries around line 1"),
        (#"{"idempotencyKey": "\ud800"}"#, "expected low-surrogate code point but did not find one"),
        (#"{"a": "#, "it is not JSON: unexpected end of file during JSON parse."),
        ("", "it is not JSON: unexpected end of file during JSON parse."),
    ])
    func aBodyThatIsNoJSONIsLocated(body: String, sentence: String) async throws {
        try await withCoordinator { farm in
            let refused = try await farm.call("POST", "/v1/jobs", as: "editor", body: body)
            #expect(refused.status == 400 && refused.code == "invalid_request", "\(refused.text)")
            #expect(refused.text.contains(sentence), "\(refused.text)")
        }
    }

    /// What a client sent is not sent back to it whole.
    @Test func refusalsAreShort() async throws {
        try await withClip { farm in
            let text = String(decoding: try WireJSON.encode(submission("k")), as: UTF8.self)
            let digits = String(repeating: "9", count: 200_000)
            let number = text.replacing("\"priority\":0", with: "\"priority\":\(digits)")
            let name = text.replacing("\"assets\":{", with: "\"assets\":{\"\(digits)\":\"none\",")
            var zone = submission("k")
            zone.window = JobWindow(after: WallTime(minutes: 60), until: WallTime(minutes: 90), timeZone: digits)
            for body in [number, name, String(decoding: try WireJSON.encode(zone), as: UTF8.self)] {
                let refused = try await farm.call("POST", "/v1/jobs", as: "editor", body: body)
                #expect([400, 422].contains(refused.status) && refused.code == "invalid_request", "\(refused.status)")
                #expect(refused.text.utf8.count < 4000, "\(refused.text.utf8.count)")
            }
        }
    }

    /// The decoder would hold many times the bytes of such a body in memory.
    @Test func aBodyHasALimitOfValues() async throws {
        try await withCoordinator { farm in
            for path in ["/v1/jobs", "/v1/jobs:batch", "/v1/jobs:plan", "/v1/edits:read"] {
                let zeros = "{\"a\":[0" + String(repeating: ",0", count: 250_000) + "]}"
                let refused = try await farm.call("POST", path, as: "editor", body: zeros)
                #expect(refused.status == 422 && refused.text.contains("more than 250000 values"), "\(refused.text)")
                // Commas and brackets in a text count for nothing.
                let commas = "{\"a\":\"\\\"" + String(repeating: ",[{", count: 100_000) + "\"}"
                let other = try await farm.call("POST", path, as: "editor", body: commas)
                #expect(other.status == 400 && other.text.contains("has no"), "\(other.text)")
            }
        }
    }

    /// Each name is looked for in the database, whether the edit uses it or not; those of equal bytes once.
    @Test func namesOfAssetsAreLimited() async throws {
        let store = StalledStore()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            let path = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: path, as: "editor").status == 201)
            var order = submission("k")
            for number in 0..<19_999 { order.assets["n\(number)"] = ContentDigest(of: clip) }
            let looks = Mutex(0)
            store.beforeAsset.withLock { $0 = { looks.withLock { $0 += 1 } } }
            let planned = try await farm.post("/v1/jobs:plan", order, as: "editor")
            #expect(planned.status == 200, "\(planned.text)")
            #expect(looks.withLock(\.self) == 1)
            order.nested = ["x": NestedSubmission(file: "x", editText: "{}", assets: ["y": ContentDigest(of: clip)])]
            for path in ["/v1/jobs:plan", "/v1/jobs"] {
                let refused = try await farm.post(path, order, as: "editor")
                #expect(refused.status == 422 && refused.text.contains("names 20001 assets"), "\(refused.text)")
            }
        }
    }

    @Test func aWorkersSlotsAreANumberOfThirtyTwoBits() async throws {
        try await withCoordinator { farm in
            for slots in [0, -1, Int(Int32.max) + 1] {
                var registration = FarmPieces.registration
                registration.slots = slots
                let refused = try await farm.post("/v1/workers", registration)
                #expect(refused.status == 422 && refused.code == "invalid_request", "\(slots): \(refused.text)")
            }
        }
    }

    /// PostgreSQL ends a text at NUL: “k” and “k\0x” would be one key.
    @Test func noTextHasNUL() async throws {
        try await withClip { farm in
            var title = submission("t")
            title.title = "cut\0.json"
            for wrong in [submission("k\0x"), title] {
                let refused = try await farm.post("/v1/jobs", wrong, as: "editor")
                #expect(refused.status == 422 && refused.code == "invalid_request", "\(refused.text)")
            }
            var registration = FarmPieces.registration
            registration.name = "bench\0"
            #expect(try await farm.post("/v1/workers", registration).status == 422)
            let listed = try await farm.call("GET", "/v1/jobs?owner=editor%00x", as: "viewer")
            #expect(listed.status == 400 && listed.code == "invalid_request", "\(listed.text)")
            // A backslash before u0000 is text like any other.
            #expect(try await farm.post("/v1/jobs", submission(#"k\u0000"#), as: "editor").status == 201)
        }
    }

    /// The edit's own escapes become texts of tasks, which the database keeps as JSON. Nothing says so but the edit.
    @Test func noTextOfAnEditHasNUL() async throws {
        try await withClip { farm in
            let text = edit().replacing("\"edit/1\",", with: ##""edit/1", "title": "a\u0000b","##)
            let refused = try await farm.post("/v1/jobs", submission("k", text), as: "editor")
            #expect(refused.status == 422 && refused.code == "invalid_edit", "\(refused.text)")
            #expect(
                try refused.decode(Problem.self).findings?.contains { $0.message.contains("U+0000") } == true,
                "\(refused.text)"
            )
        }
    }

    @Test func aKeyBelongsToOneSubmission() async throws {
        try await withClip { farm in
            let first = try await farm.post("/v1/jobs", submission("k"), as: "editor")
            #expect(first.status == 201)
            #expect(try await farm.post("/v1/jobs", submission("k"), as: "editor").status == 200)
            var urgent = submission("k")
            urgent.priority = 1
            for other in [submission("k", edit(5)), urgent] {
                let refused = try await farm.post("/v1/jobs", other, as: "editor")
                #expect(refused.status == 409 && refused.code == "idempotency_conflict", "\(refused.text)")
            }
            #expect(try await farm.post("/v1/jobs", submission("k", edit(5)), as: "other").status == 201)
        }
    }

    // MARK: Framing

    /// A body whose end is not known: whatever follows would be taken for the next request.
    @Test(arguments: ["gzip", "identity", "chunked, gzip", "xchunked", "gzip, chunked"])
    func anEncodingThatIsNotUnderstoodIsRefused(encoding: String) async throws {
        try await withCoordinator { farm in
            let port = farm.port
            let head = "POST /v1/session HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            let smuggled = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"
            let answer = try await onThread {
                let connection = try RawConnection(port: port)
                connection.send(head + "Transfer-Encoding: \(encoding)\r\n\r\n" + smuggled)
                connection.finishSending()
                var all = ""
                while true {
                    let more = connection.receive()
                    if more.isEmpty { return all }
                    all += more
                }
            }
            #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "\(answer)")
            #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        }
    }

    /// The second request of such a connection could be somebody else's behind a proxy that reads the first otherwise, also
    /// where the first one has an end.
    @Test func nothingIsDoneBehindAnEncodingThatIsRefused() async throws {
        try await withCoordinator { farm in
            let digest = ContentDigest(of: clip)
            let head = "POST /v1/session HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            let body = "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            let smuggled =
                "PUT /v1/assets/\(digest.hex) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(farm.secret("editor"))\r\n"
                + "Content-Length: \(clip.count)\r\n\r\na clip"
            let answer = try await said(head + body + smuggled, to: farm.port)
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.ranges(of: "HTTP/1.1 ").count == 1, "\(answer)")
            #expect(try await farm.call("HEAD", "/v1/assets/\(digest.hex)", as: "editor").status == 404)
            // The same behind a request that is understood is carried out.
            let understood = head + body.replacing("gzip, ", with: "") + smuggled
            Task { [port = farm.port] in try await said(understood, to: port) }
            try await waitUntil { try await farm.call("HEAD", "/v1/assets/\(digest.hex)", as: "editor").status == 200 }
        }
    }

    /// Malformed chunks are the client's mistake: 503 would have it send them again.
    @Test(arguments: ["zz\r\nabc", "-5\r\nabc", "1FFFFFFFFFFFFFFFF\r\nabc", "2\r\n{}XX"])
    func malformedChunksAreRefused(chunks: String) async throws {
        try await withCoordinator { configuration, _ in
            configuration.limits.bodyWindow = .seconds(5)
        } _: { farm in
            var answers: [String] = []
            for path in ["/v1/jobs", "/v1/jobs:plan", "/v1/session"] {
                let head = "POST \(path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(farm.secret("editor"))\r\n"
                let fields = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                for _ in 0..<10 { answers.append(try await said(head + fields + chunks, to: farm.port)) }
            }
            // Once in hundreds of times Hummingbird tells nobody of the fault, and the connection is closed as one whose body
            // trickles.
            #expect(answers.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 400") }, "\(answers)")
            #expect(answers.contains { !$0.isEmpty })
        }
    }

    /// All that comes on a connection on which `text` is sent.
    private func said(_ text: String, to port: Int) async throws -> String {
        try await onThread {
            let connection = try RawConnection(port: port)
            connection.send(text)
            var all = ""
            while true {
                let more = connection.receive()
                if more.isEmpty { return all }
                all += more
            }
        }
    }

    /// Pages of other sites reach this host by names of their own.
    @Test func unknownHostsAreRefusedWhereTheKnownAreListed() async throws {
        try await withCoordinator { configuration, _ in
            configuration.allowedHosts = ["Farm.example", "127.0.0.1", "[::1]"]
        } _: { farm in
            for host in ["farm.example", "FARM.example:7411", "127.0.0.1:1", "[::1]", "[::1]:7411"] {
                let answer = try await farm.call("GET", "/v1/jobs", headers: ["Host: \(host)"])
                #expect(answer.status == 200, "\(host): \(answer.text)")
            }
            for host in ["evil.example", "farm.example.evil.example", "xfarm.example", "[::2]", "127.0.0.1.evil:1"] {
                let answer = try await farm.call("GET", "/v1/jobs", headers: ["Host: \(host)"])
                #expect(answer.status == 400 && answer.code == "bad_host", "\(host): \(answer.text)")
            }
        }
    }

    // MARK: Sessions

    @Test func signingOutEndsTheSession() async throws {
        try await withCoordinator { farm in
            let body = "{\"token\":\"\(farm.secret("editor"))\"}"
            func signIn() async throws -> (cookie: String, csrf: String) {
                let answer = try await farm.call("POST", "/v1/session", as: nil, body: body)
                let set = try #require(answer.headers["set-cookie"])
                let view = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
                return ("Cookie: " + String(set.prefix { $0 != ";" }), "X-CSRF-Token: \(view["csrf"] ?? "")")
            }
            let (session, other) = (try await signIn(), try await signIn())
            #expect(session.cookie != other.cookie, "two sessions of one second are two")
            let out = try await farm.call("DELETE", "/v1/session", as: nil, headers: [session.cookie, session.csrf])
            #expect(out.status == 204)
            for (method, path) in [("GET", "/v1/jobs"), ("GET", "/v1/session"), ("DELETE", "/v1/session")] {
                let answer = try await farm.call(method, path, as: nil, headers: [session.cookie, session.csrf])
                #expect(answer.status == 401, "\(method) \(path): \(answer.status)")
            }
            #expect(try await farm.call("GET", "/v1/jobs", as: nil, headers: [other.cookie]).status == 200)
        }
    }

    // MARK: Files of this host

    /// Whoever may register files must not learn what else there is on the coordinator's host.
    @Test func whateverIsOutsideTheRootsIsAnsweredAlike() async throws {
        try await withCoordinator { farm in
            let footage = farm.folder.path("footage")
            symlink("/etc", footage + "/etc")
            symlink("/no-such-file", footage + "/dangling")
            mkfifo(farm.folder.path("pipe"), 0o600)
            let outside = [
                "/etc/hostname", "/etc/no-such-file", "/no-such-folder/clip.mov", "/root/secret", "/etc", "/dev/zero",
                farm.folder.path("pipe"), footage + "/etc/hostname", footage + "/etc/no-such-file",
                footage + "/dangling", footage + "/../no-such-file", "/etc/hostname/below-a-file",
            ]
            for path in outside {
                let refused = try await farm.post("/v1/assets:register", ["path": path], as: "editor")
                #expect(refused.status == 422 && refused.code == "path_not_allowed", "\(path): \(refused.text)")
                #expect(
                    try refused.decode(Problem.self).detail
                        == "\(path) is in none of the folders this coordinator may read."
                )
            }
            let missing = try await farm.post("/v1/assets:register", ["path": footage + "/a/none.mov"], as: "editor")
            #expect(missing.code == "asset_unreadable", "\(missing.text)")
        }
    }

    // MARK: Clients that leave

    /// A client that goes away is no fault of the coordinator: nothing about it stands in the log as a warning or worse.
    @Test func clientsThatLeaveAreNoErrors() async throws {
        let log = KeptLog()
        try await withCoordinator { configuration, _ in
            configuration.logger = log.logger(.debug)
        } _: { farm in
            let data = Data(count: 32 << 20)
            let path = "/v1/artifacts/\(ContentDigest(of: data).hex)"
            _ = try await farm.upload(data, to: path)
            let (port, authorization) = (farm.port, "Authorization: Bearer \(farm.secret("worker"))\r\n")
            let requests = [
                "GET \(path) HTTP/1.1\r\nHost: h\r\n\(authorization)\r\n",
                "PUT \(path) HTTP/1.1\r\nHost: h\r\n\(authorization)Content-Length: 1000000\r\n\r\nabc",
                "PUT \(path) HTTP/1.1\r\nHost: h\r\n\(authorization)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                "POST /v1/workers HTTP/1.1\r\nHost: h\r\n\(authorization)Content-Type: application/json\r\n"
                    + "Content-Length: 100\r\n\r\n{",
                "GET /healthz HT", "nonsense\r\n\r\n",
            ]
            for request in requests {
                for isReset in [false, true] {
                    try await onThread {
                        let connection = try RawConnection(port: port)
                        connection.send(request)
                        if request.hasPrefix("GET /v1") { _ = connection.receive() }
                        if isReset { connection.resetAtClose() }
                    }
                }
            }
            // The next answers come after those requests have begun; their ends are awaited by what they leave behind.
            #expect(try await farm.call("GET", "/healthz", as: nil).status == 200)
            try await waitUntil { log.lines.count { $0.message == "answered" || $0.message == "client left" } >= 10 }
            // What the server says when it is stopped is no matter of clients.
            let loud = log.lines.filter { $0.level >= .warning }
            #expect(loud.isEmpty, "\(loud)")
        }
    }
}
