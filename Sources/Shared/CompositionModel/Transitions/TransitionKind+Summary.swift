extension TransitionKind {
    /// The effect of the transition in one line.
    package var summary: String {
        switch self {
        case .dissolve: "the mean of both, more and more of the second"
        case .fadeThrough: "the first into a colour, the second out of it"
        case .push: "the second pushes the first out"
        case .slide: "the second slides over the first, which moves half as far"
        case .cover: "the second slides over the first"
        case .reveal: "the first slides away from over the second"
        case .zoom: "the first grows to four times its size; reversed: the second shrinks from there"
        case .blur: "a dissolve behind a blur that comes and goes"
        case .luma: "an edge that runs as the brightness of an asset's picture says, black first"
        default: wipeSummary ?? xfadeSummary
        }
    }

    private var wipeSummary: String? {
        switch self {
        case .wipe: "a straight edge"
        case .box: "a box out of a corner or the middle of a side"
        case .fourBoxes: "four boxes out of the corners"
        case .barnDoor: "two halves that open like doors"
        case .vee: "a wedge, point first"
        case .bowTie: "two wedges that meet"
        case .barnVee: "doors bent to a wedge"
        case .zigZag: "an edge with teeth"
        case .iris: "an outline that grows from the middle"
        case .clock: "hands of a clock, the first from a direction on"
        case .sweep: "a hand fixed in a corner or the middle of a side"
        case .fan: "two hands that part, from a side or the middle"
        case .doubleFan: "two fans back to back"
        case .blinds: "stripes that open together"
        case .checkerboard: "squares, every other one first"
        case .snake: "boxes line by line, to and fro"
        case .spiral: "boxes from a corner inwards"
        default: nil
        }
    }

    private var xfadeSummary: String {
        let name = xfadeName ?? rawValue
        let isNew = ["wind", "cover", "reveal"].contains { name.contains($0) }
        return "FFmpeg's xfade “\(name)”" + (isNew ? ", of version 6.1" : "")
    }

    /// The parameters with their defaults, such as `direction (left), ease`.
    package var parameterList: String {
        rule.keys.map { key in
            switch key {
            case "direction": "direction (\(rule.directions.first?.rawValue ?? ""))"
            case "shape": "shape (circle)"
            case "count":
                rule.count.map { "count \($0.range.lowerBound)–\($0.range.upperBound) (\($0.standard))" } ?? key
            case "color": "color (#000000)"
            default: key
            }
        }.joined(separator: ", ")
    }
}
