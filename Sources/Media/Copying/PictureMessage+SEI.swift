import Bitstream
import CompositionModel

extension PictureMessage {
    /// The kind of a message that belongs to the pictures; nil for one that belongs to the file or its encoder.
    /// - Parameter sps: the SPS of the message's picture in H.264, whose picture timing may hold a timecode.
    init?(_ message: SEIMessage, _ sps: H264SPS? = nil) {
        switch message.kind {
        case .captions: self = .captions
        case .dynamicRange(.dynamicPlus): self = .dynamicRange
        case .dynamicRange, .displayOrientation: self = .display
        case .framePacking: self = .framePacking
        case .filmGrain: self = .filmGrain
        case .timecode: self = .timecode
        case .registeredUserData, .unregisteredUserData: self = .userData
        case .pictureTiming:
            guard let sps, let timing = try? H264PictureTiming(message.payload, .init(sps)),
                timing.timecodes.contains(where: { $0 != nil })
            else { return nil }
            self = .timecode
        default: return nil
        }
    }
}
