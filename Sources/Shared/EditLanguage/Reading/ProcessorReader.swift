extension EditReading {
    /// What the fields of a segment or a track say of its sound.
    mutating func sound(_ fields: EditFields) -> EditSound {
        var sound = EditSound()
        let form = PropertyForm(count: 1, range: -1...1, unit: .factor)
        sound.pan = fields["pan"].flatMap { property($0, "pan", form) }
        sound.balance = fields["balance"].flatMap { property($0, "balance", form) }
        sound.processors = processors(fields["processors"])
        return sound
    }

    /// `[1, 0]`, `[0, "none"]`, `[[0.5, 0.5], 1]`: a row for each channel of the edit.
    mutating func channelMap(_ node: JSONNode?) -> Marked<[[Int64]]>? {
        guard let node else { return nil }
        guard case .array(let items) = node.value else {
            wrongType(node, wanted: "a list of what each channel gets, such as [1, 0],")
            return nil
        }
        guard Limits.channels.contains(items.count) else {
            let message = "\"channels\" has an entry for each channel of the edit, 1 to \(Limits.channels.upperBound)"
            report(.numberRange, node.mark, "\(message), not \(items.count)")
            return nil
        }
        let rows = items.compactMap { channelRow($0) }
        return rows.count == items.count ? Marked(rows, node.mark) : nil
    }

    private mutating func channelRow(_ node: JSONNode) -> [Int64]? {
        switch node.value {
        case .string("none"): return []
        case .number:
            guard let channel = integer(node, in: 0...EditReading.sourceChannels - 1, of: "a channel's number") else {
                return nil
            }
            return Array(repeating: 0, count: channel.value) + [1_000_000]
        case .array(let items):
            guard (1...EditReading.sourceChannels).contains(items.count) else {
                let message = "an entry of \"channels\" has a gain for each channel of the source, 1 to "
                report(.numberRange, node.mark, "\(message)\(EditReading.sourceChannels), not \(items.count)")
                return nil
            }
            let gain = ProcessorParameter("a gain", .factor, -16...16, 1, "")
            let gains = items.compactMap { quantity($0, gain) }
            return gains.count == items.count ? gains : nil
        default:
            wrongType(node, wanted: "a channel's number from 0, \"none\", or a list of gains such as [0.5, 0.5],")
            return nil
        }
    }

    /// That a source may have.
    private static let sourceChannels = 64

    mutating func processors(_ node: JSONNode?) -> [SoundProcessor] {
        guard let node else { return [] }
        guard case .array(let items) = node.value else {
            let one = if case .object = node.value { nil } else { EditObject.processor.form(around: node) } as String?
            let wanted = "a list of processors such as [{ \"processor\": \"reverb\" }]"
            wrongType(node, wanted: wanted, suggestion: one.map { "[\($0)]" })
            return []
        }
        guard items.count <= Limits.effects else {
            report(.numberRange, node.mark, "there are at most \(Limits.effects) processors in one place")
            return []
        }
        return items.compactMap { processor($0) }
    }

    private mutating func processor(_ node: JSONNode) -> SoundProcessor? {
        if let (name, mark) = EditReading.keyedProcessor(node) {
            let suggestion = "\"processor\": \(JSONText.quoted(name.rawValue))"
            report(.unknownKey, mark, "a processor's name is the value of \"processor\"", suggestion: suggestion)
            return nil
        }
        guard let fields = fields(node, as: .processor),
            let name: Marked<SoundProcessor.Name> = word(fields["processor"], "processor")
        else { return nil }
        checkKeys(of: name.value, node)
        var processor = SoundProcessor(name.value)
        for parameter in name.value.parameters {
            guard let written = fields[parameter.name], let value = quantity(written, parameter),
                value != parameter.standard
            else { continue }
            processor.values[parameter.name] = value
        }
        if name.value == .equalizer { processor.bands = bands(fields["bands"], in: node) }
        if let after = text(fields["after"]) {
            if after.value == "volume" {
                processor.isAfterVolume = true
            } else {
                unknownValue(after, "place", known: ["volume"])
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
    private mutating func checkKeys(of name: SoundProcessor.Name, _ node: JSONNode) {
        guard case .object(let members) = node.value else { return }
        let own = name.parameters.map(\.name) + (name == .equalizer ? ["bands"] : [])
        for member in members where EditObject.processor.keys.contains(where: { $0.name == member.key }) {
            guard !["processor", "after"].contains(member.key), !own.contains(member.key) else { continue }
            let list = own.map(JSONText.quoted).joined(separator: ", ")
            let message = "\"\(name.rawValue)\" has no \"\(member.key)\", only \(list)"
            let nearest = Spelling.nearest(to: member.key, in: own)
            report(.unknownKey, member.keyMark, message, suggestion: nearest.map(JSONText.quoted))
        }
    }

    private mutating func bands(_ node: JSONNode?, in processor: JSONNode) -> [EqualizerBand] {
        let items = list(node)
        guard !items.isEmpty, items.count <= Limits.effects else {
            let message = "an equalizer has 1 to \(Limits.effects) bands"
            report(.missingKey, (node ?? processor).mark, message, suggestion: EditReading.exampleBand)
            return []
        }
        return items.compactMap { band($0) }
    }

    static let exampleBand =
        #""bands": [{ "band": "peak", "frequency": "1kHz", "gain": "3dB" }]"#

    private mutating func band(_ node: JSONNode) -> EqualizerBand? {
        guard let fields = fields(node, as: .equalizerBand),
            let kind: Marked<EqualizerBand.Kind> = word(fields["band"], "band")
        else { return nil }
        let frequency = ProcessorParameter("frequency", .hertz, 10...20_000, 1000, "")
        let gain = ProcessorParameter("gain", .decibels, -40...40, 0, "")
        let quality = ProcessorParameter("quality", .factor, 0.1...30, 0.707107, "")
        if let written = fields["gain"], [.notch, .bandPass].contains(kind.value) {
            report(.contradiction, written.mark, "a \(kind.value.rawValue) has no gain")
        }
        return EqualizerBand(
            kind.value,
            frequency: fields["frequency"].flatMap { quantity($0, frequency) } ?? frequency.standard,
            gain: fields["gain"].flatMap { quantity($0, gain) } ?? gain.standard,
            quality: fields["quality"].flatMap { quantity($0, quality) } ?? quality.standard
        )
    }

    mutating func duck(_ node: JSONNode?) -> EditDuck? {
        guard let node, let fields = fields(node, as: .duck), let under = text(fields["under"]) else { return nil }
        let by = ProcessorParameter("by", .decibels, -80...0, -12, "")
        let threshold = ProcessorParameter("threshold", .decibels, -100...0, -40, "")
        func time(_ name: String, _ standard: Double) -> ProcessorParameter {
            ProcessorParameter(name, .seconds, 0...30, standard, "")
        }
        func value(_ reading: inout EditReading, _ parameter: ProcessorParameter) -> Int64 {
            fields[parameter.name].flatMap { reading.quantity($0, parameter) } ?? parameter.standard
        }
        let duck = Duck(
            under: [],
            depth: -value(&self, by),
            attack: value(&self, time("attack", 0.3)),
            hold: value(&self, time("hold", 0.3)),
            release: value(&self, time("release", 0.6)),
            threshold: value(&self, threshold)
        )
        return EditDuck(under: under, duck: duck, mark: node.mark)
    }

    mutating func master(_ node: JSONNode?) -> EditMaster? {
        guard let node, let fields = fields(node, as: .master) else { return nil }
        var master = EditMaster(mark: node.mark)
        master.volume = volume(fields["volume"])
        master.processors = processors(fields["processors"])
        if let limiter = fields["limiter"], let fields = self.fields(limiter, as: .masterLimiter) {
            let ceiling = ProcessorParameter("ceiling", .decibels, -40...0, -1, "")
            master.ceiling = fields["ceiling"].flatMap { quantity($0, ceiling) } ?? ceiling.standard
        }
        master.loudness = loudness(fields["loudness"])
        return master
    }

    private mutating func loudness(_ node: JSONNode?) -> LoudnessTarget? {
        guard let node, let fields = fields(node, as: .masterLoudness) else { return nil }
        let target = ProcessorParameter("target", .loudness, -60 ... -5, -23, "")
        let peak = ProcessorParameter("truePeak", .truePeak, -40...0, -1, "")
        return LoudnessTarget(
            integrated: fields["target"].flatMap { quantity($0, target) } ?? target.standard,
            truePeak: fields["truePeak"].flatMap { quantity($0, peak) } ?? peak.standard
        )
    }

    /// A number with its unit, in millionths of it.
    mutating func quantity(_ node: JSONNode, _ parameter: ProcessorParameter) -> Int64? {
        guard let written = written(node, parameter) else { return nil }
        guard parameter.range.contains(written) else {
            let bounds =
                "from \(parameter.text(parameter.range.lowerBound)) to \(parameter.text(parameter.range.upperBound))"
            report(.numberRange, node.mark, "\(parameter.name) is \(bounds), not \(parameter.text(written))")
            return nil
        }
        if parameter.name == "order", !written.isMultiple(of: 1_000_000) {
            report(.numberRange, node.mark, "order is a whole number, not \(parameter.text(written))")
            return nil
        }
        return written
    }

    private mutating func written(_ node: JSONNode, _ parameter: ProcessorParameter) -> Int64? {
        if parameter.unit == .seconds { return seconds(node) }
        switch node.value {
        case .number(let text): if let number = FixedDecimal(signed: text) { return number.millionths }
        case .string(let text):
            let tidy = text.lowercased().filter { $0 != " " }
            for (suffix, factor) in parameter.unit.suffixes where tidy.hasSuffix(suffix) {
                let number = FixedDecimal(signed: tidy.dropLast(suffix.count))
                guard let (value, overflow) = number?.millionths.multipliedReportingOverflow(by: factor), !overflow
                else { break }
                return value
            }
        default: break
        }
        var suggestion: String?
        if case .string(let text) = node.value, let number = FixedDecimal(signed: text) {
            let quoted = JSONText.quoted(parameter.text(number.millionths))
            suggestion = parameter.unit.suffixes.isEmpty ? number.description : "without quotes, or \(quoted)"
        }
        wrongType(node, wanted: "\(parameter.name) as \(parameter.unit.example)", suggestion: suggestion)
        return nil
    }

    /// A time in seconds: a processor knows no frames.
    private mutating func seconds(_ node: JSONNode) -> Int64? {
        guard let time = time(node, .gap) else { return nil }
        guard case .seconds(let seconds) = time.value,
            let count = try? seconds.count(of: RationalTime(1, 1_000_000)).value
        else {
            report(.timeSyntax, node.mark, "this time is in seconds, as in \"0.2s\" or \"20ms\"")
            return nil
        }
        return count
    }
}

extension ProcessorParameter {
    /// `-20 dB`.
    fileprivate func text(_ millionths: Int64) -> String {
        let number = FixedDecimal(millionths: millionths).description
        return switch unit {
        case .seconds: number + " s"
        case .decibels: number + " dB"
        case .truePeak: number + " dBTP"
        case .loudness: number + " LUFS"
        case .hertz: number + " Hz"
        case .factor: number
        }
    }
}

extension ProcessorParameter.Unit {
    /// How it may end, and how many units that is.
    fileprivate var suffixes: [(String, Int64)] {
        switch self {
        case .decibels: [("db", 1)]
        case .truePeak: [("dbtp", 1), ("db", 1)]
        case .loudness: [("lufs", 1)]
        case .hertz: [("khz", 1000), ("hz", 1)]
        case .seconds, .factor: []
        }
    }

    fileprivate var example: String {
        switch self {
        case .seconds: "a time such as \"20ms\""
        case .decibels: "decibels such as \"-20dB\""
        case .truePeak: "decibels such as \"-1dBTP\""
        case .loudness: "a loudness such as \"-16LUFS\""
        case .hertz: "a frequency such as \"80Hz\" or \"2kHz\""
        case .factor: "a number"
        }
    }
}
