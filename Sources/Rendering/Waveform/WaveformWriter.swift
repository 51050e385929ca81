package import CompositionModel
import Foundation
import Pixels
package import Planning
import Samples

/// Writes the mix of a sound task as a waveform: an image, or numbers (docs/waveform.md).
package enum WaveformWriter {
    /// Hears the mix once, in order, and keeps its columns alone.
    /// - Parameters:
    ///   - sources: in the order of `task.assets`.
    ///   - path: the path of the file, which is there whole afterwards, or not at all.
    ///   - scratchFolder: where decoded sound is kept while this works; nothing is left behind.
    ///   - progress: 0 … 1000, never less than before.
    /// - Returns: columns.
    /// - Throws: ``RenderError``, ``MediaError``.
    package static func write(
        _ task: SoundTask,
        as order: WaveformOrder,
        sources: [RenderSource],
        to path: String,
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> Int64 {
        let lanes = order.channels.count(of: task.channels)
        try check(order, sampleCount: task.sampleCount, lanes: lanes)
        let meter = WaveformMeter(order.grid, sampleCount: task.sampleCount, channels: lanes)
        let steps = SampleSteps()
        try SoundRenderer.mix(
            task,
            sources: sources,
            scratchFolder: scratchFolder,
            progress: progress,
            warn: warn
        ) { samples in
            steps.fill(samples, order.channels)
            steps.withChannels { meter.take($0) }
        }
        return try write(meter, as: order, sampleCount: task.sampleCount, sampleRate: task.sampleRate, to: path)
    }

    /// Writes what was heard of all samples, as ``write(_:as:sources:to:scratchFolder:progress:)``.
    static func write(
        _ meter: WaveformMeter,
        as order: WaveformOrder,
        sampleCount: Int64,
        sampleRate: Int,
        to path: String
    ) throws -> Int64 {
        let waveform = Waveform(
            columns: meter.columns,
            totals: meter.totals,
            sampleCount: sampleCount,
            sampleRate: sampleRate
        )
        try StillFile.write(try file(waveform, order), to: path)
        return Int64(waveform.columns[0].count)
    }

    private static func file(_ waveform: Waveform, _ order: WaveformOrder) throws -> Data {
        switch order.format {
        case .png: try WaveformPicture.png(waveform, order)
        case .svg: Data(WaveformDrawing.svg(waveform, order).utf8)
        case .json: Data(WaveformNumbers.json(waveform, order).utf8)
        }
    }

    /// Checks that the waveform can be made.
    /// - Throws: ``RenderError`` with what is wrong with `order`.
    static func check(_ order: WaveformOrder, sampleCount: Int64, lanes: Int) throws(RenderError) {
        let isGrid =
            switch order.grid {
            case .evenly(let columns): (1...WaveformOrder.longestSide).contains(columns)
            case .every(let samples): samples >= 1
            }
        let sides = lanes...max(WaveformOrder.longestSide, lanes)
        let columns = isGrid ? Int64(order.grid.columnCount(of: sampleCount)) : .max
        let most = order.format == .json ? WaveformOrder.mostColumns / Int64(lanes) : Int64(WaveformOrder.longestSide)
        guard sampleCount > 0, isGrid, columns <= most, sides.contains(order.height),
            [8, 16, 24].contains(order.bits),
            order.format != .png || WaveformOrder.canPaint(PictureSize(width: Int(columns), height: order.height))
        else {
            throw RenderError(
                "invalid_waveform",
                "This waveform has no samples, no size, too many columns (up to \(most)), or too many pixels.",
                isPermanent: true
            )
        }
    }
}

/// What a waveform shows, whatever it is written as.
struct Waveform {
    /// `[lane][column]`
    let columns: [[WaveformColumn]]
    /// The total of each lane.
    let totals: [WaveformColumn]
    let sampleCount: Int64
    let sampleRate: Int
}

/// A block of samples in steps of 24 bits, as they are: up to 256 times full scale (48 dB above it).
final class SampleSteps {
    private var channels: [[Int32]] = []

    /// - Parameter samples: are overwritten.
    func fill(_ samples: [SampleBuffer], _ lanes: WaveformOrder.Channels) {
        let samples = lanes == .mixed ? [Self.mean(samples)] : samples
        channels = samples.map { channel in
            [Int32](unsafeUninitializedCapacity: channel.count) { output, count in
                for index in channel.indices { channel[index] *= 0x1p-8 }
                SampleKernels.integers(channel, bits: 32, channel: 0, stride: 1, into: output)
                count = channel.count
            }
        }
    }

    /// Into the first channel.
    private static func mean(_ samples: [SampleBuffer]) -> SampleBuffer {
        let first = samples[0]
        for channel in samples.dropFirst() { SampleKernels.add(channel, to: first) }
        if samples.count > 1 { for index in first.indices { first[index] /= Double(samples.count) } }
        return first
    }

    /// The pointers are good during the call.
    func withChannels(_ body: ([UnsafeBufferPointer<Int32>]) -> Void) { with([], body) }

    private func with(
        _ pointers: [UnsafeBufferPointer<Int32>],
        _ body: ([UnsafeBufferPointer<Int32>]) -> Void
    ) {
        guard pointers.count < channels.count else { return body(pointers) }
        channels[pointers.count].withUnsafeBufferPointer { with(pointers + [$0], body) }
    }
}
