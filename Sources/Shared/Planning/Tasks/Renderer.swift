/// The renderer's version, pinned in every task so that the bytes of two renderers never mix.
public enum Renderer {
    /// The version, raised only when the bytes that a task produces change. A worker of another version gets no task.
    public static let version = 6
}
