import CLibAV
import CompositionModel

extension AVChannelLayout {
    /// The loudspeakers of an edit with so many channels (``ChannelLayout/editNames``).
    mutating func set(edit channels: Int) {
        let name = ChannelLayout.editNames[channels]
        guard let name, av_channel_layout_from_string(&self, name) >= 0, nb_channels == channels else {
            return av_channel_layout_default(&self, Int32(channels))
        }
    }
}
