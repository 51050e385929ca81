import Farm
import Foundation
import TestSupport
import Testing

@testable import Coordinator

/// The queries by which a cluster sets the number of workers, asked of a Prometheus that reads a coordinator's metrics.
@Suite struct ScalerQueryTests {
    @Test(.enabled(if: Prometheus.isInstalled, "Prometheus is missing: scripts/install-dependencies test"))
    func theQueriesCountWhatIsQueuedOrHeld() async throws {
        let queries = try [
            Self.query("autoscale-keda/scaler.yaml", after: "query: "),
            Self.query("autoscale-hpa/adapter-values.yaml", after: "metricsQuery: ")
                .replacingOccurrences(of: "<<.LabelMatchers>>", with: #"namespace="cutfarm""#),
        ]
        try await withCoordinator { configuration, _ in
            configuration.opensMetrics = true
        } _: { farm in
            let prometheus = try await Prometheus(farm)
            for (jobs, parts) in [(0, 0), (1, 5), (2, 95)] {
                if parts > 0 { _ = try farm.store.insertJob(FarmPieces.job(parts: parts)) }
                try await prometheus.wait(for: #"sum(cutfarm_jobs{state="queued"})"#, toBe: Double(jobs))
                let work = [0, 5, 100][jobs]
                for query in queries { try await prometheus.wait(for: query, toBe: Double(work)) }
            }
            // What a worker holds is still work: its pod must stay.
            let worker = try await farm.registerWorker()
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 7)).count == 7)
            try await prometheus.wait(for: "sum(cutfarm_leases)", toBe: 7)
            for query in queries { try await prometheus.wait(for: query, toBe: 100) }
        }
    }

    /// The rest of the line that begins with `words`, in a file of `docker/kubernetes`.
    private static func query(_ file: String, after words: String) throws -> String {
        let path = Programs.repository.appendingPathComponent("docker/kubernetes/" + file)
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix(words) })
        return String(line.dropFirst(words.count))
    }
}

/// A Prometheus that reads the metrics of a coordinator each second, ended when this goes away.
private struct Prometheus {
    private static let program = Programs.repository.appendingPathComponent(".build/prometheus/usr/bin/prometheus").path

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let process: RunningProgram
    private let address: String

    init(_ farm: RunningCoordinator) async throws {
        let (settings, log) = (farm.folder.path("prometheus.yml"), farm.folder.path("prometheus.log"))
        let text = """
            global: {scrape_interval: 1s}
            scrape_configs:
              - job_name: cutfarm
                static_configs: [{targets: ["127.0.0.1:\(farm.port)"], labels: {namespace: cutfarm}}]
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: settings))
        let arguments = [
            "--config.file=" + settings, "--storage.tsdb.path=" + farm.folder.path("prometheus"),
            "--web.listen-address=127.0.0.1:0",
        ]
        let process = try RunningProgram(Self.program, arguments, log: log)
        var address: String?
        try await waitUntil {
            let said = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
            address = said.first { $0.contains(#"msg="Listening on""#) }?.components(separatedBy: "address=").last
            return address != nil || process.hasEnded
        }
        (self.process, self.address) = (process, try #require(address, "Prometheus did not start"))
    }

    private struct Answer: Decodable {
        struct Samples: Decodable { var result: [Sample] }
        struct Sample: Decodable {
            var value: Double

            private enum Keys: CodingKey { case value }

            init(from decoder: any Decoder) throws {
                var pair = try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .value)
                _ = try pair.decode(Double.self)
                value = try #require(Double(pair.decode(String.self)))
            }
        }
        var data: Samples
    }

    /// Waits until `query` comes to `value`. Jobs and tasks are counted one after the other, and a scrape of a busy machine
    /// may fail: a single look proves nothing.
    func wait(for query: String, toBe value: Double) async throws {
        let request = ["-sS", "-G", "http://\(address)/api/v1/query", "--data-urlencode", "query=" + query]
        try await waitUntil {
            let answer = try await JSONDecoder().decode(Answer.self, from: Shell.run("curl", request).output)
            return answer.data.result.first?.value == value
        }
    }
}
