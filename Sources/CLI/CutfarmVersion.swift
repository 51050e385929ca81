/// The version of this program.
enum CutfarmVersion {
    /// The text that `cutfarm --version` prints.
    static let text = "0.1.0"
}
