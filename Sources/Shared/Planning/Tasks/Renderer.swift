/// What renders: pinned in every task, so that bytes of two renderers never mix.
public enum Renderer {
    /// Raised only when the bytes that a task gives change; a worker of another version gets no task.
    public static let version = 6
}
