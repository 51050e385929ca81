/// Moves the place at which the clock of an MPEG stream begins anew back over the tables and headers that belong to the
/// new one: what reads from there needs them.
enum StreamBorder {
    /// Packets or bytes that are looked at.
    private static let patience = 64

    /// - Parameters:
    ///   - position: of a PES packet, as libavformat gives it.
    ///   - streams: the PIDs of a transport stream.
    static func moved(
        _ position: Int64,
        in source: any ByteSource,
        container: String,
        streams: Set<Int>
    )
        throws(MediaError) -> Int64
    {
        container == "mpegts"
            ? try beforeTables(position, source, streams) : try beforePackHeader(position, source)
    }

    /// ISO/IEC 13818-1, 2.4.3.2: packets of 188 bytes, in M2TS behind a clock of 4 bytes.
    private static func beforeTables(
        _ position: Int64,
        _ source: any ByteSource,
        _ streams: Set<Int>
    ) throws(MediaError) -> Int64 {
        for (size, lead) in [(Int64(188), 0), (192, 4)] {
            guard try head(at: position, lead, source) != nil, position >= size,
                try head(at: position - size, lead, source) != nil
            else { continue }
            var border = position
            for _ in 0..<patience where border >= size {
                guard let head = try head(at: border - size, lead, source) else { break }
                if streams.contains(Int(head[1] & 0x1F) << 8 | Int(head[2])) { break }
                border -= size
            }
            return border
        }
        return position
    }

    private static func head(at position: Int64, _ lead: Int, _ source: any ByteSource) throws(MediaError) -> [UInt8]? {
        let bytes = try source.bytes(at: position + Int64(lead), count: 3)
        return bytes.count == 3 && bytes[0] == 0x47 ? bytes : nil
    }

    /// ISO/IEC 13818-1, 2.5.3.3: a pack begins with 00 00 01 BA.
    private static func beforePackHeader(_ position: Int64, _ source: any ByteSource) throws(MediaError) -> Int64 {
        let start = max(0, position - Int64(4 * patience))
        let bytes = try source.bytes(at: start, count: Int(position - start))
        let place = bytes.indices.dropLast(3).last { bytes[$0..<$0 + 4].elementsEqual([0, 0, 1, 0xBA]) }
        return place.map { start + Int64($0) } ?? position
    }
}
