import Bitstream
import CompositionModel
import Foundation
import Media
import WireProtocol

/// The head of a track of fragmented MP4: what a browser must know before the first fragment.
enum PreviewHead {
    /// - Returns: the codec by its name in RFC 6381.
    /// - Throws: ``RenderError`` of the part, and `preview_unsupported`.
    static func write(_ request: PreviewTrack) throws -> String {
        let header = try PacketFileReader(path: request.part).header
        let entry: PreviewEntry
        switch header.content {
        case .video: entry = try PreviewEntry(picture: PreviewPart(path: request.part), request)
        case .audio(let sound): entry = try PreviewEntry(sound: sound, header.extradata)
        }
        try StillFile.write(file(entry), to: request.output)
        return entry.codec
    }

    private static func file(_ entry: PreviewEntry) -> Data {
        var file = MediaBox()
        file.box("ftyp") { box in
            box.put("iso6".utf8)
            box.put(UInt32(1))
            box.put("iso6mp41".utf8)
        }
        file.box("moov") { moov in
            moov.fullBox("mvhd") { box in
                box.zeros(8)
                box.put(entry.ticksPerSecond)
                box.zeros(4)
                box.put(UInt32(0x10000))
                box.put(UInt16(0x100))
                box.zeros(10)
                box.matrix(nil)
                box.zeros(24)
                box.put(UInt32(2))
            }
            moov.box("trak") { track(entry, &$0) }
            moov.box("mvex") { mvex in
                mvex.fullBox("trex") { box in
                    box.put(UInt32(1))
                    box.put(UInt32(1))
                    box.zeros(12)
                }
            }
        }
        return file.data
    }

    private static func track(_ entry: PreviewEntry, _ track: inout MediaBox) {
        track.fullBox("tkhd", flags: 3) { box in
            box.zeros(8)
            box.put(UInt32(1))
            box.zeros(20)
            box.put(UInt16(entry.shown == nil ? 0x100 : 0))
            box.zeros(2)
            box.matrix(entry.raster)
            box.put(UInt32(clamping: (entry.shown?.width ?? 0) << 16))
            box.put(UInt32(clamping: (entry.shown?.height ?? 0) << 16))
        }
        if entry.hiddenSamples > 0 {
            track.box("edts") { edits in
                edits.fullBox("elst") { box in
                    box.put(UInt32(1))
                    // A duration of 0 goes to the end of all fragments (8.6.6.3).
                    box.zeros(4)
                    box.put(UInt32(entry.hiddenSamples))
                    box.put(UInt32(0x10000))
                }
            }
        }
        track.box("mdia") { media in
            media.fullBox("mdhd") { box in
                box.zeros(8)
                box.put(entry.ticksPerSecond)
                box.zeros(4)
                // “und”, three letters of five bits.
                box.put(UInt16(0x55C4))
                box.zeros(2)
            }
            media.fullBox("hdlr") { box in
                box.zeros(4)
                box.put((entry.shown == nil ? "soun" : "vide").utf8)
                box.zeros(13)
            }
            media.box("minf") { information(entry, &$0) }
        }
    }

    private static func information(_ entry: PreviewEntry, _ information: inout MediaBox) {
        if entry.shown == nil {
            information.fullBox("smhd") { $0.zeros(4) }
        } else {
            information.fullBox("vmhd", flags: 1) { $0.zeros(8) }
        }
        information.box("dinf") { place in
            place.fullBox("dref") { box in
                box.put(UInt32(1))
                box.fullBox("url ", flags: 1) { _ in }
            }
        }
        information.box("stbl") { table in
            table.fullBox("stsd") { box in
                box.put(UInt32(1))
                box.put(entry.description)
            }
            for name in ["stts", "stsc", "stco"] { table.fullBox(name) { $0.zeros(4) } }
            table.fullBox("stsz") { $0.zeros(8) }
        }
    }
}

extension MediaBox {
    /// The matrix that shows the picture upright (6.2.2); players turn about the picture's middle.
    fileprivate mutating func matrix(_ raster: CodedRaster?) {
        let one: Int32 = 1 << 16
        let (right, bottom) = (
            Int32(clamping: (raster?.size.width ?? 0) << 16), Int32(clamping: (raster?.size.height ?? 0) << 16)
        )
        let turn: [Int32] =
            switch raster?.degrees {
            case 90: [0, one, 0, -one, 0, 0, bottom, 0]
            case 180: [-one, 0, 0, 0, -one, 0, right, bottom]
            case 270: [0, -one, 0, one, 0, 0, 0, right]
            default: [one, 0, 0, 0, one, 0, 0, 0]
            }
        for value in turn + [1 << 30] { put(value) }
    }
}
