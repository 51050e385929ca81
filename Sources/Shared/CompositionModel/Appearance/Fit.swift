import Timing

/// How a picture is fitted into the frame, with CSS's meaning of `object-fit`.
public enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
    case contain, cover, fill, none
}
