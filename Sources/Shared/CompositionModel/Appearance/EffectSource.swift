package import Timing

/// The asset that an effect works with: a colour table, or a mask.
package struct EffectSource: Sendable, Hashable, Codable {
    /// The part of a mask that decides what is seen.
    package enum Channel: String, Sendable, Hashable, Codable, CaseIterable {
        case alpha, luma
    }

    /// The clock that a moving mask follows.
    package enum Clock: String, Sendable, Hashable, Codable, CaseIterable {
        /// The time of the clip's source, however it is retimed.
        case source
        /// The time that the keys of the effect's numbers count.
        case item
    }

    /// The position in ``Composition/assets``; in a task, in `PictureTask.assets`.
    package var asset: Int
    /// libavformat's index of the stream of a mask; nil for a colour table.
    package var stream: Int?
    /// The part of a mask that decides what is seen; nil for a colour table.
    package var channel: Channel?
    /// The clock of a moving mask; nil for anything else.
    package var clock: Clock?
    /// The source time of a moving mask less the clock's; nil for anything else.
    package var offset: RationalTime?

    package init(
        asset: Int,
        stream: Int? = nil,
        channel: Channel? = nil,
        clock: Clock? = nil,
        offset: RationalTime? = nil
    ) {
        self.asset = asset
        self.stream = stream
        self.channel = channel
        self.clock = clock
        self.offset = offset
    }
}

extension PictureEffect {
    /// The use that an effect makes of its asset.
    package enum AssetRole: String, Sendable, Hashable {
        case lut, mask
    }
}

extension PictureEffect.Name {
    /// The use that the effect makes of its asset; nil for an effect without one.
    package var assetRole: PictureEffect.AssetRole? {
        switch self {
        case .lut: .lut
        case .mask: .mask
        default: nil
        }
    }
}

extension LayerAppearance {
    /// The assets that its effects work with.
    package var effectSources: [EffectSource] { (effects ?? []).compactMap(\.source) }

    /// Adds `time` to the offsets of the masks that follow the clip's source, for a source that now begins that much
    /// later.
    /// - Throws: ``TimeError/overflow`` when an offset does not fit.
    package mutating func advanceMasks(by time: RationalTime) throws(TimeError) {
        guard time != .zero, var effects else { return }
        for index in effects.indices where effects[index].source?.clock == .source {
            let offset = effects[index].source?.offset ?? .zero
            effects[index].source?.offset = try offset.adding(time)
        }
        self.effects = effects
    }

    /// Replaces the position of each effect's asset by `number` of it.
    package mutating func numberAssets(_ number: (Int) -> Int) {
        guard var effects else { return }
        for index in effects.indices {
            guard let asset = effects[index].source?.asset else { continue }
            effects[index].source?.asset = number(asset)
        }
        self.effects = effects
    }
}
