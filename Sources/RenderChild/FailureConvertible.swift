import CompositionModel
import Media
import Rendering
import Titles

/// An error that already says what a farm needs to know: a code, a sentence, whether trying again can help.
protocol FailureConvertible: Error {
    var failure: Failure { get }
}

extension MediaError: FailureConvertible {}
extension RenderError: FailureConvertible {}
extension TitleError: FailureConvertible {}
