public import CompositionModel

/// One file that an edit asks for.
public struct EditOutput: Sendable, Hashable {
    /// The name of a preset, not looked up yet.
    public var preset: Marked<String>
    /// The path of the file, relative to where the command runs; nil when the command line names it.
    public var file: Marked<String>?
    /// The part of the timeline that is rendered; nil is the whole.
    public var range: EditRange?
    /// The noise that is added to sound before it is rounded to integers; nil is none.
    public var dither: Marked<AudioEncoding.Dither>?
    /// The object of the output.
    public var mark: SourceMark
}
