/// The renderer's version, pinned in every task so that the bytes of two renderers never mix.
package enum Renderer {
    /// The version, raised only when the bytes that a task produces change. A worker of another version gets no task.
    package static let version = 15
}
