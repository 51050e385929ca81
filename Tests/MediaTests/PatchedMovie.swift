import Bitstream
import Foundation
import TestSupport
import Testing

/// A movie of Baseline H.264, two slices a picture, with an IDR picture every 20 frames; its coded pictures can be changed
/// to what no encoder here makes.
struct PatchedMovie {
    static let count = 60
    let path: String
    private let samples: [[UInt8]]
    /// Its parameter sets.
    let sets: H264ParameterSets

    init(
        in folder: TemporaryFolder,
        _ parameters: String = "keyint=20:slices=2",
        profile: String = "baseline"
    ) async throws {
        path = folder.path("plain.mp4")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "\(Self.count)", "-c:v", "libx264"]
                + [
                    "-profile:v", profile, "-bf", "0", "-pix_fmt", "yuv420p", "-x264-params",
                    parameters + ":scenecut=0", path,
                ]
        )
        samples = try await ISOMovie.samples(of: path)
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        let record = try #require(file.range(of: Data("avcC".utf8)))
        let size = file[record.lowerBound - 4..<record.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let bytes = [UInt8](file[record.upperBound..<record.lowerBound - 4 + size])
        sets = try H264ParameterSets(AVCConfiguration(bytes[...]))
    }

    /// The NAL units of a picture in decode order.
    func units(_ number: Int) throws -> [[UInt8]] {
        try LengthPrefix.four.units(of: samples[number][...]).map(Array.init)
    }

    /// A copy with other units in one picture.
    func write(_ name: String, in folder: TemporaryFolder, _ number: Int, _ units: [[UInt8]]) throws -> String {
        try write(name, in: folder) { $0 == number ? units : $1 }
    }

    /// A copy with other units in each picture.
    /// - Parameter change: gives the units of a picture by its number in decode order and its own units.
    func write(
        _ name: String,
        in folder: TemporaryFolder,
        _ change: (Int, [[UInt8]]) throws -> [[UInt8]]
    ) throws -> String {
        let samples = try samples.indices.map { number in
            try LengthPrefix.four.sample(of: change(number, units(number)).map { $0[...] })
        }
        var movie = ISOMovie([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        movie.setSamples(samples, counts: [samples.count])
        let made = folder.path(name)
        try Data(movie.bytes).write(to: URL(fileURLWithPath: made))
        return made
    }

    /// The units of a picture with the headers of its slices changed.
    func units(
        _ number: Int,
        _ sets: H264ParameterSets? = nil,
        _ change: (inout H264SliceHeader) -> Void
    ) throws -> [[UInt8]] {
        try units(number).map { nal in
            guard H264UnitType(of: nal[...])?.isSlice == true else { return nal }
            var slice = try H264Slice(nal[...], self.sets)
            change(&slice.header)
            return try slice.nal(sets ?? self.sets)
        }
    }

    /// The units of a picture with another PPS in front, under an id of its own, with which its slices are written.
    func units(
        _ number: Int,
        pps change: (inout H264PPS) -> Void,
        slices: (inout H264SliceHeader) -> Void = { _ in }
    ) throws -> [[UInt8]] {
        guard var pps = sets.pps.values.first else { return [] }
        change(&pps)
        pps.id = 5
        var changed = sets
        changed.add(pps)
        let written = try units(number, changed) { header in
            header.ppsID = 5
            slices(&header)
        }
        return [try pps.nal(chromaFormat: 1)] + written
    }
}
