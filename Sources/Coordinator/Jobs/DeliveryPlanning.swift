import Farm
import Storage
import WireProtocol

/// Decides whether a movie may go where a submission says.
struct DeliveryPlanning: Sendable {
    let folders: OutputFolders

    /// Checks a submission before it is planned.
    /// - Returns: the place; nil when the movie is to be fetched.
    /// - Throws: ``Problem`` 422 `target_not_allowed` for a target that is malformed or in none of the output folders, and for
    ///   a job that makes no movie.
    @discardableResult
    func place(_ submission: JobSubmission) throws(Problem) -> OutputPlace? {
        guard let order = submission.delivery else { return nil }
        guard submission.product == .movie else {
            throw Self.refusal(
                "Stills and measurements go into no output folder; fetch them, and leave the delivery out."
            )
        }
        let target: OutputTarget
        do { target = try OutputTarget(order.to) } catch { throw Self.refusal(error.description) }
        guard let place = folders.place(target) else {
            let names = folders.names.map { "“\($0)”" }.joined(separator: ", ")
            throw Self.refusal(
                names.isEmpty
                    ? "This coordinator has no output folders; start it with --output-root FOLDER, or fetch the movie."
                    : "“\(target.root.visible)” is no output folder of this coordinator; it has \(names)."
            )
        }
        return place
    }

    /// Where the planned movie goes.
    /// - Throws: ``Problem`` as ``place(_:)``, and for a name with another ending than the movie's.
    func delivery(_ submission: JobSubmission, _ fileExtension: String) throws(Problem) -> NewDelivery? {
        guard let place = try place(submission) else { return nil }
        guard place.target.fileExtension == fileExtension else {
            let name = place.target.text
            throw Self.refusal("The movie is named .\(fileExtension), and the target \(name) is not; name it so.")
        }
        let replaces = submission.delivery?.replace ?? false
        return NewDelivery(target: place.target.text, replaces: replaces, isOccupied: !replaces && place.isOccupied)
    }

    private static func refusal(_ sentence: String) -> Problem { .unprocessable("target_not_allowed", sentence) }
}
