extension MutablePlane {
    /// Sets every sample to the mean of itself and the `count` − 1 samples right of it, as far as the row goes.
    func averageForward(count: Int) {
        precondition(count >= 1)
        for y in 0..<height {
            let line = row(y)
            var sum = 0
            for x in 0..<min(count, width) { sum += Int(line[x]) }
            for x in 0..<width {
                let left = min(count, width - x)
                let own = Int(line[x])
                line[x] = UInt8(truncatingIfNeeded: (2 * sum + left) / (2 * left))
                sum -= own
                if x + count < width { sum += Int(line[x + count]) }
            }
        }
    }

    /// Blurs by two means over 2 × `radius` + 1 samples in each direction, the ends of rows and columns held on.
    /// - Parameters:
    ///   - radiusX: in this plane's samples, also a fraction.
    func softened(radiusX: Double, radiusY: Double) {
        let (across, down) = (Box(radius: radiusX, limit: width), Box(radius: radiusY, limit: height))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * max(width, height)) { buffer in
            guard let source = buffer.baseAddress else { return }
            let target = source + max(width, height)
            for y in 0..<height where !across.isNothing {
                across.mean(of: row(y), step: 1, into: source, count: width)
                across.mean(of: source, step: 1, into: row(y), count: width)
            }
            for x in 0..<width where !down.isNothing {
                for y in 0..<height { source[y] = base[y &* stride &+ x] }
                down.mean(of: source, step: 1, into: target, count: height)
                down.mean(of: target, step: 1, into: source, count: height)
                for y in 0..<height { base[y &* stride &+ x] = source[y] }
            }
        }
    }
}

/// A mean over 2r + 1 samples: whole ones in the middle, the outermost two by their part.
private struct Box {
    private let whole: Int
    /// The outermost samples' part, in 256ths.
    private let part: UInt32

    init(radius: Double, limit: Int) {
        let steps = Int((min(max(radius, 0), Double(limit)) * 256).rounded())
        whole = steps / 256
        part = UInt32(steps % 256)
    }

    var isNothing: Bool { whole == 0 && part == 0 }

    func mean(of source: UnsafePointer<UInt8>, step: Int, into target: UnsafeMutablePointer<UInt8>, count: Int) {
        let last = count - 1
        func sample(_ index: Int) -> UInt32 { UInt32(source[min(max(index, 0), last)]) }
        var sum: UInt32 = 0
        for index in -whole...whole { sum += sample(index) }
        let weight = UInt32(2 * whole + 1) * 256 + 2 * part
        for x in 0..<count {
            let ends = sample(x - whole - 1) + sample(x + whole + 1)
            target[x] = UInt8(truncatingIfNeeded: (sum * 256 + ends * part + weight / 2) / weight)
            sum = sum + sample(x + whole + 1) - sample(x - whole)
        }
    }
}
