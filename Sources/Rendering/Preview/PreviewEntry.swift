import Bitstream
import CompositionModel
import Foundation
import Media
import Timing
import WireProtocol

/// What the head of a track says of its samples.
struct PreviewEntry {
    /// The codec by its name in RFC 6381.
    let codec: String
    let ticksPerSecond: UInt32
    /// The size at which the picture is shown before it is turned; nil for sound.
    let shown: PictureSize?
    let raster: CodedRaster?
    /// The samples at the start of the sound that an edit list hides.
    let hiddenSamples: Int
    /// The sample entry (ISO/IEC 14496-12, 8.5.2).
    let description: Data

    /// - Throws: ``RenderError`` `preview_unsupported` for anything but H.264 of 8 bits and 4:2:0.
    init(picture part: PreviewPart, _ request: PreviewTrack) throws {
        let (video, size) = (part.video, part.video.size)
        guard video.codec == .h264 else { throw RenderError.notPlayed("\(video.codec.rawValue)") }
        let record = try AVCConfiguration(annexB: part.track.extradata)
        guard let format = record.format ?? AVCConfiguration.Format.main, [66, 77, 88, 100].contains(record.profile),
            (format.chromaFormat, format.lumaBits, format.chromaBits) == (1, 8, 8)
        else { throw RenderError.notPlayed("H.264 of more than 8 bits or 4:2:0") }
        // “avc3” says that parameter sets may stand among the samples (ISO/IEC 14496-15, 5.4.2.1).
        let name = request.bringsParameterSets ? "avc3" : "avc1"
        let numbers = [record.profile, record.constraints, record.level].map { UInt8(truncatingIfNeeded: $0) }
        codec = name + "." + numbers.map { String(format: "%02x", $0) }.joined()
        ticksPerSecond = try PreviewClock(video.frameRate).ticksPerSecond
        raster = request.raster
        let aspect = request.raster?.pixelAspect ?? RationalTime(whole: 1)
        shown = PictureSize(
            width: max(1, Int(Int64(size.width) * aspect.numerator / max(1, aspect.denominator))),
            height: size.height
        )
        hiddenSamples = 0
        let configuration = try record.record()
        var file = MediaBox()
        file.box(name) { entry in
            entry.zeros(6)
            entry.put(UInt16(1))
            entry.zeros(16)
            entry.put(UInt16(clamping: size.width))
            entry.put(UInt16(clamping: size.height))
            for _ in 0..<2 { entry.put(UInt32(72 << 16)) }
            entry.zeros(4)
            entry.put(UInt16(1))
            entry.zeros(32)
            entry.put(UInt16(24))
            entry.put(Int16(-1))
            entry.box("avcC") { $0.put(configuration) }
            guard aspect != RationalTime(whole: 1) else { return }
            entry.box("pasp") { box in
                box.put(UInt32(clamping: aspect.numerator))
                box.put(UInt32(clamping: aspect.denominator))
            }
        }
        description = file.data
    }

    /// - Throws: ``RenderError`` `preview_unsupported` for anything but AAC LC.
    init(sound: PacketFileHeader.AudioContent, _ header: Data) throws {
        guard sound.codec == .aac, let configuration = try? AACConfiguration([UInt8](header)[...]),
            configuration.objectType == 2, let rate = UInt32(exactly: sound.sampleRate)
        else { throw RenderError.notPlayed("sound in \(sound.codec.rawValue)") }
        codec = "mp4a.40.2"
        ticksPerSecond = rate
        (shown, raster) = (nil, nil)
        hiddenSamples = sound.priming
        var file = MediaBox()
        file.box("mp4a") { entry in
            entry.zeros(6)
            entry.put(UInt16(1))
            entry.zeros(8)
            entry.put(UInt16(clamping: sound.channels))
            entry.put(UInt16(16))
            entry.zeros(4)
            // A rate above 16 bits stands in the header of the codec alone.
            entry.put(rate <= 0xFFFF ? rate << 16 : 0)
            entry.fullBox("esds") { $0.putDecoder(header) }
        }
        description = file.data
    }
}

extension MediaBox {
    /// The descriptors of a stream of AAC (ISO/IEC 14496-1, 7.2.6).
    fileprivate mutating func putDecoder(_ header: Data) {
        func descriptor(_ tag: UInt8, _ body: Data) -> Data {
            // A length of four times seven bits.
            var length: [UInt8] = []
            for place in [3, 2, 1, 0] {
                let bits = UInt8(truncatingIfNeeded: body.count >> (7 * place)) & 0x7F
                length.append(place > 0 ? bits | 0x80 : bits)
            }
            return Data([tag] + length) + body
        }
        // Audio (5) of ISO/IEC 14496-3 (0x40), with buffer and bit rates unknown.
        let decoder = Data([0x40, 0x15]) + Data(count: 11) + descriptor(5, header)
        let stream = Data([0, 1, 0]) + descriptor(4, decoder) + descriptor(6, Data([2]))
        put(descriptor(3, stream))
    }
}

extension AVCConfiguration {
    /// - Parameter annexB: NAL units with start codes.
    init(annexB: Data) throws(BitstreamError) {
        var sets = H264ParameterSets()
        for nal in AnnexB.units(of: [UInt8](annexB)[...]) { try sets.add(nal) }
        try self.init(sets)
    }
}

extension AVCConfiguration.Format {
    /// What profiles have whose record does not say it.
    fileprivate static let main: AVCConfiguration.Format? = .init(chromaFormat: 1, lumaBits: 8, chromaBits: 8)
}
