package import Timing

/// How coded pictures lie that are turned or stretched to be shown: as a portrait phone and an anamorphic camera write
/// them.
package struct CodedRaster: Sendable, Hashable, Codable {
    /// The size of the coded picture in pixels.
    package var size: PictureSize
    /// The clockwise rotation in degrees that shows the picture upright: 0, 90, 180 or 270.
    package var degrees: Int
    /// The width of a coded pixel divided by its height.
    package var pixelAspect: RationalTime

    package init(size: PictureSize, degrees: Int, pixelAspect: RationalTime) {
        (self.size, self.degrees, self.pixelAspect) = (size, degrees, pixelAspect)
    }

    /// The raster of a stream; nil where pictures are coded as they are shown.
    package init?(of stream: VideoStreamFacts) {
        guard stream.orientation != .upright || stream.pixelAspect != RationalTime(whole: 1) else { return nil }
        size = PictureSize(width: stream.width, height: stream.height)
        (degrees, pixelAspect) = (stream.orientation.degrees, stream.pixelAspect)
    }

    /// Whether a sample's shape can be written: two numbers of 16 bits (ITU-T H.264, E.1.1), and whether the rotation is
    /// one of four.
    package var isWritable: Bool {
        let limit: Int64 = 65_535
        return pixelAspect.numerator > 0 && pixelAspect.numerator <= limit && pixelAspect.denominator <= limit
            && [0, 90, 180, 270].contains(degrees)
    }

    /// Whether width and height are exchanged to show the picture.
    package var swapsSides: Bool { degrees % 180 != 0 }
}

extension VideoStreamFacts {
    /// Whether pictures of this stream fill a frame of `size` as they are shown. Scaled pixels may end on an odd side,
    /// which no frame has: the next even one counts.
    package func fills(_ size: PictureSize) -> Bool {
        displaySize == size || (pixelAspect != RationalTime(whole: 1) && displaySize.withEvenSides == size)
    }
}
