import Bitstream
import CLibAV

/// Finds the first value that differs between the parameter sets of two streams, for messages.
struct ParameterSetDifference {
    /// A parameter set with the name of its kind.
    private typealias Named = (name: String, set: Any)

    private let sets: [Named]

    /// - Returns: nil for codecs other than H.264 and HEVC, and for a header that cannot be read.
    init?(_ codec: AVCodecID, header: [UInt8]) {
        switch codec {
        case AV_CODEC_ID_H264:
            let configuration = try? AVCConfiguration(header[...])
            let units = configuration.map { $0.sps + $0.pps } ?? AnnexB.units(of: header[...]).map(Array.init)
            var known = H264ParameterSets()
            for nal in units { guard (try? known.add(nal[...])) != nil else { return nil } }
            sets = Self.named("SPS", known.sps) + Self.named("PPS", known.pps)
        case AV_CODEC_ID_HEVC:
            let known = HEVCParameterSets(header: header)
            sets = Self.named("VPS", known.vps) + Self.named("SPS", known.sps) + Self.named("PPS", known.pps)
        default: return nil
        }
    }

    private static func named(_ kind: String, _ sets: [Int: some Any]) -> [Named] {
        sets.sorted { $0.key < $1.key }.map { ("\(kind) \($0.key)", $0.value) }
    }

    /// The difference of `other` as the end of a sentence that begins "has ": nil where none is found.
    /// - Parameter name: the file of these sets.
    func words(of other: ParameterSetDifference, from name: String) -> String? {
        let (own, others) = (sets.map(\.name), other.sets.map(\.name))
        guard own == others else {
            return
                "other parameter sets: \(others.joined(separator: ", ")), and \(own.joined(separator: ", ")) in \(name)"
        }
        for (one, two) in zip(sets, other.sets) {
            guard let found = Self.first("", one.set, two.set) else { continue }
            return "another value in \(one.name), of \(found.name): \(found.other), and \(found.own) in \(name)"
        }
        return nil
    }

    /// The first value that two values of one type hold differently.
    private static func first(
        _ name: String,
        _ own: Any,
        _ other: Any
    ) -> (name: String, own: String, other: String)? {
        guard "\(own)" != "\(other)" else { return nil }
        let parts = (Mirror(reflecting: own), Mirror(reflecting: other))
        if parts.0.displayStyle == .optional, let one = parts.0.children.first, let two = parts.1.children.first {
            return first(name, one.value, two.value)
        }
        if parts.0.displayStyle == .struct {
            for (one, two) in zip(parts.0.children, parts.1.children) {
                let label = words(one.label ?? "")
                if let found = first(name.isEmpty ? label : "\(name), \(label)", one.value, two.value) { return found }
            }
        }
        return (name, short(own), short(other))
    }

    /// A property's name in words: `maxReferenceFrames` is "max reference frames".
    private static func words(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            let begins = letter.isUppercase && words.last?.isUppercase != true && !words.isEmpty
            words += begins ? " " + letter.lowercased() : String(letter)
        }
    }

    private static func short(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { short($0.value) } ?? "none" }
        if mirror.displayStyle == .struct { return "some" }
        let text = "\(value)"
        return text.count < 40 ? text : "another list"
    }
}
