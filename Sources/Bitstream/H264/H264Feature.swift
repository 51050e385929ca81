/// What a stream of H.264 uses beyond frames that refer to the last few others. Whoever copies pictures refuses what it
/// was not tried with, and says why.
package enum H264Feature: String, Hashable, Sendable, CaseIterable {
    case dataPartitioning
    case redundantPictures
    case auxiliaryPictures
    /// SVC: layers above the base (Annex F of the current edition).
    case scalableLayers
    /// MVC and 3D: views beside the base (Annexes G to I of the current edition).
    case views
    /// Slice groups: flexible macroblock ordering.
    case sliceGroups
    /// Slices whose first macroblocks do not grow: arbitrary slice order.
    case arbitrarySliceOrder
    /// SP and SI slices.
    case switchingSlices
    /// The SPS allows frame numbers to be left out.
    case frameNumGapsAllowed
    /// A frame number was left out.
    case frameNumGap
    /// A picture is or becomes a long-term reference, or one is referred to.
    case longTermReferences
    /// A picture is one field.
    case fieldPictures
    /// Pairs of macroblocks are coded as frame or field: MBAFF.
    case adaptiveFrameField
    /// Three planes that are coded apart.
    case separatePlanes
    /// NAL units of types 24 … 31, which the standard leaves open: Dolby Vision's metadata and enhancement layer.
    case unspecifiedUnits

    /// The feature's name, worded to end a sentence such as "The stream uses …".
    package var title: String {
        switch self {
        case .dataPartitioning: "data partitioning"
        case .redundantPictures: "redundant pictures"
        case .auxiliaryPictures: "auxiliary pictures"
        case .scalableLayers: "scalable layers (SVC)"
        case .views: "several views (MVC)"
        case .sliceGroups: "slice groups (FMO)"
        case .arbitrarySliceOrder: "arbitrary slice order (ASO)"
        case .switchingSlices: "switching slices"
        case .frameNumGapsAllowed: "frame numbers that may have gaps"
        case .frameNumGap: "a gap in its frame numbers"
        case .longTermReferences: "long-term references"
        case .fieldPictures: "field pictures"
        case .adaptiveFrameField: "macroblock-adaptive frame and field coding (MBAFF)"
        case .separatePlanes: "separate colour planes"
        case .unspecifiedUnits: "units that the standard leaves open (Dolby Vision)"
        }
    }
}
