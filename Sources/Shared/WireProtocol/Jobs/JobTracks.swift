package import Timing

/// The answer to `GET /v1/jobs/{id}/tracks`: the edit as an editor's timeline, in frames of the output.
package struct JobTracks: Sendable, Hashable, Codable {
    /// One track. Its items are in order of time; transitions lie over the clips that they join.
    package struct Track: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable { case video, audio, title }

        package var kind: Kind
        package var name: String
        package var items: [Item]

        package init(kind: Kind, name: String, items: [Item]) {
            self.kind = kind
            self.name = name
            self.items = items
        }
    }

    /// One thing on a track.
    package struct Item: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable { case clip, transition, title, generator, silence }

        package var kind: Kind
        /// The first frame of the output, 0 or later.
        package var start: Int64
        /// The number of frames, at least 1; of sound rounded to whole frames.
        package var count: Int64
        /// The name of the asset, the kind of the transition, the first words of the title, or how many items are drawn as
        /// this one.
        package var label: String
        /// The second of the source that the item begins with, rounded to milliseconds; nil for anything but a clip.
        package var sourceSeconds: Double?
        /// The name of the asset; nil for anything but a clip.
        package var source: String?

        package init(
            _ kind: Kind,
            start: Int64,
            count: Int64,
            label: String,
            source: String? = nil,
            sourceSeconds: Double? = nil
        ) {
            self.kind = kind
            self.start = start
            self.count = count
            self.label = label
            self.source = source
            self.sourceSeconds = sourceSeconds
        }
    }

    package var frameRate: FrameRate
    /// The number of frames of the output.
    package var frameCount: Int64
    /// The tracks from the top down: titles, pictures, sound.
    package var tracks: [Track]
    /// Why there are no tracks, or not all; nil when all are here.
    package var omitted: String?

    package init(frameRate: FrameRate, frameCount: Int64, tracks: [Track], omitted: String? = nil) {
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.tracks = tracks
        self.omitted = omitted
    }
}
