import CompositionModel
import Timing

/// The packets of one stream of a file that are damaged, and are copied as they are.
struct ExportDamage {
    private(set) var count: Int64 = 0
    /// Seconds of the source.
    private var first: RationalTime?
    private var last: RationalTime?

    /// - Parameter time: source time of the packet; nil where it has none.
    mutating func add(at time: RationalTime?) {
        count += 1
        first = first ?? time
        last = time ?? last
    }

    /// The sentence that tells it; nil without damage.
    func words(file: String, stream: String) -> String? {
        guard count > 0 else { return nil }
        let packets = Count.of(count, "damaged packet")
        let place = first.map { first in
            guard let last, last != first else { return " at \(Self.seconds(first))" }
            return ", the first at \(Self.seconds(first)) and the last at \(Self.seconds(last))"
        }
        let copied = count == 1 ? "it is copied as it is" : "they are copied as they are"
        return
            "\(file): \(stream) has \(packets)\(place ?? ""); \(copied). Players may stop or be silent there; leave the "
            + "stream out with --without \(stream), or encode it with cutfarm render."
    }

    /// A time to the millisecond.
    static func seconds(_ time: RationalTime) -> String {
        let thousandths = (try? time.count(of: RationalTime(1, 1000)).value) ?? 0
        return TimeWords.seconds((try? RationalTime(thousandths, 1000)) ?? time)
    }
}
