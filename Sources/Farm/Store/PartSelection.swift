/// Selects parts to remove.
package enum PartSelection: Sendable, Hashable {
    /// All.
    case all
    /// Those that were made by workers of this name.
    case madeBy(String)
    /// Those that were neither made nor taken for so many milliseconds.
    case unused(milliseconds: Int64)
    /// The least recently used, so that the others have no more bytes than this, as far as parts on which unfinished jobs
    /// count leave room for others. Parts of equal bytes count once, where the last used of them stands, and go together.
    case beyond(bytes: Int64)
}
