import Foundation
import Pixels
import Testing

/// A picture of three planes for tests of transitions.
struct TransitionFrame: Equatable {
    let sites: [PlaneSite]
    /// Of every plane, row by row.
    var planes: [[UInt8]]

    init(_ sites: [PlaneSite], value: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8) {
        self.sites = sites
        planes = sites.enumerated().map { index, site in
            (0..<site.width * site.height).map { value(index, $0 % site.width, $0 / site.width) }
        }
    }

    /// All samples 0xA5.
    init(_ sites: [PlaneSite]) {
        self.sites = sites
        planes = sites.map { Array(repeating: 0xA5, count: $0.width * $0.height) }
    }

    /// - Parameter bytes: the planes behind each other.
    init(_ sites: [PlaneSite], bytes: ArraySlice<UInt8>) {
        self.init(sites)
        var rest = bytes
        for (index, site) in sites.enumerated() {
            planes[index] = Array(rest.prefix(site.width * site.height))
            rest = rest.dropFirst(site.width * site.height)
        }
    }

    var bytes: [UInt8] { Array(planes.joined()) }

    static func sites(_ width: Int, _ height: Int, chromaShift: Int) -> [PlaneSite] {
        (0..<3).map { plane in
            let shift = plane == 0 ? 0 : chromaShift
            return PlaneSite(frameWidth: width, frameHeight: height, shiftX: shift, shiftY: shift)
        }
    }

    /// Soft shapes of many code values with some noise over them.
    static func sample(_ sites: [PlaneSite], seed: Int) -> TransitionFrame {
        TransitionFrame(sites) { plane, x, y in
            let noise = Int(UInt32(truncatingIfNeeded: (x &* 7919 &+ y &* 104_729 &+ seed) &* 2_654_435_761) >> 28)
            let wave = (x * (3 + seed) + y * (5 - seed) + plane * 37 + seed * 90) % 400
            return UInt8(20 + (wave < 200 ? wave : 400 - wave) + noise)
        }
    }

    /// The frame at `progress` of a transition from `first` to `second`.
    static func paint(
        _ painter: TransitionPainter,
        _ first: TransitionFrame,
        _ second: TransitionFrame,
        progress: Double
    ) -> TransitionFrame {
        var target = TransitionFrame(first.sites)
        let (from, to, into) = (first.stores, second.stores, target.stores)
        painter.paint(from.map(\.plane), to.map(\.plane), into: into.map(\.mutablePlane), progress: progress)
        for (index, store) in into.enumerated() { target.planes[index] = store.samples }
        #expect((from + to + into).allSatisfy { $0.isCleanAround })
        return target
    }

    private var stores: [GuardedPlane] {
        zip(sites, planes).map { site, samples in GuardedPlane(site.width, site.height, samples) }
    }
}

/// Samples with a stride wider than the rows.
final class GuardedPlane {
    let width: Int
    let height: Int
    let stride: Int
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ width: Int, _ height: Int, _ samples: [UInt8]) {
        (self.width, self.height, stride) = (width, height, width + 9)
        bytes = .allocate(capacity: stride * (height + 2))
        bytes.initialize(repeating: 0xEE)
        samples.withUnsafeBufferPointer { samples in
            for y in 0..<height { (base + y * stride).update(from: samples.baseAddress! + y * width, count: width) }
        }
    }

    deinit { bytes.deallocate() }

    private var base: UnsafeMutablePointer<UInt8> { bytes.baseAddress! + stride }
    var plane: Plane { Plane(base: base, stride: stride, width: width, height: height) }
    var mutablePlane: MutablePlane { MutablePlane(base: base, stride: stride, width: width, height: height) }

    var samples: [UInt8] {
        Array(unsafeUninitializedCapacity: width * height) { buffer, count in
            for y in 0..<height { (buffer.baseAddress! + y * width).initialize(from: base + y * stride, count: width) }
            count = width * height
        }
    }

    /// Whether all that lies around the samples is as it was.
    var isCleanAround: Bool {
        let gap = [UInt8](repeating: 0xEE, count: stride)
        let start = bytes.baseAddress!
        let ends = [start, start + (height + 1) * stride]
        return ends.allSatisfy { memcmp($0, gap, stride) == 0 }
            && (0..<height).allSatisfy { memcmp(base + $0 * stride + width, gap, stride - width) == 0 }
    }
}
