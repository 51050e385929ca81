/// The share of a job's parts that a second machine renders again, in steps of a hundredth of a per cent. It is written
/// `2%` or `0.25%`.
package struct AuditShare: Sendable, Hashable, Comparable {
    /// Ten thousandths of the parts, 1 … 10,000.
    package let perTenThousand: Int

    /// Every part.
    package static let all = AuditShare(unchecked: 10_000)

    private init(unchecked perTenThousand: Int) { self.perTenThousand = perTenThousand }

    /// Makes a share; nil outside of 1 … 10,000.
    package init?(perTenThousand: Int) {
        guard (1...10_000).contains(perTenThousand) else { return nil }
        self.perTenThousand = perTenThousand
    }

    /// Reads what people write: a number of per cent with up to two decimals, and the sign `%`, which may be left out. Nil
    /// for anything else, for more than 100 %, and for none.
    package init?(_ text: String) {
        let number = (text.hasSuffix("%") ? text.dropLast() : text[...]).split(
            separator: ".",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard (1...2).contains(number.count), number.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }),
            number[0].count <= 3, let whole = Int(number[0])
        else { return nil }
        let decimals = number.count == 2 ? number[1] : "0"
        guard decimals.count <= 2, let hundredths = Int(decimals.count == 1 ? decimals + "0" : decimals) else {
            return nil
        }
        self.init(perTenThousand: whole * 100 + hundredths)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The share as people write it, such as `2%`.
    package var text: String {
        let (whole, hundredths) = (perTenThousand / 100, perTenThousand % 100)
        if hundredths == 0 { return "\(whole)%" }
        return hundredths % 10 == 0
            ? "\(whole).\(hundredths / 10)%" : "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths)%"
    }

    package static func < (left: AuditShare, right: AuditShare) -> Bool { left.perTenThousand < right.perTenThousand }
}

extension AuditShare: Codable {
    /// - Throws: `DecodingError` for a text that is no share.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let share = AuditShare(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: AuditShare.problem(text))
        }
        self = share
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The sentence about a text that is no share.
    package static func problem(_ text: String) -> String {
        "“\(text.visible)” is no share of parts to audit; write it as 2%, from 0.01% to 100%"
    }
}
