import Foundation
import TestSupport

/// Movies of one track with other samples, or with several sample entries.
extension ISOMovie {
    /// The samples of the only track, in decode order.
    static func samples(of path: String) async throws -> [[UInt8]] {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let entries = ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path]
        let lines = try await Shell.run("ffprobe", entries).text.split(separator: "\n")
        return lines.compactMap { line in
            let numbers = line.split(separator: ",").compactMap { Int($0) }
            return numbers.count == 2 ? Array(file[numbers[1]..<numbers[1] + numbers[0]]) : nil
        }
    }

    /// Puts other samples in the place of those of the only track; there are as many as before.
    /// - Parameter counts: the samples of each sample entry, in order; each has a chunk of its own.
    mutating func setSamples(_ samples: [[UInt8]], counts: [Int]) {
        let start = boxes.prefix { $0.type != "mdat" }.reduce(8) { $0 + $1.bytes.count }
        guard let place = boxes.firstIndex(where: { $0.type == "mdat" }) else { return }
        boxes[place] = ISOBox("mdat", samples.flatMap(\.self))
        let four = { (number: Int) in ISOBox.big(UInt64(number), 4) }
        var (chunks, offsets): ([UInt8], [UInt8]) = ([0, 0, 0, 0], [0, 0, 0, 0])
        (chunks, offsets) = (chunks + four(counts.count), offsets + four(counts.count))
        var first = 0
        for (entry, count) in counts.enumerated() {
            chunks += four(entry + 1) + four(count) + four(entry + 1)
            offsets += four(start + samples[..<first].reduce(0) { $0 + $1.count })
            first += count
        }
        let sizes = [0, 0, 0, 0, 0, 0, 0, 0] + four(samples.count) + samples.flatMap { four($0.count) }
        changeTable { table in
            table.change(["stsz"]) { $0.content = sizes }
            table.change(["stsc"]) { $0.content = chunks }
            table.change(["stco"]) { $0.content = offsets }
        }
    }

    mutating func changeTable(_ change: (inout ISOBox) -> Void) {
        changeTrack(of: "vide") { $0.change(["mdia", "minf", "stbl"], change) }
    }

    /// The sample entries of the only track, as boxes.
    var sampleEntries: [UInt8] {
        let track = boxes.first { $0.type == "moov" }?.children.first { $0.isTrack(of: "vide") }
        return track?["mdia", "minf", "stbl", "stsd"].map { Array($0.content.dropFirst(8)) } ?? []
    }

    mutating func setSampleEntries(_ entries: [[UInt8]]) {
        changeTable { table in
            table.change(["stsd"]) { list in
                list.content = [0, 0, 0, 0] + ISOBox.big(UInt64(entries.count), 4) + entries.flatMap(\.self)
            }
        }
    }
}
