/// Text in Prometheus' exposition format, version 0.0.4.
struct MetricsText {
    /// The media type of the format.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The kinds of metrics.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// The lines so far.
    private(set) var text = ""

    /// Begins a metric: its samples follow.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample of the metric that was begun last.
    /// - Parameter labels: the labels in the order in which they are written; values may hold anything.
    mutating func add(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
        let inner = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += name + (inner.isEmpty ? "" : "{\(inner)}") + " \(Self.number(value))\n"
    }

    /// A metric of one sample.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        add(name, [], value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }
}
