/// What a parameter of an edit may hold.
enum ParameterType: String, Sendable, Hashable, CaseIterable {
    case asset, string, number, time, color
}
