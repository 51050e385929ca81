package import Foundation
package import Timing

/// A source that is drawn and not decoded: the `{ "generate": … }` of an edit with everything resolved.
///
/// It travels as a file of ``bytes``, so that it is an asset like any other: named by a digest, sent, stored and
/// fetched.
package struct GeneratedPicture: Sendable, Hashable, Codable {
    /// The picture that is drawn.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// One colour.
        case solid
        /// The eight bars of 75 % (white, yellow, cyan, green, magenta, red, blue, black).
        case bars
        /// A moving picture: bars, a ramp, a travelling block, and the number of the frame in digits and in squares.
        case pattern
        /// A gradient from one colour to another.
        case gradient
    }

    /// The direction in which a gradient's second colour lies.
    package enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
        case right, down, left, up
    }

    package var kind: Kind
    /// The size in pixels; both sides are even.
    package var size: PictureSize
    /// The colours as `#rrggbb`: one for `solid`, two for `gradient`, none for other kinds.
    package var colors: [String]
    /// The direction of a `gradient`; nil for other kinds.
    package var direction: Direction?
    package var frameRate: FrameRate
    /// The number of frames; 1 for a kind that does not move, which may be shown for any length of time.
    package var frameCount: Int64

    package init(
        kind: Kind,
        size: PictureSize,
        colors: [String] = [],
        direction: Direction? = nil,
        frameRate: FrameRate,
        frameCount: Int64 = 1
    ) {
        self.kind = kind
        self.size = size
        self.colors = colors
        self.direction = direction
        self.frameRate = frameRate
        self.frameCount = frameCount
    }

    /// The name that stands in place of a codec's; libavcodec has none of this name.
    package static let codec = "generated"
    /// The first line of ``bytes``.
    package static let heading = Data("cutfarm generated picture 1\n".utf8)
    /// The longest file of a generated picture, in bytes.
    package static let longestFile = 4096

    /// The number of colours that each kind has.
    package static func colorCount(of kind: Kind) -> Int {
        switch kind {
        case .solid: 1
        case .gradient: 2
        case .bars, .pattern: 0
        }
    }

    /// The contents of the file that stands for the picture: ``heading``, then its canonical JSON.
    package var bytes: Data {
        // Integers and strings always have a canonical form.
        GeneratedPicture.heading + ((try? CanonicalJSON.data(self)) ?? Data())
    }

    /// The digest of ``bytes``, by which the asset is named.
    package var digest: ContentDigest { ContentDigest(of: bytes) }

    /// Reads a file of a generated picture.
    /// - Returns: nil when the bytes do not begin with ``heading``.
    /// - Throws: `DecodingError` when they do, and describe no picture that can be drawn.
    package init?(bytes: Data) throws {
        guard bytes.starts(with: GeneratedPicture.heading) else { return nil }
        self = try JSONDecoder().decode(GeneratedPicture.self, from: bytes.dropFirst(GeneratedPicture.heading.count))
        guard isSound else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it has impossible values"))
        }
    }

    private var isSound: Bool {
        let sides = [size.width, size.height].allSatisfy { (2...Limits.longestSide).contains($0) && $0 % 2 == 0 }
        let seconds = try? frameRate.time(ofFrame: frameCount)
        return sides && colors.count == GeneratedPicture.colorCount(of: kind)
            && colors.allSatisfy { ColorText.isColor($0) && $0.utf8.count == 7 }
            && (kind == .gradient) == (direction != nil) && Limits.frameRates.contains(frameRate.framesPerSecond)
            && frameCount >= 1 && (kind == .pattern || frameCount == 1)
            && seconds.map { $0 <= RationalTime(whole: Limits.longestSeconds) } ?? false
    }

    /// The facts that probing its file finds.
    package var facts: AssetFacts {
        let stream = VideoStreamFacts(
            streamIndex: 0,
            codec: GeneratedPicture.codec,
            profile: nil,
            width: size.width,
            height: size.height,
            pixelFormat: "yuv420p",
            pixelAspect: RationalTime(whole: 1),
            orientation: .upright,
            color: .bt709,
            timeBase: frameRate.frameDuration,
            frameRate: frameRate,
            isVariableRate: false,
            frameCount: frameCount,
            // The length is within Limits.longestSeconds, so it can be computed.
            duration: (try? frameRate.time(ofFrame: frameCount)) ?? .zero,
            keyframes: [0],
            language: nil,
            isDefault: true
        )
        return AssetFacts(container: GeneratedPicture.codec, byteCount: Int64(bytes.count), video: [stream], audio: [])
    }
}
