/// Something that a worker must have to be granted tasks of a job: written `tag=room-2`, `memory=8GB` or
/// `encoder=libx265`.
package enum WorkerRequirement: Sendable, Hashable {
    /// The worker was started with this tag.
    case tag(String)
    /// The machine has at least this many bytes of memory.
    case memory(bytes: Int64)
    /// The worker's FFmpeg has this encoder, by the name of libavcodec.
    case encoder(String)

    /// The most requirements that one job may have.
    package static let most = 20

    /// Reads what people write; nil for anything else. Units of memory are MB, GB and TB (powers of 1000) and MiB, GiB and
    /// TiB (of 1024).
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let value = String(text[text.index(after: sign)...])
        switch text[..<sign] {
        case "tag":
            guard Self.isName(value) else { return nil }
            self = .tag(value)
        case "encoder":
            guard Self.isName(value) else { return nil }
            self = .encoder(value)
        case "memory":
            guard let bytes = Self.bytes(value) else { return nil }
            self = .memory(bytes: bytes)
        default: return nil
        }
    }

    /// The requirement as it is written, with memory in the largest unit in which it is whole.
    package var text: String {
        switch self {
        case .tag(let name): return "tag=\(name)"
        case .encoder(let name): return "encoder=\(name)"
        case .memory(let bytes):
            let unit = Self.units.last { bytes % $0.bytes == 0 } ?? ("B", 1)
            return "memory=\(bytes / unit.bytes)\(unit.name)"
        }
    }

    /// Whether a name is one of a tag: 1 to 64 letters, digits, `-`, `_` and `.`.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                    || [45, 46, 95].contains($0)
            }
    }

    /// The sentence about a text that is no requirement, without a full stop.
    package static func problem(_ text: String) -> String {
        "“\(text.visible)” is no requirement of a worker; write tag=NAME, memory=8GB or encoder=libx265"
    }

    private static let units: [(name: String, bytes: Int64)] = [
        ("B", 1), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("GiB", 1 << 30),
        ("TB", 1_000_000_000_000),
        ("TiB", 1 << 40),
    ]

    private static func bytes(_ text: String) -> Int64? {
        guard let unit = units.last(where: { text.hasSuffix($0.name) }) else { return nil }
        let digits = text.dropLast(unit.name.count)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits),
            number > 0
        else { return nil }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit.bytes)
        return isTooMuch ? nil : bytes
    }
}

extension WorkerRequirement: Codable {
    /// - Throws: `DecodingError` for a text that is no requirement.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let requirement = WorkerRequirement(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: WorkerRequirement.problem(text))
        }
        self = requirement
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
