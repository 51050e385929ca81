package import CompositionModel

/// One file that an edit asks for.
package struct EditOutput: Sendable, Hashable {
    /// The name of a preset, not looked up yet.
    package var preset: Marked<String>
    /// The path of the file, relative to where the command runs; nil when the command line names it.
    package var file: Marked<String>?
    /// The part of the timeline that is rendered; nil is the whole.
    package var range: EditRange?
    /// The noise that is added to sound before it is rounded to integers; nil is none.
    package var dither: Marked<AudioEncoding.Dither>?
    /// The asset that the preset `match` follows; nil leaves the choice to compiling.
    package var match: Marked<String>?
    /// The object of the output.
    package var mark: SourceMark
}
