import CompositionModel

/// Reads lengths of titles: pixels, or hundredths of a side.
struct LengthReader {
    let context: ReadingContext

    /// One length along `axis`, within `range` pixels.
    func read(
        _ node: JSONNode?,
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ axis: PropertyForm.Axis
    ) -> EditQuantity? {
        node.flatMap {
            PropertyReader(context: context).quantity(
                $0,
                name,
                PropertyForm(count: 1, range: range, unit: .length([axis]))
            )
        }
    }

    /// Across and down; one length stands for both.
    func pair(_ node: JSONNode?, _ name: String, _ range: ClosedRange<Int64>) -> [EditQuantity]? {
        guard let node else { return nil }
        let form = PropertyForm(count: 2, range: range, unit: .length([.x, .y]))
        guard case .array(let items) = node.value else {
            return PropertyReader(context: context).quantity(node, name, form).map { [$0, $0] }
        }
        guard items.count == 2 else {
            context.wrongType(node, wanted: "\(name) as a length or a list of two")
            return nil
        }
        let lengths = items.compactMap { PropertyReader(context: context).quantity($0, name, form) }
        return lengths.count == 2 ? lengths : nil
    }
}
