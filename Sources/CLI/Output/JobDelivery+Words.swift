import WireProtocol

extension JobDelivery {
    /// Where the movie goes, as a line for people.
    var words: String {
        let place = to.visible
        if delivered != nil { return "The movie lies at \(place)." }
        return problem.map { "The movie is not at \(place) yet: \($0.visible)" } ?? "The movie goes to \(place)."
    }
}
