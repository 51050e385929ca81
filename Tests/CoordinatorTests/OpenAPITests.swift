import Farm
import Foundation
import HTTPTypes
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// The document of the API against the routes, against docs/api.md, and against OpenAPI's own schema. That answers are as it
/// says is seen in every test that asks a coordinator (``RunningCoordinator/call(_:_:as:body:headers:extra:)``).
@Suite struct OpenAPITests {
    private let document: OpenAPIDocument

    init() throws { document = try OpenAPIDocument.shared.get() }

    @Test func everyRouteIsDescribedAndNoOther() throws {
        let routes = Set(try RegisteredRoutes.ofTheAPI().map { "\($0.method.rawValue) \($0.path)" })
        let described = Set(document.operations.map(\.name))
        #expect(routes.subtracting(described) == [], "routes that the document lacks")
        #expect(described.subtracting(routes) == [], "operations without a route")
    }

    /// The scopes, and the parameters of the address and its query, are those of the route.
    @Test func whatARouteNeedsIsDescribed() throws {
        for route in try RegisteredRoutes.ofTheAPI() {
            let method = route.method.rawValue
            guard let operation = document.operations.first(where: { $0.name == "\(method) \(route.path)" }) else {
                continue
            }
            #expect(document.parameters(of: operation, in: "query") == Set(route.query), "\(operation.name)")
            let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
            #expect(document.parameters(of: operation, in: "path") == Set(inPath.map(String.init)), "\(operation.name)")
            let security = try #require(operation.json["security"]?.list, "\(operation.name) says nothing of security")
            for way in security.flatMap(\.object.values) {
                #expect(Set(way.list.compactMap(\.text)) == Set(route.scopes.map(\.rawValue)), "\(operation.name)")
            }
            let isOpen = security.isEmpty || operation.path == "/v1/session"
            #expect(isOpen == route.scopes.isEmpty, "\(operation.name)")
            #expect(operation.statuses.contains("401") == !security.isEmpty || operation.name == "POST /v1/session")
        }
    }

    /// The statuses that a row of docs/api.md cannot leave out.
    private static let telling: Set<String> = ["201", "204", "303", "409", "410", "507"]

    @Test func theTableForPeopleHasTheSameRoutes() throws {
        let table = try APITable()
        #expect(Set(table.rows.flatMap(\.names)) == Set(document.operations.map(\.name)))
        for row in table.rows {
            let operations = document.operations.filter { row.names.contains($0.name) }
            for (name, query) in row.queries {
                let operation = try #require(operations.first { $0.name == name })
                #expect(document.parameters(of: operation, in: "query") == query, "\(name)")
            }
            let documented = operations.reduce(into: Set<String>()) { $0.formUnion($1.statuses) }
            let known = documented.union(OpenAPIDocument.anywhere).union(["200"])
            #expect(row.statuses.subtracting(known) == [], "only docs/api.md names them: \(row.names)")
            let missing = documented.intersection(Self.telling).subtracting(row.statuses)
            #expect(missing == [], "docs/api.md does not name them: \(row.names)")
        }
    }

    /// Nobody needs a token for the document.
    @Test func theDocumentIsServed() async throws {
        try await withCoordinator { farm in
            let answer = try await farm.call("GET", OpenAPIRoutes.path, as: nil)
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
            #expect(try JSONText(answer.body) == document.json)
            #expect(try await farm.call("HEAD", OpenAPIRoutes.path, as: nil).status == 200)
        }
    }

    /// What a route does not declare it does not see, whatever stands beside it.
    @Test func parametersThatARouteDoesNotReadAreNotSeen() async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            func count(_ path: String) async throws -> Int? {
                let answer = try await farm.call("GET", path, as: "viewer")
                return answer.status == 200 ? try JSONText(answer.body).list.count : nil
            }
            #expect(try await count("/v1/jobs?limits=0&x=%00&limit=1&=&&owner") == 0)
            #expect(try await count("/v1/jobs?limits=0&x=%00&limit=1&=&&owner=editor") == 1)
            #expect(try await count("/v1/jobs?x&limit=0&y=2") == nil)
            let summary = try await farm.call("GET", "/v1/jobs:summary?limit=0&before=x", as: "viewer")
            #expect(summary.status == 200)
            #expect(try await count("/v1/jobs/\(job)/tasks?position=0") == 3)
            #expect(try await count("/v1/jobs/\(job)/tasks?position=0&positions=0") == 1)
        }
    }

    /// The check of answers sees what is wrong with them.
    @Test(arguments: [
        ("GET", "/healthz", 200, #"{"status":"ok"}"#, true), ("GET", "/healthz", 200, #"{"status":1}"#, false),
        ("GET", "/healthz", 200, #"{"state":"ok"}"#, false), ("GET", "/healthz", 418, #"{}"#, false),
        ("GET", "/healthz", 200, #"{"status":"ok","more":1}"#, false), ("GET", "/healthz", 200, "[", false),
        ("POST", "/v1/assets:known", 200, #"{"digests":[]}"#, true),
        ("POST", "/v1/assets:known", 200, #"{"digests":["sha256:00"]}"#, false),
        ("GET", "/v1/jobs:summary", 200, #"{"failed":-1}"#, false),
        (
            "GET", "/v1/parts", 200,
            #"{"totals":{"count":0,"byteCount":0,"uses":0.5,"savedMilliseconds":0},"parts":[]}"#, false
        ),
    ]) func wrongAnswersAreSeen(method: String, path: String, status: Int, body: String, isRight: Bool) throws {
        let head = "HTTP/1.1 \(status) x\r\nContent-Type: application/json\r\n\r\n"
        let operation = try #require(document.operation(method, at: path))
        let complaint = document.complaint(about: try HTTPAnswer(Data((head + body).utf8)), to: operation)
        #expect((complaint == nil) == isRight, "\(complaint ?? "")")
    }

    /// PyPI's openapi-spec-validator has nothing to say about the document, and jsonschema finds the answers of a farm as it
    /// describes them.
    @Test func aValidatorOfOthersAcceptsDocumentAndAnswers() async throws {
        let oracle = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Oracles/openapi_check.py").path
        guard try await Shell.run("python3", [oracle]).exitCode != 3 else {
            print("skipped: python3 has no openapi-spec-validator (scripts/install-dependencies test)")
            return
        }
        try await withCoordinator { farm in
            let answers = try await OpenAPIWalk(farm: farm).answers()
            let folder = try TemporaryFolder()
            let file = URL(fileURLWithPath: folder.path("answers.json"))
            try JSONSerialization.data(withJSONObject: answers.map { ["name": $0.name, "body": $0.body] }).write(
                to: file
            )
            let path = URL(fileURLWithPath: folder.path("openapi.json"))
            try Data(EmbeddedFile.bytes("openapi.json")).write(to: path)
            let outcome = try await Shell.run("python3", [oracle, path.path, file.path])
            #expect(outcome.exitCode == 0, "\(outcome.text) \(outcome.errors)")
            #expect(outcome.text.contains("\(answers.count) answers"), "\(outcome.text)")
        }
    }
}
