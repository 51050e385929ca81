import Farm
import Hummingbird
import WireProtocol

extension JobFilter {
    /// The parameters of a query that the initialiser reads.
    static let parameters = ["owner", "state", "paused", "search", "id", "before", "limit"]

    /// Reads `?owner=&state=a,b&paused=&search=&id=&before=job_…&limit=`: pages go on by the last job of the page before; `id` is
    /// the beginning of an identifier.
    /// - Throws: status 400 for values that are not understood.
    init(_ request: Request) throws(Problem) {
        self.init()
        let query = request.uri.queryParameters
        owner = query["owner"].map(String.init)
        guard owner?.utf8.contains(0) != true else {
            throw .parameter("owner", owner ?? "", "a name without the character NUL")
        }
        for name in query["state"]?.split(separator: ",") ?? [] {
            guard let state = JobState(rawValue: String(name)) else {
                throw .parameter(
                    "state",
                    name,
                    JobState.allCases.map(\.rawValue).joined(separator: ", ") + ", or some of them with commas between"
                )
            }
            states.append(state)
        }
        if let text = query["before"] {
            guard let id = JobID(text: String(text)) else {
                throw .parameter("before", text, "the identifier of a job, as “id” of the last one of the page before")
            }
            before = id
        }
        search = query["search"].map(String.init)
        guard search?.utf8.contains(0) != true else {
            throw .parameter("search", search ?? "", "a part of a title, without the character NUL")
        }
        if let text = query["id"] {
            guard let range = JobID.beginning(with: String(text)) else {
                throw .parameter("id", text, "the beginning of a job's identifier: job_ and hexadecimal digits")
            }
            identifiers = range
        }
        if let text = query["paused"] {
            guard let flag = Bool(String(text)) else { throw .parameter("paused", text, "true or false") }
            isPaused = flag
        }
        if let number = try request.number("limit", in: 1...500) { limit = number }
    }
}
