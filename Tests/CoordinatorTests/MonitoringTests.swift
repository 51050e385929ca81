import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// The files below docker/monitoring against what a coordinator exports.
@Suite struct MonitoringTests {
    private static let promtool = Programs.repository.appendingPathComponent(".build/prometheus/usr/bin/promtool").path
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docker/monitoring")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    /// What a coordinator exports after a part was accepted and an attempt failed: the names of labels by metric.
    private func exported() async throws -> [String: Set<String>] {
        var metrics: [String: Set<String>] = ["up": []]
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job(parts: 3))
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 2))
            let data = FarmPieces.part("segment")
            let completion = FarmPieces.completion(worker, data)
            _ = try await farm.upload(data, to: "/v1/artifacts/\(completion.artifact.hex)")
            _ = try await farm.post("/v1/attempts/\(try #require(grants.first).attempt)/complete", completion)
            let failure = TaskFailure(worker: worker, failure: Failure(code: "x", message: "x", isPermanent: false))
            _ = try await farm.post("/v1/attempts/\(try #require(grants.last).attempt)/fail", failure)
            for line in try await farm.call("GET", "/metrics", as: "viewer").text.split(separator: "\n") {
                guard let found = line.wholeMatch(of: /([a-z_]+)(\{(.*)\})? [^ ]+/) else { continue }
                let labels = (found.output.3 ?? "").matches(of: /([a-z]+)="/).map { String($0.output.1) }
                metrics[String(found.output.1), default: []].formUnion(labels)
            }
        }
        return metrics
    }

    /// Every metric that the files name is exported, with the labels by which it is selected.
    @Test(arguments: ["alerts.yaml", "alerts.test.yaml", "grafana-dashboard.json"])
    func everyMetricIsExported(file: String) async throws {
        let exported = try await exported()
        let text = try text(file).replacing(#"\""#, with: "\"")
        let named = text.matches(of: /\b((?:cutfarm|process)_[a-z_]+)\b(\{([^}]*)\})?/)
        #expect(named.count >= 20, "\(file) names metrics")
        // What Prometheus itself adds to what it scrapes.
        let added: Set<String> = ["job", "instance"]
        for found in named {
            let (metric, labels) = (String(found.output.1), found.output.3 ?? "")
            guard let known = exported[metric] else {
                Issue.record("\(file) names \(metric), which a coordinator does not export")
                continue
            }
            let wanted = labels.matches(of: /([a-z]+)(=|!=|=~|!~)"/).map { String($0.output.1) }
            #expect(Set(wanted).subtracting(known).subtracting(added) == [], "\(file): \(metric){\(labels)}")
        }
    }

    /// The table of docs/operations.md names every metric that a coordinator exports.
    @Test func everyMetricIsExplained() async throws {
        let guide = try String(
            contentsOf: Self.folder.appending(path: "../../docs/operations.md"),
            encoding: .utf8
        )
        for metric in try await exported().keys where metric.hasPrefix("cutfarm_") {
            let name = metric.replacing(/_(bucket|sum|count)$/, with: "")
            let isExplained = guide.contains("`\(name)")
            #expect(isExplained, "docs/operations.md does not explain \(name)")
        }
    }

    /// Grafana takes a panel with a title, a place of its own, and queries.
    @Test func theDashboardIsWhole() throws {
        let dashboard = try JSONText(Data(contentsOf: Self.folder.appending(path: "grafana-dashboard.json")))
        #expect(dashboard["title"]?.text == "Cutfarm" && dashboard["uid"]?.text == "cutfarm")
        let panels = dashboard["panels"]?.list ?? []
        #expect(panels.count >= 12)
        #expect(Set(panels.compactMap { $0["id"]?.number }).count == panels.count)
        var cells: Set<[Int]> = []
        for panel in panels {
            let title = panel["title"]?.text ?? ""
            #expect(!title.isEmpty)
            let place = ["x", "y", "w", "h"].map { Int(panel["gridPos"]?[$0]?.number ?? -1) }
            #expect(place[0] >= 0 && place[1] >= 0 && place[0] + place[2] <= 24, "\(title) lies beside the grid")
            for row in place[1]..<place[1] + max(0, place[3]) {
                for column in place[0]..<place[0] + max(0, place[2]) {
                    #expect(cells.insert([row, column]).inserted, "\(title) lies on another panel")
                }
            }
            let targets = panel["targets"]?.list ?? []
            #expect(!targets.isEmpty && targets.allSatisfy { $0["expr"]?.text?.isEmpty == false }, "\(title)")
        }
    }

    /// Each alert has a severity, says what happened, and what to do.
    @Test func everyAlertSaysWhatToDo() throws {
        let alerts = try text("alerts.yaml").components(separatedBy: "- alert: ").dropFirst()
        #expect(alerts.count >= 8)
        let tests = try text("alerts.test.yaml")
        for alert in alerts {
            let name = alert.prefix { !$0.isNewline }
            #expect(alert.contains(/severity: (critical|warning)/), "\(name)")
            #expect(alert.contains(/summary: \S/), "\(name)")
            let advice = alert.split(separator: "description: >-").dropFirst().first ?? ""
            #expect(advice.count > 100, "\(name) gives no advice")
            let fires = "alertname=\"\(name)\", alertstate=\"firing\""
            let isSeen = tests.contains(fires) || tests.contains("alertname: \(name)\n        exp_alerts:")
            #expect(isSeen, "\(name) is never seen to fire")
        }
    }

    /// Prometheus' own tool takes the rules, and they fire when they should.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: promtool),
            "promtool is missing: scripts/install-dependencies test"
        ),
        arguments: [["check", "rules", "alerts.yaml"], ["test", "rules", "alerts.test.yaml"]]
    )
    func promtoolAccepts(arguments: [String]) async throws {
        let command = "cd \"$0\" && \"$1\" \(arguments.joined(separator: " "))"
        let outcome = try await Shell.run("sh", ["-c", command, Self.folder.path, Self.promtool])
        #expect(outcome.exitCode == 0, "\(outcome.text) \(outcome.errors)")
    }
}
