import CompositionModel
import Timing

/// Finds the colour tables and masks that effects name.
struct EffectAssets {
    let assets: [String: CompilerAsset]
    /// The names of assets of which nothing can be known; that is said elsewhere.
    let unusable: Set<String>
    /// The position of an asset in the composition.
    let position: (String) -> Int
    let grid: TrackGrid

    private var log: FindingLog { grid.log }

    /// - Parameter clip: source time of the clip's `in`; nil where the effect's picture has no moving source of its
    ///   own, so that a mask runs with the effect's keys.
    /// - Returns: nil for an effect without an asset, and after a finding, here or elsewhere.
    func source(of effect: EditEffect, beside clip: RationalTime?) -> EffectSource? {
        guard let role = effect.name.assetRole, let name = effect.asset, !unusable.contains(name.value) else {
            return nil
        }
        guard let facts = assets[name.value]?.facts else {
            log.error(name.mark, .assetMissing, CompilerAsset.unknown(name.value))
            return nil
        }
        guard assets[name.value]?.composition == nil else {
            let message = "asset \"\(name.value)\" is an edit; an effect works with a file"
            log.error(name.mark, role == .lut ? .noLUT : .noPicture, message)
            return nil
        }
        return role == .lut ? lut(name, facts) : mask(effect, name, facts, beside: clip)
    }

    private func lut(_ name: Marked<String>, _ facts: AssetFacts) -> EffectSource? {
        guard facts.lut == nil else { return EffectSource(asset: position(name.value)) }
        let message = "asset \"\(name.value)\" is no LUT, which is a .cube file; it has \(facts.words)"
        log.error(name.mark, .noLUT, message)
        return nil
    }

    private func mask(
        _ effect: EditEffect,
        _ name: Marked<String>,
        _ facts: AssetFacts,
        beside clip: RationalTime?
    ) -> EffectSource? {
        guard let stream = facts.defaultVideo else {
            let has = facts.words
            log.error(name.mark, .noPicture, "asset \"\(name.value)\" has no picture to be a mask; it has \(has)")
            return nil
        }
        if let channel = effect.channel, channel.value == .alpha, !stream.beginsWithAlpha {
            let message = "asset \"\(name.value)\" has no alpha (\(stream.codec), \(stream.pixelFormat))"
            log.error(channel.mark, .noAlpha, message, suggestion: "\"luma\"")
            return nil
        }
        let channel = effect.channel?.value ?? (stream.beginsWithAlpha ? .alpha : .luma)
        var source = EffectSource(asset: position(name.value), stream: stream.streamIndex, channel: channel)
        guard !stream.isStill else { return source }
        do throws(TimeError) {
            var start = clip ?? .zero
            if let written = effect.start {
                guard let time = try inPoint(written, stream) else { return nil }
                start = time
            }
            source.clock = clip == nil ? .item : .source
            source.offset = try start.subtracting(clip ?? .zero)
            return source
        } catch {
            log.error(effect.mark, .timeOverflow, "a time here is too large or too fine to compute with exactly")
            return nil
        }
    }

    private func inPoint(_ written: Marked<EditTime>, _ stream: VideoStreamFacts) throws(TimeError) -> RationalTime? {
        guard case .frameNumber(let number) = written.value else { return grid.seconds(written) }
        guard number < stream.frameCount else {
            let last = stream.frameCount - 1
            log.error(written.mark, .inPastEnd, "there is no frame \(number): the last one is frame \(last)")
            return nil
        }
        return try stream.time(ofFrame: number)
    }
}
