import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import EditLanguage
@testable import Timing

@Suite struct EditSchemaTests {
    private let schema: [String: Any]

    init() throws {
        let value = try JSONSerialization.jsonObject(with: Data(EditSchema.text.utf8))
        schema = try #require(value as? [String: Any])
    }

    private func definition(_ object: EditObject) throws -> [String: Any] {
        let definitions = try #require(schema["$defs"] as? [String: Any])
        return try #require(definitions[object.rawValue] as? [String: Any])
    }

    /// Reader and schema know the same keys: the schema's are taken by the reader, all others refused.
    @Test(arguments: EditObject.allCases) func knowsTheKeysOfTheReader(object: EditObject) throws {
        let definition = try definition(object)
        let properties = try #require(definition["properties"] as? [String: Any])
        #expect(Set(properties.keys) == Set(object.keys.map(\.name)))
        #expect(definition["additionalProperties"] as? Bool == false)
        let required = try #require(definition["required"] as? [String])
        #expect(Set(required) == Set(object.keys.filter(\.isRequired).map(\.name)))
        for key in properties.keys {
            let context = ReadingContext()
            let member = JSONMember(key: key, keyMark: .nowhere, node: .flag(true))
            let fields = context.fields(JSONNode(value: .object([member]), mark: .nowhere), as: object)
            #expect(fields?[key] != nil)
            #expect(!context.findings.contains { $0.rule == "unknown-key" || $0.rule == "unsupported" })
        }
        #expect(Set(object.laterKeys).isDisjoint(with: properties.keys))
    }

    /// The sample of a complete edit writes every key of every object.
    @Test func theCompleteSampleIsComplete() throws {
        let root = try #require(JSONReader.read(SampleEdits.complete).root)
        var seen: Set<String> = []
        func walk(_ node: JSONNode) {
            if case .array(let items) = node.value { items.forEach(walk) }
            guard case .object(let members) = node.value else { return }
            for member in members {
                seen.insert(member.key)
                walk(member.node)
            }
        }
        walk(root)
        #expect(Set(EditObject.allCases.flatMap(\.keys).map(\.name)).subtracting(seen).isEmpty)
    }

    @Test func everyReferenceLeadsSomewhere() throws {
        let definitions = try #require(schema["$defs"] as? [String: Any])
        let references = EditSchema.text.matches(of: /"\$ref": "#\/\$defs\/([A-Za-z]+)"/).map { String($0.1) }
        #expect(references.count > 20)
        #expect(Set(references) == Set(definitions.keys))
    }

    /// The times that the schema allows are those that are read.
    @Test(arguments: SampleTimes.forms.map(\.0) + SampleTimes.wrong.map(\.0) + ["#120"])
    func itsPatternOfTimesIsTheReaders(text: String) throws {
        let definitions = try #require(schema["$defs"] as? [String: Any])
        let pattern = try #require((definitions["time"] as? [String: Any])?["pattern"] as? String)
        let isMatch = text.range(of: pattern, options: .regularExpression) == text.startIndex..<text.endIndex
        let isRead = (try? TimeText.read(text)) != nil
        // A denominator or sample rate of 0 is beyond a readable pattern.
        #expect(isMatch == isRead || text == "1/0" || text == "1@0", "\(text)")
    }

    /// The file in docs is what `cutfarm schema` prints.
    @Test func theFileIsUpToDate() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/edit-1.schema.json"
        )
        let file = try String(contentsOf: path.standardized, encoding: .utf8)
        #expect(file == EditSchema.text)
    }
}
