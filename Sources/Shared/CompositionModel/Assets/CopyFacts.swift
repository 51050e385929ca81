package import Foundation
package import Timing

/// What is known of the coded pictures of a stream for copying them, packet by packet, into an output
/// (docs/copying.md).
package struct CopyFacts: Sendable, Hashable, Codable {
    /// The distinct parameter sets of the stretches, in order of first use.
    package var forms: [CodedForm]
    /// The frames that can be copied, in ascending stretches that share none.
    package var stretches: [CopyStretch]
    /// Why the first frames outside the stretches cannot be copied, one for each reason, in order of first occurrence.
    package var obstacles: [CopyObstacle]
    /// The mean quantiser of the P and B pictures in thousandths, each picture counted once (SliceQPY of ITU-T H.264,
    /// 7.4.3, SliceQpY of ITU-T H.265, 7.4.7.1); of the I pictures where there are no others. Nil when no slice could be read.
    package var quantiserThousandths: Int?
    /// The messages that pictures carry, in order of their kinds; nil when there are none.
    package var messages: [MessageFacts]?

    package init(
        forms: [CodedForm],
        stretches: [CopyStretch],
        obstacles: [CopyObstacle],
        quantiserThousandths: Int? = nil,
        messages: [MessageFacts]? = nil
    ) {
        self.quantiserThousandths = quantiserThousandths
        self.messages = messages
        self.forms = forms
        self.stretches = stretches
        self.obstacles = obstacles
    }
}

/// How pictures are coded: their parameter sets or, where each picture is coded by itself, what all their headers say.
package struct CodedForm: Sendable, Hashable, Codable {
    /// An AVCDecoderConfigurationRecord with all parameter sets for H.264 (ISO/IEC 14496-15, 5.3.3.1), an
    /// HEVCDecoderConfigurationRecord for HEVC (8.3.3.1), and what a sample entry needs for other codecs
    /// (`IntraConfiguration`).
    package var configuration: Data
    /// profile_idc of H.264, general_profile_idc of HEVC; 0 of other codecs.
    package var profile: Int
    /// level_idc of H.264: ten times the level's number; general_level_idc of HEVC: thirty times; 0 of other codecs.
    package var level: Int
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4 or RGB.
    package var chromaFormat: Int
    /// Bits of a sample, the larger number of luma and chroma.
    package var bits: Int
    /// The size of a frame in pixels as it is cropped.
    package var size: PictureSize

    /// The profile of pictures of H.264 that can stand in one track with others; nil when they cannot: in other profiles, and
    /// when they are not 4:2:0 of 8 bits.
    package var copiedProfile: H264Profile? { chromaFormat == 1 && bits == 8 ? H264Profile(number: profile) : nil }

    package init(configuration: Data, profile: Int, level: Int, chromaFormat: Int, bits: Int, size: PictureSize) {
        self.configuration = configuration
        self.profile = profile
        self.level = level
        self.chromaFormat = chromaFormat
        self.bits = bits
        self.size = size
    }
}

/// Consecutive shown frames of one form.
package struct CopyStretch: Sendable, Hashable, Codable {
    /// The shown frames of the stream; the first is an entry, or a leading picture of one (RADL of HEVC).
    package var frames: FrameRange
    /// The position in ``CopyFacts/forms``.
    package var form: Int
    /// The frames at which a copy may begin, counted from the first of the stretch: IDR pictures, and intra pictures of
    /// H.264 that can be rewritten as IDR pictures; of HEVC also CRA and BLA pictures; of intra codecs all.
    package var entries: FrameSet
    /// The frames before which a copy may end, counted from the first of the stretch: all packets up to one hold exactly
    /// the frames before it. The number of frames of the stretch is among them.
    package var ends: FrameSet

    package init(frames: FrameRange, form: Int, entries: FrameSet, ends: FrameSet) {
        self.frames = frames
        self.form = form
        self.entries = entries
        self.ends = ends
    }
}

/// The first place at which a reason keeps frames from being copied.
package struct CopyObstacle: Sendable, Hashable, Codable {
    package var reason: CopyRefusal
    /// A shown frame of the stream.
    package var frame: Int64

    package init(reason: CopyRefusal, frame: Int64) {
        self.reason = reason
        self.frame = frame
    }
}

/// Why coded pictures are not copied.
package enum CopyRefusal: String, Sendable, Hashable, Codable, CaseIterable {
    case codec, interlaced, noEntry, hidden, order, damaged, unreadable, parameterSetsChange, missingReference,
        numberingRestart, dolbyVision
    case dataPartitioning, redundantPictures, auxiliaryPictures, scalableLayers, views, sliceGroups
    case arbitrarySliceOrder, switchingSlices, frameNumGap, longTermReferences, fieldPictures, separatePlanes
    case alpha, layers, screenContent, skippedPictures

    /// The reason as the end of a sentence that begins "is encoded, because ".
    package var words: String {
        switch self {
        case .codec: "its codec cannot be copied yet"
        case .interlaced: "it is interlaced"
        case .noEntry: "no picture at which a copy can begin stands before it"
        case .hidden: "the edit list hides a picture that it needs"
        case .order: "its times do not follow its coding order"
        case .damaged: "a packet is damaged"
        case .unreadable: "its bitstream cannot be read"
        case .parameterSetsChange: "its parameter sets change within a group of pictures"
        case .missingReference: "it refers to a picture that is missing"
        case .numberingRestart: "its numbering begins anew without an IDR picture"
        case .dolbyVision: "it is Dolby Vision, or has units that the standard leaves open"
        case .dataPartitioning: "it uses data partitioning"
        case .redundantPictures: "it has redundant pictures"
        case .auxiliaryPictures: "it has auxiliary pictures"
        case .scalableLayers: "it has scalable layers (SVC)"
        case .views: "it has several views (MVC)"
        case .sliceGroups: "it uses slice groups (FMO)"
        case .arbitrarySliceOrder: "it uses arbitrary slice order (ASO)"
        case .switchingSlices: "it has switching slices"
        case .frameNumGap: "its frame numbers have a gap"
        case .longTermReferences: "it uses long-term references"
        case .fieldPictures: "its pictures are fields"
        case .separatePlanes: "its colour planes are coded apart"
        case .alpha: "it has alpha, through which the edit's background is seen"
        case .layers: "it has several layers (MV-HEVC, SHVC)"
        case .screenContent: "it uses screen content coding"
        case .skippedPictures: "pictures behind a broken link are never shown (RASL)"
        }
    }
}
