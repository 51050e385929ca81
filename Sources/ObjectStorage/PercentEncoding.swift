extension String {
    /// The text as AWS writes it in addresses: the UTF-8 bytes of all characters but `A–Z a–z 0–9 - . _ ~` as `%XX` in upper
    /// case (Signature Version 4, "UriEncode").
    /// - Parameter keepingSlashes: whether `/` stays, as in the path of an object.
    func percentEncoded(keepingSlashes: Bool = false) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            case UInt8(ascii: "/") where keepingSlashes: encoded.append(byte)
            default:
                encoded.append(UInt8(ascii: "%"))
                encoded.append(Self.hexDigits[Int(byte >> 4)])
                encoded.append(Self.hexDigits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

extension Sequence<UInt8> {
    /// Two digits in lower case for each byte.
    var hexText: String {
        String(decoding: flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static var digits: [UInt8] { Array("0123456789abcdef".utf8) }
}
