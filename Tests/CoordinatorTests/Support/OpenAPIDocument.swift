import Foundation

@testable import Coordinator

/// The document of the API, and what an answer says against it.
struct OpenAPIDocument {
    /// An operation: a method of an address.
    struct Operation {
        /// In capitals.
        let method: String
        /// The pattern of the address.
        let path: String
        let json: JSONText

        var name: String { "\(method) \(path)" }
        /// The documented statuses, as text; without `default`.
        var statuses: Set<String> { Set((json["responses"]?.object ?? [:]).keys).subtracting(["default"]) }
    }

    static let shared = Result { OpenAPIDocument(json: try JSONText(Data(EmbeddedFile.bytes("openapi.json")))) }

    let json: JSONText

    var operations: [Operation] {
        (json["paths"]?.object ?? [:]).flatMap { path, methods in
            methods.object.map { Operation(method: $0.key.uppercased(), path: path, json: $0.value) }
        }.sorted { $0.name < $1.name }
    }

    /// The value to which a reference leads, or the value itself.
    func resolved(_ value: JSONText?) -> JSONText? {
        guard let text = value?["$ref"]?.text else { return value }
        return text.split(separator: "/").dropFirst().reduce(json) { $0?[String($1)] }
    }

    /// The names of an operation's parameters of one kind.
    func parameters(of operation: Operation, in place: String) -> Set<String> {
        let all = operation.json["parameters"]?.list.compactMap(resolved) ?? []
        return Set(all.filter { $0["in"]?.text == place }.compactMap { $0["name"]?.text })
    }

    /// The operation that answers a request; nil for an address that is not of the API.
    func operation(_ method: String, at address: String) -> Operation? {
        let words = (address.split(separator: "?", maxSplits: 1).first ?? "").split(separator: "/")
        let fitting = operations.filter { operation in
            let pattern = operation.path.split(separator: "/")
            return operation.method == method && pattern.count == words.count
                && zip(pattern, words).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        // A word counts before a parameter: `init` is no position.
        return fitting.min { $0.path.filter { $0 == "{" }.count < $1.path.filter { $0 == "{" }.count }
    }

    /// The statuses that any operation may have without naming them: those of `default` and of the coordinator's limits.
    static let anywhere: Set<String> = ["400", "500", "503"]

    /// What is wrong with an answer of an operation, by the document; nil when nothing is.
    func complaint(about answer: HTTPAnswer, to operation: Operation) -> String? {
        let status = String(answer.status)
        let documented = operation.json["responses"]?[status]
        guard documented != nil || Self.anywhere.contains(status) else { return "\(status) is not documented" }
        guard operation.method != "HEAD", let response = resolved(documented ?? operation.json["responses"]?["default"])
        else { return nil }
        let type = answer.headers["content-type"].map { String($0.split(separator: ";")[0]) }
        guard let content = response["content"]?.object, !content.isEmpty else {
            return answer.body.isEmpty ? nil : "\(status) has a body, and none is documented"
        }
        guard let type, let entry = content[type] else { return "\(status) is \(type ?? "of no type")" }
        guard type.hasSuffix("json"), let schema = entry["schema"], answer.body.count < 1 << 18 else { return nil }
        guard let value = try? JSONText(answer.body) else { return "\(status) is no JSON" }
        return SchemaCheck(document: self).complaint(value, schema, at: "").map { "\(status): \($0)" }
    }
}
