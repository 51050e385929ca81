/// What a message is for: whether a copied picture keeps it, and whether it must change with the parameter sets.
package enum SEIKind: Hashable, Sendable {
    /// The state of the coded picture buffer; has a meaning only with the HRD of its SPS.
    case bufferingPeriod
    /// The times at which a picture is decoded and shown, its fields, and in H.264 timecode (``H264PictureTiming``).
    case pictureTiming
    /// A place where decoding may begin without an IDR picture.
    case recoveryPoint
    /// The parameter sets that are active (HEVC).
    case activeParameterSets
    /// Timing below a picture (HEVC).
    case decodingUnit
    /// Digests of the decoded picture (HEVC): wrong once a picture decodes to other samples.
    case pictureHash
    /// The program and settings that encoded the stream.
    case encoderSettings
    /// ITU-T T.35 with ATSC A/53 captions or AFD.
    case captions
    /// SMPTE timecode (HEVC; in H.264 it is in picture timing).
    case timecode
    /// HDR: static or dynamic metadata.
    case dynamicRange(DynamicRange)
    /// Two views in one frame.
    case framePacking
    case filmGrain
    /// Rotation and mirroring by the decoder.
    case displayOrientation
    /// Other data that are registered with ITU-T T.35.
    case registeredUserData
    /// Other data under a UUID.
    case unregisteredUserData
    case filler
    case other

    package enum DynamicRange: Hashable, Sendable {
        /// The display that the pictures were graded on (SMPTE ST 2086).
        case masteringDisplay
        /// The brightest sample and the brightest frame (CTA-861.3).
        case contentLight
        case ambientViewing
        /// The transfer characteristics that a player should prefer (HLG).
        case alternativeTransfer
        /// SMPTE ST 2094-40, HDR10+.
        case dynamicPlus
        /// Content colour volume.
        case contentColour
    }
}
