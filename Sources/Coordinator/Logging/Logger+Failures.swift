import Logging

extension Logger {
    /// Warns that work which a service repeats has failed; nothing when the service is being stopped. Then its task is
    /// cancelled, and what it was waiting for fails by that: a store says that the database does not answer.
    func warnUnlessCancelled(_ message: Logger.Message, _ error: any Error) {
        if Task.isCancelled { return }
        warning(message, metadata: ["error": "\(error)"])
    }
}
