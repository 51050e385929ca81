/// A profile of H.264 whose progressive pictures can be copied, and which the encoder makes (ITU-T H.264, A.2).
package enum H264Profile: String, Sendable, Hashable, Codable, CaseIterable {
    case baseline, main, high

    /// profile_idc.
    package var number: Int {
        switch self {
        case .baseline: 66
        case .main: 77
        case .high: 100
        }
    }

    /// The profile with this profile_idc; nil for one whose pictures are not copied.
    package init?(number: Int) {
        guard let profile = H264Profile.allCases.first(where: { $0.number == number }) else { return nil }
        self = profile
    }

    /// The profile's name in the standard.
    package var title: String {
        switch self {
        case .baseline: "Baseline"
        case .main: "Main"
        case .high: "High"
        }
    }
}
