import Bitstream
import CompositionModel
import Foundation
import Media
import WireProtocol

/// One part as one fragment of a track (ISO/IEC 14496-12, 8.8). Its times are those of the output:
/// ```
/// frame n of the output       n × ticks a frame; decoding counts the same ticks, in the order of the packets, so that
///                             fragments touch and none overlaps another
/// sample n of the sound       n + priming, of which the head's edit list hides the priming
/// ```
enum PreviewFragment {
    private struct Sample {
        var data: Data
        var duration: UInt32
        var isKey: Bool
        /// Presentation time less decoding time, in ticks.
        var offset: Int32 = 0
    }

    /// - Returns: the number of frames, or of samples per channel with the priming.
    /// - Throws: ``RenderError`` of the part, and `preview_unsupported`.
    static func write(_ request: PreviewTrack) throws -> Int64 {
        let reader = try PacketFileReader(path: request.part)
        let file: Data
        switch reader.header.content {
        case .video(let video):
            let clock = try PreviewClock(video.frameRate)
            let samples = try pictures(PreviewPart(path: request.part), clock, request)
            file = fragment(samples, at: UInt64(request.start) * UInt64(clock.ticksPerFrame))
        case .audio(let sound):
            var (samples, first): ([Sample], Int64?) = ([], nil)
            while let packet = try reader.next() {
                first = first ?? packet.displayIndex
                samples.append(Sample(data: packet.data, duration: UInt32(clamping: packet.duration), isKey: true))
            }
            let start = request.start + (first ?? 0) + Int64(sound.priming)
            file = fragment(samples, at: UInt64(max(0, start)))
        }
        try StillFile.write(file, to: request.output)
        return reader.summary.unitCount
    }

    private static func pictures(
        _ part: PreviewPart,
        _ clock: PreviewClock,
        _ request: PreviewTrack
    ) throws -> [Sample] {
        guard part.video.codec == .h264 else { throw RenderError.notPlayed("\(part.video.codec.rawValue)") }
        let record = try AVCConfiguration(annexB: part.track.extradata)
        let sets = request.bringsParameterSets ? record.sps + record.pps : []
        var samples: [Sample] = []
        while let packet = try part.next() {
            let offset = (packet.pts - Int64(samples.count)) * Int64(clock.ticksPerFrame)
            samples.append(
                Sample(
                    data: try sample(packet, sets),
                    duration: clock.ticksPerFrame,
                    isKey: packet.isKey,
                    offset: Int32(clamping: offset)
                )
            )
        }
        return samples
    }

    /// The NAL units of a picture behind their lengths. Parameter sets stand before key pictures, or in the head alone.
    private static func sample(_ packet: EncodedPacket, _ sets: [[UInt8]]) throws -> Data {
        let units = AnnexB.units(of: [UInt8](packet.data)[...]).filter { unit in
            ![.sps, .pps].contains(H264UnitType(of: unit))
        }
        let before = packet.isKey ? sets.map { $0[...] } : []
        return Data(try LengthPrefix.four.sample(of: before + units))
    }

    private static func fragment(_ samples: [Sample], at time: UInt64) -> Data {
        var movie = movieFragment(samples, at: time, offset: 0)
        // The samples follow behind the head of `mdat`, whose place is known by the length of `moof`.
        movie = movieFragment(samples, at: time, offset: Int32(clamping: movie.count + 8))
        var file = MediaBox()
        file.put(movie)
        file.box("mdat") { box in for sample in samples { box.put(sample.data) } }
        return file.data
    }

    private static func movieFragment(_ samples: [Sample], at time: UInt64, offset: Int32) -> Data {
        var file = MediaBox()
        file.box("moof") { moof in
            moof.fullBox("mfhd") { $0.put(UInt32(1)) }
            moof.box("traf") { traf in
                // default-base-is-moof
                traf.fullBox("tfhd", flags: 0x20000) { $0.put(UInt32(1)) }
                traf.fullBox("tfdt", version: 1) { $0.put(time) }
                // Offset of the data; duration, size, flags and composition offset of each sample, which may be negative.
                traf.fullBox("trun", version: 1, flags: 0xF01) { run in
                    run.put(UInt32(clamping: samples.count))
                    run.put(offset)
                    for sample in samples {
                        run.put(sample.duration)
                        run.put(UInt32(clamping: sample.data.count))
                        run.put(UInt32(sample.isKey ? 0x0200_0000 : 0x0101_0000))
                        run.put(sample.offset)
                    }
                }
            }
        }
        return file.data
    }
}
