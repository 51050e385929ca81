import Bitstream
import Foundation
import Planning

/// What has to be known of a task's packets of AAC to read their windows.
struct AACFormat {
    private let configuration: AACChannelConfiguration
    private let bands: AACBands

    /// - Throws: ``RenderError`` `invalid_sound_task` for sound whose packets are not joined.
    init(_ task: SoundTask) throws(RenderError) {
        guard let configuration = AACChannelConfiguration(channels: task.channels),
            let bands = AACBands(sampleRate: task.sampleRate)
        else { throw .invalidPackets("AAC of \(task.channels) channels and \(task.sampleRate) Hz is not joined") }
        (self.configuration, self.bands) = (configuration, bands)
    }

    /// The windows of all channels of `packet`, in the order of its elements.
    /// - Throws: `BitstreamError` for a packet that cannot be read.
    func windows(of packet: Data) throws(BitstreamError) -> [AACWindow] {
        let bytes = [UInt8](packet)
        do {
            return try bytes.withUnsafeBytes { try AACPacketReader.windows(of: $0, configuration, bands) }
        } catch let error as BitstreamError { throw error } catch { throw BitstreamError(.badEnd, element: "", bit: 0) }
    }
}
