/// The elements in which a packet of AAC holds its channels, by channelConfiguration (ISO/IEC 14496-3, table 1.19).
package struct AACChannelConfiguration: Sendable, Hashable {
    /// The kind of an element of sound, its id_syn_ele.
    package enum Element: Int, Sendable, Hashable {
        /// single_channel_element(): one channel.
        case single = 0
        /// channel_pair_element(): two channels.
        case pair = 1
        /// lfe_channel_element(): the channel of low frequencies.
        case lowFrequency = 3

        package var channelCount: Int { self == .pair ? 2 : 1 }
    }

    /// The elements in the order of a packet.
    package let elements: [Element]
    /// For each channel in the order of the elements, its position among the channels in the order of libavutil's
    /// layouts.
    package let order: [Int]

    /// The configuration of mono, stereo, 3.0, 4.0, 5.0 and 5.1.
    /// - Returns: nil for other numbers of channels than 1 to 6.
    package init?(channels: Int) {
        switch channels {
        case 1: (elements, order) = ([.single], [0])
        case 2: (elements, order) = ([.pair], [0, 1])
        case 3: (elements, order) = ([.single, .pair], [2, 0, 1])
        case 4: (elements, order) = ([.single, .pair, .single], [2, 0, 1, 3])
        case 5: (elements, order) = ([.single, .pair, .pair], [2, 0, 1, 3, 4])
        case 6: (elements, order) = ([.single, .pair, .pair, .lowFrequency], [2, 0, 1, 4, 5, 3])
        default: return nil
        }
    }

    /// element_instance_tag of each element: its number among those of its kind.
    package var tags: [Int] {
        elements.indices.map { index in elements[..<index].count { $0 == elements[index] } }
    }

    /// The element of each channel, in the order of the elements.
    package var elementOfChannel: [Element] {
        elements.flatMap { Array(repeating: $0, count: $0.channelCount) }
    }
}
