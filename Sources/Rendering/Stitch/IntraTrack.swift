import CompositionModel
import Foundation
import Media

/// Pictures that are coded by themselves: one sample entry describes all of them, and packets stay as they are.
struct IntraTrack: SharedTrack {
    private let configuration: IntraConfiguration

    /// - Parameter headers: the distinct global headers of the parts.
    /// - Throws: ``RenderError`` `parts_differ` when there are several, which one sample entry cannot describe.
    init(headers: [Data]) throws(RenderError) {
        guard headers.count == 1 else {
            throw RenderError(
                "parts_differ",
                "The parts hold \(headers.count) kinds of pictures, of which one track holds one; export another preset.",
                isPermanent: true
            )
        }
        do {
            configuration = try IntraConfiguration(headers[0])
        } catch {
            throw .damagedPacketFile("its header cannot be read (\(error))")
        }
    }

    func describe(_ track: inout MovieWriter.VideoTrack) {
        track.tag = configuration.tag
        track.profile = configuration.profile
        track.pixelFormat = configuration.pixelFormat
        track.hasLeftChroma = false
    }

    func packet(_ data: Data, isKey: Bool, header: Data, after idrID: Int?) -> (data: Data, idrID: Int?) { (data, nil) }
}
