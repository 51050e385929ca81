import CompositionModel

/// Reads the `processors` of a segment, a track or the master.
struct ProcessorReader {
    let context: ReadingContext

    /// The processors in the order in which they work; those that could not be read are left out.
    func read(_ node: JSONNode?) -> [SoundProcessor] {
        guard let node else { return [] }
        guard case .array(let items) = node.value else {
            let one = if case .object = node.value { nil } else { EditObject.processor.form(around: node) } as String?
            let wanted = "a list of processors such as [{ \"processor\": \"reverb\" }]"
            context.wrongType(node, wanted: wanted, suggestion: one.map { "[\($0)]" })
            return []
        }
        guard items.count <= Limits.effects else {
            context.report(.numberRange, node.mark, "there are at most \(Limits.effects) processors in one place")
            return []
        }
        return items.compactMap { processor($0) }
    }

    private func processor(_ node: JSONNode) -> SoundProcessor? {
        if let (name, mark) = Self.keyedProcessor(node) {
            let suggestion = "\"processor\": \(JSONText.quoted(name.rawValue))"
            context.report(
                .unknownKey,
                mark,
                "a processor's name is the value of \"processor\"",
                suggestion: suggestion
            )
            return nil
        }
        guard let fields = context.fields(node, as: .processor),
            let name: Marked<SoundProcessor.Name> = context.word(fields["processor"], "processor")
        else { return nil }
        checkKeys(of: name.value, node)
        var processor = SoundProcessor(name.value)
        for parameter in name.value.parameters {
            let (key, quantity) = (parameter.key, parameter.quantity)
            let value = SoundQuantityReader(context: context).read(fields[key.name], quantity)
            if value != quantity.standard { processor.values[key] = value }
        }
        if name.value == .equalizer {
            processor.bands = EqualizerBandReader(context: context).read(fields["bands"], in: node)
        }
        if let after = context.text(fields["after"]) {
            if after.value == "volume" {
                processor.isAfterVolume = true
            } else {
                context.unknownValue(after, "place", known: ["volume"])
            }
        }
        return processor
    }

    /// `{ "reverb": { … } }`: the name as a key.
    private static func keyedProcessor(_ node: JSONNode) -> (SoundProcessor.Name, SourceMark)? {
        guard case .object(let members) = node.value, node["processor"] == nil else { return nil }
        let named = members.lazy.compactMap { member in
            SoundProcessor.Name(rawValue: member.key).map { ($0, member.keyMark) }
        }
        return named.first
    }

    /// A key that belongs to another processor would be ignored in silence.
    private func checkKeys(of name: SoundProcessor.Name, _ node: JSONNode) {
        guard case .object(let members) = node.value else { return }
        let own = name.parameters.map(\.key.name) + (name == .equalizer ? ["bands"] : [])
        for member in members where EditObject.processor.table.names.contains(member.key) {
            guard !["processor", "after"].contains(member.key), !own.contains(member.key) else { continue }
            let list = own.map(JSONText.quoted).joined(separator: ", ")
            let message = "\"\(name.rawValue)\" has no \"\(member.key)\", only \(list)"
            let nearest = Spelling.nearest(to: member.key, in: own)
            context.report(.unknownKey, member.keyMark, message, suggestion: nearest.map(JSONText.quoted))
        }
    }
}
