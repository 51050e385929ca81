/// What a stream of HEVC uses beyond one layer of frames. Whoever copies pictures refuses what it was not tried with, and
/// says why.
package enum HEVCFeature: String, Hashable, Sendable, CaseIterable {
    /// nuh_layer_id above 0: MV-HEVC and SHVC.
    case layers
    /// NAL units of type 62: metadata of Dolby Vision.
    case dolbyVisionMetadata
    /// NAL units of type 63: an enhancement layer of Dolby Vision.
    case dolbyVisionEnhancement
    case longTermReferences
    /// field_seq_flag: each picture is a field.
    case fieldPictures
    case separatePlanes
    case screenContent
    /// Temporal sub-layers above the lowest.
    case temporalLayers

    /// The feature's name, worded to end a sentence such as "The stream uses …".
    package var title: String {
        switch self {
        case .layers: "several layers (MV-HEVC, SHVC)"
        case .dolbyVisionMetadata: "Dolby Vision metadata"
        case .dolbyVisionEnhancement: "a Dolby Vision enhancement layer"
        case .longTermReferences: "long-term references"
        case .fieldPictures: "field pictures"
        case .separatePlanes: "separate colour planes"
        case .screenContent: "screen content coding"
        case .temporalLayers: "temporal sub-layers"
        }
    }
}
