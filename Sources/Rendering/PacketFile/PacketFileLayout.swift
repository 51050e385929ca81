import Foundation

/// The constants of docs/packet-file.md.
enum PacketFileLayout {
    static let version: UInt16 = 1
    static let magic = Data("CUTPACK\n".utf8)
    static let endMagic = Data("CUTPEND\n".utf8)
    /// Magic, version, two zero bytes, byte count of the header.
    static let prefixByteCount = 16
    static let headerLimit = 1 << 20
    static let packetMark = UInt8(ascii: "P")
    static let summaryMark = UInt8(ascii: "S")
    /// Mark, flags, two zero bytes, byte count, decode index, display index, duration.
    static let packetPrefixByteCount = 32
    /// Position of the summary, digest of all before this, end magic.
    static let footerByteCount = 48
    static let keyFlag: UInt8 = 1
    /// No codec makes a larger packet of the sizes we render; a larger count is damage.
    static let packetLimit = 256 << 20
    /// Frames or samples of a file, either way from 0: sums of some such numbers are numbers.
    static let unitLimit: Int64 = 1 << 48
}

extension RenderError {
    /// Cannot be cured by reading again; the part must be rendered again.
    static func damagedPacketFile(_ what: String) -> RenderError {
        RenderError("packet_file_damaged", "A packet file is damaged: \(what); render this part again.")
    }

    static func file(_ doing: String, _ path: String, errno code: Int32) -> RenderError {
        let reason = String(cString: strerror(code))
        guard code == ENOSPC || code == EDQUOT else {
            return RenderError("file_failed", "Could not \(doing) “\(path)”: \(reason).")
        }
        return RenderError("no_space", "No space is left to write “\(path)”; free some and try again.")
    }
}
