public import CompositionModel

/// One file that an edit asks for.
public struct EditOutput: Sendable, Hashable {
    /// A preset's name, not looked up yet.
    public var preset: Marked<String>
    /// Relative to where the command runs; nil when the command line names it.
    public var file: Marked<String>?
    /// On the timeline; nil is the whole.
    public var range: EditRange?
    /// Of what is rounded to integers; nil is none.
    public var dither: Marked<AudioEncoding.Dither>?
    public var mark: SourceMark
}
