/// Finds where sound begins suddenly (a click, a drum), and which frames may be taken so that each attack is in one of
/// them, near its middle, and at the ends of the others. Played fast, frames are taken so far from each other that what
/// lies between two of them would be lost, or heard twice.
struct AttackFinder {
    let hop: Int
    /// Samples by which a frame is shifted to go on as the one before it.
    let search: Int
    /// The most samples by which it is shifted to an attack.
    var room: Int { hop + search }

    /// - Parameters:
    ///   - samples: 2 × (hop + room), with a frame's own place in the middle.
    ///   - first: place in the source of the first of them, as they are played: every frame counts the same
    ///     milliseconds.
    ///   - distances: samples from the place of the frame before to this one's, and from this to the next one's; the
    ///     latter above 6/5 of `hop`.
    /// - Returns: within −room … room; half a hop wide, or 0 is in it: attacks of other frames are further away than
    ///   `far`.
    func shifts(in samples: [Double], first: Int64, distances: (before: Int, after: Int)) -> ClosedRange<Int> {
        let found = attacks(in: samples, first: first)
        // Each place belongs to one frame: the one that begins in the middle between two is the latter's.
        let own = max(distances.before / 2 - distances.before, -room)..<min(distances.after / 2, room + 1)
        if let loudest = found.filter({ own.contains($0.place) }).max(by: { $0.power < $1.power }) {
            return max(loudest.place - hop / 4, -room)...min(loudest.place + hop / 4, room)
        }
        // The window lets a third of what lies so far from its middle through.
        let far = hop * 3 / 5
        let low = found.filter { $0.place < 0 }.reduce(-search) { max($0, $1.place + far) }
        let high = found.filter { $0.place > 0 }.reduce(search) { min($0, $1.place - far) }
        return low <= high ? low...high : -search...search
    }

    /// Milliseconds with four times the power of each of the 15 before them: pulses of a voice follow each other
    /// faster.
    /// - Returns: the loudest millisecond of each, counted from the middle of `samples`.
    private func attacks(in samples: [Double], first: Int64) -> [(place: Int, power: Double)] {
        let length = hop / 20
        guard length > 0 else { return [] }
        let past = Int(first % Int64(length))
        let start = past == 0 ? 0 : past < 0 ? -past : length - past
        let powers = (0..<(samples.count - start) / length).map { block in
            power(samples, start + block * length..<start + (block + 1) * length)
        }
        var found: [(place: Int, power: Double)] = []
        var block = 5
        while block < powers.count {
            let before = powers[max(block - 15, 0)..<block].max() ?? 0
            guard powers[block] > 4 * before + 1e-9 * Double(length) else {
                block += 1
                continue
            }
            var top = block
            while top + 1 < min(powers.count, block + 4), powers[top + 1] > powers[top] { top += 1 }
            found.append((start + top * length + length / 2 - samples.count / 2, powers[top]))
            block = top + 5
        }
        return found
    }

    private func power(_ samples: [Double], _ range: Range<Int>) -> Double {
        range.reduce(0) { $0 + samples[$1] * samples[$1] }
    }
}
