import CompositionModel
package import Foundation
package import Planning

extension RenderPlan {
    /// The plan as ``WireJSON`` encodes it, made of one task after the other: JSONEncoder holds many times the bytes that
    /// it writes, and a plan may have a hundred megabytes of tasks.
    /// - Throws: `EncodingError`, which no plan causes; `CancellationError` as soon as the task is cancelled.
    package func document() throws -> Data {
        var head = self
        (head.segments, head.soundPieces, head.sound, head.soundRounds) = ([], [], nil, nil)
        let text = try WireJSON.encode(head)
        // What is left of the plan has no keys of these names, and text in quotation marks has none unescaped.
        guard let place = text.range(of: Data(#""segments":[],"soundPieces":[]"#.utf8)) else {
            return try WireJSON.encode(self)
        }
        var document = Data(text[..<place.lowerBound])
        try document.append(segments, called: "segments")
        if let sound { document += Data(#","sound":"#.utf8) + (try CanonicalJSON.foundation(sound)) }
        document.append(UInt8(ascii: ","))
        try document.append(soundPieces, called: "soundPieces")
        if let soundRounds {
            document += Data(#","soundRounds":["#.utf8)
            for (number, round) in soundRounds.enumerated() {
                if number > 0 { document.append(UInt8(ascii: ",")) }
                try document.append(round)
            }
            document.append(UInt8(ascii: "]"))
        }
        document += text[place.upperBound...]
        return document
    }
}

/// The most bytes that are reserved ahead for a list.
private let mostReserved = 128 << 20

extension Data {
    fileprivate mutating func append(_ values: [some Encodable], called name: String) throws {
        self += Data("\"\(name)\":".utf8)
        try append(values)
    }

    /// Appends a JSON array, of which one element is encoded at a time.
    fileprivate mutating func append(_ values: [some Encodable]) throws {
        append(UInt8(ascii: "["))
        for (number, value) in values.enumerated() {
            try Task.checkCancellation()
            if number > 0 { append(UInt8(ascii: ",")) }
            let element = try CanonicalJSON.foundation(value)
            // Most tasks are nearly equal in length; a list that grew by itself would hold up to twice its bytes. One task may
            // be of any length, though, and room for as many of its kind need not be there.
            if number == 1 {
                reserveCapacity(count + Swift.min((element.count + 16) * (values.count - 1), mostReserved))
            }
            self += element
        }
        append(UInt8(ascii: "]"))
    }
}
