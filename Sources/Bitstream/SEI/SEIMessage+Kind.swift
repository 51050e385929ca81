extension SEIMessage {
    /// What the message is for, in H.264 and HEVC alike (ITU-T H.264, D.1.1; H.265, D.2.1).
    package var kind: SEIKind {
        switch type {
        case 0: .bufferingPeriod
        case 1: .pictureTiming
        case 3: .filler
        case 4: registeredKind
        case 5: isEncoderSettings ? .encoderSettings : .unregisteredUserData
        case 6: .recoveryPoint
        case 19: .filmGrain
        case 45: .framePacking
        case 47: .displayOrientation
        case 129: .activeParameterSets
        case 130: .decodingUnit
        case 132: .pictureHash
        case 136: .timecode
        case 137: .dynamicRange(.masteringDisplay)
        case 144: .dynamicRange(.contentLight)
        case 147: .dynamicRange(.alternativeTransfer)
        case 148: .dynamicRange(.ambientViewing)
        case 149: .dynamicRange(.contentColour)
        default: .other
        }
    }

    /// The UUID and the text behind it of user data without registration; nil for other messages.
    package var unregisteredData: (uuid: [UInt8], data: ArraySlice<UInt8>)? {
        guard type == 5, payload.count >= 16 else { return nil }
        return (Array(payload[..<16]), payload[16...])
    }

    /// The UUIDs of x264, x265 and libavcodec's hardware encoders; the text behind each is the encoder's settings.
    private static let encoders: Set<[UInt8]> = [
        // DC45E9BD-E6D9-48B7-962C-D820D923EEEF
        [0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF],
        // 2CA2DE09-B517-47DB-BB55-A4FE7FC2FC4E
        [0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC, 0x4E],
        // 59948B28-11EC-45AF-9675-19D41FEAA94D
        [0x59, 0x94, 0x8B, 0x28, 0x11, 0xEC, 0x45, 0xAF, 0x96, 0x75, 0x19, 0xD4, 0x1F, 0xEA, 0xA9, 0x4D],
    ]

    private var isEncoderSettings: Bool { unregisteredData.map { Self.encoders.contains($0.uuid) } ?? false }

    /// The kind of registered user data, which their country, their provider and the provider's own code tell: ATSC's
    /// `GA94` and `DTG1` (A/53 part 4, 6.2), HDR10+.
    private var registeredKind: SEIKind {
        if payload.starts(with: [0xB5, 0x00, 0x31]) {
            let identifier = payload.dropFirst(3).prefix(4)
            if identifier.elementsEqual("GA94".utf8) || identifier.elementsEqual("DTG1".utf8) { return .captions }
        }
        // SMPTE ST 2094-40: provider 0x003C, oriented code 1, application 4.
        if payload.starts(with: [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]) { return .dynamicRange(.dynamicPlus) }
        return .registeredUserData
    }
}
