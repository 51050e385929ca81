import Farm
import Storage
import WireProtocol

/// Decides whether a movie may go where a submission says.
struct DeliveryPlanning: Sendable {
    let folders: OutputFolders
    private let clock: any Clock<Duration>
    /// The thread on which each folder is looked at.
    private let threads: [String: FolderThread]

    /// The longest time that a submission waits for its folder's file system.
    static let longestLook: Duration = .seconds(5)

    /// - Parameter clock: the clock of ``longestLook``.
    init(folders: OutputFolders, clock: any Clock<Duration> = ContinuousClock()) {
        (self.folders, self.clock) = (folders, clock)
        threads = Dictionary(uniqueKeysWithValues: folders.names.map { ($0, FolderThread()) })
    }

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

    /// Looks whether a file lies where the movie goes; for one that replaces it nobody looks.
    /// - Throws: ``Problem`` as ``place(_:)``, and 409 `output_folder_silent` when the folder's file system does not
    ///   answer; `CancellationError`.
    func isOccupied(_ submission: JobSubmission) async throws -> Bool {
        guard submission.delivery?.replace != true, let place = try place(submission),
            let thread = threads[place.target.root]
        else { return false }
        do {
            return try await thread.run(within: Self.longestLook, on: clock) { place.isOccupied }
        } catch is FolderThread.NoAnswer {
            throw Problem.silentFolder(place.target.root)
        }
    }

    /// Where the planned movie goes.
    /// - Parameter isOccupied: whether a file lies there (``isOccupied(_:)``).
    /// - Throws: ``Problem`` as ``place(_:)``, and for a name with another ending than the movie's.
    func delivery(
        _ submission: JobSubmission,
        _ fileExtension: String,
        isOccupied: Bool
    ) throws(Problem) -> NewDelivery? {
        guard let place = try place(submission) else { return nil }
        guard place.target.fileExtension == fileExtension else {
            let name = place.target.text
            throw Self.refusal("The movie is named .\(fileExtension), and the target \(name) is not; name it so.")
        }
        return NewDelivery(
            target: place.target.text,
            replaces: submission.delivery?.replace ?? false,
            isOccupied: isOccupied
        )
    }

    private static func refusal(_ sentence: String) -> Problem { .unprocessable("target_not_allowed", sentence) }
}

extension Problem {
    /// The problem of a submission whose output folder's file system does not answer. It is no 503, which clients take
    /// for the whole farm's: other submissions may be accepted.
    fileprivate static func silentFolder(_ name: String) -> Problem {
        .conflict(
            "output_folder_silent",
            "The output folder “\(name)” does not answer, so that nobody knows what lies there; send the job again once it "
                + "does."
        )
    }
}
