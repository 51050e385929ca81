import Timing

/// The rule that fits a picture into the frame, with CSS's meaning of `object-fit`.
package enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
    case contain, cover, fill, none
}
