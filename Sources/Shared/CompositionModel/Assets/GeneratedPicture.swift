public import Foundation
public import Timing

/// A source that is drawn and not decoded: what `{ "generate": … }` of an edit says, with everything resolved.
///
/// It travels as a file of ``bytes``, so that it is an asset like any other: named by a digest, sent, stored and
/// fetched.
public struct GeneratedPicture: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// One colour.
        case solid
        /// The eight bars of 75 % (white, yellow, cyan, green, magenta, red, blue, black).
        case bars
        /// Moving: bars, a ramp, a travelling block, the number of the frame in digits and in squares.
        case pattern
        /// From one colour to another.
        case gradient
    }

    /// Where a gradient's second colour lies.
    public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
        case right, down, left, up
    }

    public var kind: Kind
    /// Both sides are even.
    public var size: PictureSize
    /// `#rrggbb`: one of `solid`, two of `gradient`, none of the others.
    public var colors: [String]
    /// Of `gradient` alone.
    public var direction: Direction?
    public var frameRate: FrameRate
    /// 1 of all that do not move: they are seen for any length.
    public var frameCount: Int64

    public init(
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

    /// libavcodec has no codec of this name.
    public static let codec = "generated"
    /// The first line of ``bytes``.
    public static let heading = Data("cutfarm generated picture 1\n".utf8)
    /// No file of a generated picture is longer.
    public static let longestFile = 4096

    /// How many colours each kind has.
    public static func colorCount(of kind: Kind) -> Int {
        switch kind {
        case .solid: 1
        case .gradient: 2
        case .bars, .pattern: 0
        }
    }

    /// The file that stands for it.
    public var bytes: Data {
        // Integers and strings always have a canonical form.
        GeneratedPicture.heading + ((try? CanonicalJSON.data(self)) ?? Data())
    }

    public var digest: ContentDigest { ContentDigest(of: bytes) }

    /// - Returns: nil for bytes that do not begin with ``heading``.
    /// - Throws: `DecodingError` for bytes that do, and are no picture that can be drawn.
    public init?(bytes: Data) throws {
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

    /// What probing its file finds.
    public var facts: AssetFacts {
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
            // Within Limits.longestSeconds, so it can be computed.
            duration: (try? frameRate.time(ofFrame: frameCount)) ?? .zero,
            keyframes: [0],
            language: nil,
            isDefault: true
        )
        return AssetFacts(container: GeneratedPicture.codec, byteCount: Int64(bytes.count), video: [stream], audio: [])
    }
}
