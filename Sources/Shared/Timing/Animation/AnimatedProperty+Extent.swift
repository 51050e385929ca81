extension AnimatedProperty {
    /// The largest absolute value that any of the numbers reaches at any time, in units, overshoots of eases included.
    /// The cost is one pass over the keys.
    package var largest: Double {
        var largest = 0.0
        for (index, key) in keys.enumerated() {
            for number in key.value { largest = max(largest, abs(Double(number))) }
            guard index + 1 < keys.count, key.ease.mayOvershoot else { continue }
            let reach = key.ease.reach
            for (first, second) in zip(key.value, keys[index + 1].value) {
                let (start, way) = (Double(first), Double(second) - Double(first))
                largest = max(largest, abs(start + way * reach.lowerBound), abs(start + way * reach.upperBound))
            }
        }
        return largest / 1_000_000
    }
}
