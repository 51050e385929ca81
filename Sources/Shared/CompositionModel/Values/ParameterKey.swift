/// The name of a parameter that a kind of ``PictureEffect`` or ``SoundProcessor`` has.
///
/// Keys are written by the names declared for their owner (`processor[.threshold]`): a misspelt one does not compile. A
/// document may hold any other name; it is kept, so that the document can be refused with that name
/// (``CompositionCheck``). As a key of a dictionary it is coded as a plain JSON key.
package struct ParameterKey<Owner>: Sendable, Hashable {
    /// The name as it stands in edits and compositions.
    package let name: String

    /// - Parameter name: A name declared by a key of `Owner`, or any name that a document holds.
    init(_ name: String) { self.name = name }
}

extension ParameterKey: CodingKeyRepresentable {
    package var codingKey: any CodingKey { name.codingKey }

    package init(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

extension ParameterKey: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
}
