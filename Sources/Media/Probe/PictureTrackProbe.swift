import CLibAV
import CompositionModel
import Timing

/// Gathers one picture stream's packets and turns them into its facts and its index.
struct PictureTrackProbe {
    let facts: StreamFacts
    let streamIndex: Int
    let timeBase: RationalTime
    let pixelFormat: PixelFormat
    private let units: AccessUnitReader
    /// The reader of the coded pictures; nil for a codec of which none are copied.
    private var coded: (any CopyProbe)?
    private(set) var builder: PictureTrackBuilder
    /// How the picture is to be turned.
    var orientation: Orientation
    /// The field that comes first in its first picture; nil for a progressive one.
    var firstField: FieldOrder?

    /// - Throws: ``MediaError/limitExceeded(_:)`` or ``MediaError/unsupported(_:)``.
    init(_ facts: StreamFacts) throws(MediaError) {
        self.facts = facts
        streamIndex = Int(facts.stream.pointee.index)
        timeBase = try RationalTime(ratio: facts.stream.pointee.time_base)
        let (width, height) = (Int(facts.parameters.pointee.width), Int(facts.parameters.pointee.height))
        guard width > 0, height > 0 else {
            // FFmpeg tells no size of a picture of 2^28 pixels, margins included.
            throw .unsupported(
                "The size of the picture of stream \(streamIndex) is not known, or above 260 megapixels; make it "
                    + "smaller, or convert the file to H.264."
            )
        }
        guard (1...MediaLimits.dimension).contains(width), (1...MediaLimits.dimension).contains(height) else {
            throw .limitExceeded("The picture is \(width)×\(height); up to \(MediaLimits.dimension) a side are read.")
        }
        guard let format = PixelFormat(raw: AVPixelFormat(facts.parameters.pointee.format)), !format.isHardware else {
            throw .unsupported("The pixel format of stream \(streamIndex) is not known; convert the file to H.264.")
        }
        let hasAlpha = SourceCodec.addsAlpha(to: facts.stream)
        pixelFormat = hasAlpha ? PixelFormat(name: "yuva420p") ?? format : format
        orientation = facts.orientation
        units = AccessUnitReader(codec: facts.parameters.pointee.codec_id, extradata: facts.extradata)
        coded = facts.copyProbe()
        builder = PictureTrackBuilder(streamIndex: streamIndex, timeBase: timeBase)
    }

    /// - Throws: ``MediaError/limitExceeded(_:)`` after ``MediaLimits/packets``.
    mutating func add(_ packet: Packet) throws(MediaError) {
        guard builder.packets.count < MediaLimits.packets else {
            throw .limitExceeded("The file has more than \(MediaLimits.packets) pictures; cut it into shorter ones.")
        }
        let entry = FrameIndex.Entry(
            pts: packet.pts ?? packet.dts ?? 0,
            dts: packet.dts ?? packet.pts ?? 0,
            position: packet.raw.pointee.pos,
            isKey: packet.isKey,
            isEntryPoint: false,
            isDiscarded: packet.isDiscarded
        )
        let unit = units.read(packet.bytes, isKey: packet.isKey)
        coded?.add(packet)
        builder.add(entry, unit: unit, duration: packet.raw.pointee.duration, hasTime: packet.pts != nil)
    }

    var needsDecodeOrder: Bool { builder.missingTimes > 0 || builder.hasDoubleTimes }

    /// See ``PictureTrackBuilder/setTimes(_:isAnchored:)``.
    mutating func setTimes(_ times: [Int64?], isAnchored: Bool) { builder.setTimes(times, isAnchored: isAnchored) }

    /// See ``PictureTrackBuilder/shift(by:at:)``.
    mutating func shift(by shifts: [Int64], at borders: [Int64]) { builder.shift(by: shifts, at: borders) }

    /// A file of one picture.
    var isStill: Bool { facts.isPictureFile && builder.packets.count == 1 }

    /// Pts of the first shown picture; nil when there is none.
    var firstPts: Int64? { builder.shownTimes().first }

    /// - Parameter zero: the asset's zero in the file's seconds.
    func result(zero: RationalTime) throws(MediaError) -> (facts: VideoStreamFacts, index: FrameIndex) {
        do {
            let times = builder.shownTimes()
            let finder = FrameRateFinder(times: times, timeBase: timeBase)
            let constant = finder.constantRate(hints: hints(times))
            let origin = try zero.count(of: timeBase).value
            guard let index = builder.index(origin: origin, constantFrameDuration: constant?.frameDuration) else {
                throw MediaError.notMedia("No picture of stream \(streamIndex) can be decoded; convert the file.")
            }
            let rate = try constant ?? finder.averageRate() ?? FrameRate(25)
            return (try videoFacts(index, rate: rate, isVariable: constant == nil), index)
        } catch {
            throw (error as? MediaError)
                ?? .unsupported("Stream \(streamIndex) has impossible times; remux the file with ffmpeg -c copy.")
        }
    }

    /// A single picture's own duration is its rate.
    private func hints(_ times: [Int64]) -> [FrameRate] {
        guard times.count == 1, let duration = builder.firstDuration,
            let seconds = try? RationalTime(duration, of: timeBase),
            let rate = try? FrameRate(seconds.denominator, seconds.numerator)
        else { return facts.rateHints }
        return [rate] + facts.rateHints
    }

    private var copyRefusal: CopyRefusal? {
        firstField != nil ? .interlaced : facts.isDolbyVision ? .dolbyVision : nil
    }

    private func videoFacts(_ index: FrameIndex, rate: FrameRate, isVariable: Bool) throws -> VideoStreamFacts {
        let count = Int64(index.shown.count)
        return try VideoStreamFacts(
            streamIndex: streamIndex,
            codec: facts.codec,
            profile: facts.profile,
            width: Int(facts.parameters.pointee.width),
            height: Int(facts.parameters.pointee.height),
            pixelFormat: pixelFormat.name,
            pixelAspect: facts.pixelAspect,
            orientation: orientation,
            color: facts.color(format: pixelFormat, isStill: count == 1 && facts.isPictureFile),
            isColorGuessed: facts.isColorGuessed(format: pixelFormat) ? true : nil,
            firstField: firstField,
            timeBase: timeBase,
            frameRate: rate,
            isVariableRate: isVariable,
            frameTimes: isVariable ? index.shown.map { $0 - index.shown[0] } : nil,
            frameCount: count,
            hiddenFrameCount: Int64(builder.packets.count(where: \.isDiscarded)),
            copy: isStill ? nil : coded?.facts(index: index, refusal: copyRefusal),
            duration: isVariable
                ? RationalTime(index.endPts - index.shown[0], of: timeBase)
                : RationalTime(count, of: rate.frameDuration),
            keyframes: index.entryFrames(),
            language: facts.language,
            isDefault: facts.isDefault
        )
    }
}
