import TestSupport

extension Collection<UInt8> {
    /// The mean squared difference of samples from those of another picture of the same size.
    func squaredError(from other: some Collection<UInt8>) -> Double {
        let sum = zip(self, other).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        return Double(sum) / Double(Swift.max(count, 1))
    }
}

extension StitchedMovie {
    /// The bytes of each frame in order of display.
    func packetSizes() async throws -> [Int] {
        let entries = [
            "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,size", "-of", "csv=p=0", path,
        ]
        let rows = try await Shell.run("ffprobe", entries).text.split(separator: "\n")
        let packets = rows.map { row in row.split(separator: ",").prefix(2).compactMap { Int($0) } }
        return packets.filter { $0.count == 2 }.sorted { $0[0] < $1[0] }.map { $0[1] }
    }
}
