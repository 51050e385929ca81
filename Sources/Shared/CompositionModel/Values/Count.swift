/// Numbers of things, as messages write them.
public enum Count {
    /// `"1 frame"`, `"2 frames"`.
    /// - Parameter noun: in the singular, one that takes an s.
    public static func of(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)" + (number == 1 ? "" : "s")
    }
}
