/// The form in which messages write numbers of things.
package enum Count {
    /// The number with its noun, such as `"1 frame"` or `"2 frames"`.
    /// - Parameter noun: The noun in the singular; its plural must end in s.
    package static func of(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)" + (number == 1 ? "" : "s")
    }
}
