import CompositionModel
import Media

/// What a frame looks like so far: nothing but background, or a whole picture. Pictures are passed on by reference as
/// long as nothing is drawn over them.
enum Canvas {
    case background
    case picture(Picture)
    /// A picture that layers are being drawn into. It has one owner, who goes on with what drawing returns.
    case draft(MutablePicture)
}
