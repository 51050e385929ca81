import Foundation

/// A real object store on a free port of 127.0.0.1: OpenStack Swift with its interface of S3, ended when this goes away. The
/// keys `test:tester` / `testing` may do everything, `test:other` / `other` nothing in buckets of the first.
package final class ObjectServer: Sendable {
    /// The address of the service.
    package let url: String
    /// The port, for addresses in which a bucket is a part of the host's name: `http://BUCKET.s3.localhost:PORT`.
    package let port: UInt16
    /// The region that it says it is in.
    package static let region = "test-region-1"
    private let folder: TemporaryFolder
    private let process: RunningProgram

    /// Starts one.
    /// - Returns: nil where Swift is not installed, or no user attributes can be set on files; the reason is printed.
    package static func start() async throws -> ObjectServer? {
        let folder = try TemporaryFolder()
        let probe =
            "import os, swift.common.middleware.s3api; os.setxattr('\(folder.url.path)', 'user.test', b'1' * 2000)"
        let outcome = try await Shell.run("/usr/bin/python3", ["-c", probe])
        guard outcome.exitCode == 0 else {
            let why =
                outcome.errors.contains("ModuleNotFoundError") ? "python3 has no swift" : "no user attributes on files"
            print("skipped: \(why) (scripts/install-dependencies test)")
            return nil
        }
        return try await ObjectServer(folder)
    }

    private init(_ folder: TemporaryFolder) async throws {
        self.folder = folder
        let script = Programs.repository.appendingPathComponent("Tests/Oracles/object_server.py").path
        let said = folder.path("said")
        let process = try RunningProgram("/usr/bin/python3", [script, folder.path("store")], log: said)
        self.process = process
        var port: UInt16?
        try await waitUntil {
            let text = String(decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("port ") && text.hasSuffix("\n") }
            port = line.flatMap { UInt16($0.dropFirst(5)) }
            return port != nil || process.hasEnded
        }
        guard let port else {
            throw Shell.Failed(
                description: String(decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
            )
        }
        (self.port, url) = (port, "http://127.0.0.1:\(port)")
    }

    /// Makes a new bucket, with a client of others.
    /// - Returns: its name.
    package func bucket() async throws -> String {
        let name = "b" + UUID().uuidString.lowercased()
        let script = """
            import botocore.config, botocore.session, sys
            session = botocore.session.get_session()
            session.set_credentials("test:tester", "testing")
            style = botocore.config.Config(s3={"addressing_style": "path"})
            client = session.create_client("s3", region_name=sys.argv[1], endpoint_url=sys.argv[2], config=style)
            client.create_bucket(Bucket=sys.argv[3], CreateBucketConfiguration={"LocationConstraint": sys.argv[1]})
            """
        let outcome = try await Shell.run("/usr/bin/python3", ["-c", script, Self.region, url, name])
        guard outcome.exitCode == 0 else { throw Shell.Failed(description: "no bucket: \(outcome.errors)") }
        return name
    }

    /// Stops it, as a service does that takes connections and answers nothing.
    package func stall() { process.send(SIGSTOP) }

    /// Lets it go on.
    package func goOn() { process.send(SIGCONT) }

    /// The options of a coordinator by which it uses this service.
    package var options: [String] { ["--s3-endpoint", url, "--s3-region", Self.region] }

    /// The keys of a coordinator, as variables.
    package static let variables = ["AWS_ACCESS_KEY_ID=test:tester", "AWS_SECRET_ACCESS_KEY=testing"]
}
