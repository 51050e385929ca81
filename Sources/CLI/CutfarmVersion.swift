/// What `cutfarm --version` says.
enum CutfarmVersion {
    static let text = "0.1.0"
}
