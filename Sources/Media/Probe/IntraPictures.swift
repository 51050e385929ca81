import Bitstream
import CLibAV
import CompositionModel
import Foundation
import Timing

/// Reads the headers of pictures that are coded by themselves: ProRes, DNxHD and Motion JPEG. A copy of them may begin and
/// end at any frame.
struct IntraPictures: CopyProbe {
    private enum Unit {
        /// The position in ``headers``.
        case header(Int)
        case refused(CopyRefusal)
    }

    private let codec: AVCodecID
    private let tag: String?
    private let profile: Int32
    private let pixelFormat: String
    private var units: [Unit] = []
    /// The distinct headers, in order of first use.
    private var headers: [IntraPictureHeader] = []
    private var numbers: [IntraPictureHeader: Int] = [:]

    /// - Returns: nil for other codecs, for variants of them whose data are none of these pictures, and for still pictures.
    init?(_ facts: StreamFacts) {
        let parameters = facts.parameters.pointee
        guard let format = PixelFormat(raw: AVPixelFormat(parameters.format)),
            let tag = Self.tag(parameters)
        else { return nil }
        codec = parameters.codec_id
        self.tag = tag.isEmpty ? nil : tag
        profile = parameters.profile
        pixelFormat = format.name
    }

    /// The tag that the sample entry of a copy has; empty where its writer knows it, nil where nothing is copied.
    private static func tag(_ parameters: AVCodecParameters) -> String? {
        let own = fourCharacters(parameters.codec_tag)
        switch parameters.codec_id {
        case AV_CODEC_ID_PRORES:
            // MXF names the profile alone.
            let all = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"]
            if all.contains(own) { return own }
            return all.indices.contains(Int(parameters.profile)) ? all[Int(parameters.profile)] : nil
        case AV_CODEC_ID_DNXHD: return ""
        // Others, such as Avid's, turn pictures over or have tables of their own.
        case AV_CODEC_ID_MJPEG: return ["", "jpeg", "mjpg", "MJPG", "mp4v"].contains(own) ? "" : nil
        default: return nil
        }
    }

    private static func fourCharacters(_ tag: UInt32) -> String {
        guard tag != 0 else { return "" }
        return String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }, as: UTF8.self)
    }

    mutating func add(_ packet: Packet) {
        guard !packet.isCorrupt else { return units.append(.refused(.damaged)) }
        do throws(BitstreamError) {
            let header = try header(packet.bytes)
            if header.isInterlaced { return units.append(.refused(.interlaced)) }
            if header.hasAlpha { return units.append(.refused(.alpha)) }
            units.append(.header(number(of: header)))
        } catch {
            units.append(.refused(.unreadable))
        }
    }

    /// The bytes of a packet in which its header is looked for: JPEG may have pictures of its own before it.
    private static let mostHeaderBytes = 1 << 18

    private func header(_ bytes: UnsafeRawBufferPointer) throws(BitstreamError) -> IntraPictureHeader {
        switch codec {
        case AV_CODEC_ID_PRORES: try IntraPictureHeader(proRes: Array(bytes.prefix(64))[...])
        case AV_CODEC_ID_DNXHD: try IntraPictureHeader(dnxhd: Array(bytes.prefix(64))[...])
        default: try IntraPictureHeader(jpeg: Array(bytes.prefix(Self.mostHeaderBytes))[...])
        }
    }

    private mutating func number(of header: IntraPictureHeader) -> Int {
        if let known = numbers[header] { return known }
        headers.append(header)
        numbers[header] = headers.count - 1
        return headers.count - 1
    }

    func facts(index: FrameIndex, refusal: CopyRefusal?) -> CopyFacts {
        if let refusal { return .none(refusal) }
        guard let forms = try? headers.map({ try form(of: $0) }) else { return .none(.unreadable) }
        var facts = CopyFacts(forms: forms, stretches: [], obstacles: [])
        var expected: Int64 = 0
        for (number, unit) in zip(index.frameNumbers(), units) {
            // Pictures that are not shown keep no others from being copied.
            guard let number else { continue }
            defer { expected = max(expected, number + 1) }
            guard number == expected else {
                facts.refuse(.order, min(number, expected))
                continue
            }
            switch unit {
            case .refused(let reason): facts.refuse(reason, number)
            case .header(let form): facts.append(number, form)
            }
        }
        return facts
    }

    private func form(of header: IntraPictureHeader) throws -> CodedForm {
        CodedForm(
            configuration: try IntraConfiguration(tag: tag, profile: profile, pixelFormat: pixelFormat, header)
                .encoded(),
            profile: 0,
            level: 0,
            chromaFormat: header.chromaFormat,
            bits: header.bits,
            size: PictureSize(width: header.width, height: header.height)
        )
    }
}

extension CopyFacts {
    /// Adds a frame at which a copy may begin and behind which it may end.
    fileprivate mutating func append(_ frame: Int64, _ form: Int) {
        if stretches.last?.frames.end != frame || stretches.last?.form != form {
            let none = FrameRange(start: frame, count: 0)
            stretches.append(CopyStretch(frames: none, form: form, entries: FrameSet(), ends: FrameSet()))
        }
        // In place: long stretches have large sets.
        let last = stretches.count - 1
        let place = frame - stretches[last].frames.start
        stretches[last].entries.insert(place)
        stretches[last].ends.insert(place + 1)
        stretches[last].frames = FrameRange(start: stretches[last].frames.start, count: place + 1)
    }
}
