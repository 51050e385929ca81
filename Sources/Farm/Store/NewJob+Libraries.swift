import Planning
import WireProtocol

extension NewJob {
    /// The job, to be rendered and joined by these versions of the libraries only: others may give other bytes, and a
    /// job may outlive an upgrade of the farm.
    package func pinned(to libraries: [String: String]) -> NewJob {
        var job = self
        for index in job.tasks.indices { job.tasks[index].payload = job.tasks[index].payload.pinned(to: libraries) }
        return job
    }
}

extension TaskPayload {
    fileprivate func pinned(to libraries: [String: String]) -> TaskPayload {
        switch self {
        case .picture(var task):
            task.libraries = libraries
            return .picture(task)
        case .sound(var task):
            task.libraries = libraries
            return .sound(task)
        case .stitch(var task):
            task.libraries = libraries
            return .stitch(task)
        case .stills(var task):
            (task.libraries, task.picture.libraries) = (libraries, libraries)
            return .stills(task)
        case .measure(var task):
            (task.libraries, task.sound.libraries) = (libraries, libraries)
            return .measure(task)
        }
    }
}
