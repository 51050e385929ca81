extension SyntaxCoder {
    /// A flag that says whether a part is there. While reading, the place becomes nil or, when the part follows,
    /// what `first` makes.
    package mutating func presence<Part>(
        of part: inout Part?,
        _ name: StaticString,
        else first: @autoclosure () -> Part
    ) throws(BitstreamError) {
        var isPresent = part != nil
        try flag(&isPresent, name)
        if isReading { part = isPresent ? first() : nil }
    }

    /// The elements of an array, each by `code`.
    /// - Parameter first: what an element is before it is read.
    package mutating func list<Element>(
        _ list: inout [Element],
        count: Int,
        of first: @autoclosure () -> Element,
        _ name: StaticString,
        _ code: (inout SyntaxCoder, inout Element) throws(BitstreamError) -> Void
    ) throws(BitstreamError) {
        if isReading { list = [] }
        guard isReading || list.count == count else { throw error(.outOfRange(list.count), name) }
        for index in 0..<max(count, 0) {
            if isReading { list.append(first()) }
            try code(&self, &list[index])
        }
    }

    /// Whether more follows before the trailing bits (more_rbsp_data(), 7.2). Nothing is written.
    /// - Parameter isPresent: filled while reading.
    package func moreData(_ isPresent: inout Bool) { if isReading { isPresent = hasMoreData } }

    /// All bits up to the trailing ones.
    package mutating func rest(_ run: inout BitRun, _ name: StaticString) throws(BitstreamError) {
        if isReading { run = BitRun() }
        var index = 0
        while isReading ? hasMoreData : index < run.count {
            var bit = isReading ? 0 : run[index]
            try u(1, &bit, name)
            if isReading { run.append(bit) }
            index += 1
        }
    }

    /// rbsp_trailing_bits() (7.3.2.11). Zero bytes behind them are passed over and not written.
    package mutating func trailingBits() throws(BitstreamError) {
        guard !isReading || lastSetBit == position else { throw error(.badEnd, "rbsp_trailing_bits") }
        try fixed(1, 1, "rbsp_stop_one_bit")
        while !isAligned { try fixed(1, 0, "rbsp_alignment_zero_bit") }
    }
}
