import Bitstream
import Foundation
import TestSupport

/// What libavcodec reads in a stream: its bitstream filter `trace_headers`, an independent reader.
enum TraceHeaders {
    /// The syntax elements of each NAL unit that it takes apart, in the stream's order.
    static func units(of path: String) async throws -> [[SyntaxElement]] {
        let command =
            "ffmpeg -nostdin -hide_banner -v trace -threads 1 -i '\(path)' -c copy -bsf:v trace_headers -f null - 2>&1 "
            + "| grep -a '^\\[trace_headers'"
        let text = try await Shell.run("sh", ["-c", command]).text
        var units: [[SyntaxElement]] = []
        var isPacket = false
        for line in text.split(separator: "\n") {
            guard let end = line.firstIndex(of: "]") else { continue }
            let words = line[line.index(after: end)...].split(separator: " ")
            // Parameter sets that the demuxer found are shown once more, as extradata.
            if words.first == "Packet:" || words.first?.hasPrefix("Packet") == true { isPacket = true }
            if words.first == "Extradata" { isPacket = false }
            guard isPacket, let element = element(words) else { continue }
            if element.position == 0 { units.append([]) }
            units[units.count - 1].append(element)
        }
        return units
    }

    /// `32  seq_parameter_set_id  1 = 0`; names have their indices behind them.
    private static func element(_ words: [Substring]) -> SyntaxElement? {
        guard words.count >= 5, words[words.count - 2] == "=", let position = Int(words[0]),
            let value = Int(words[words.count - 1])
        else { return nil }
        let name = words[1].prefix { $0 != "[" }
        return SyntaxElement(position: position, name: String(name), value: value, length: words[words.count - 3].count)
    }
}
