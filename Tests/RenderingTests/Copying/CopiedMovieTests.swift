import Bitstream
import CompositionModel
import EditSamples
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Movies in which coded pictures are copied beside encoded ones: what ffmpeg decodes of a copied frame is, bit for bit,
/// what it decodes of the source's, and every frame is there.
@Suite struct CopiedMovieTests {
    private static let seeds = TestSeeds.asked(usual: 20, thorough: 300)

    /// Cut lists of sources of all kinds, with a dissolve, a title, another speed or a gap here and there.
    @Test func randomCutLists() async throws {
        let folder = try TemporaryFolder()
        var movies: [(source: CopySource, movie: TestMovie, hashes: [String])] = []
        for (number, source) in CopySource.all.enumerated() {
            let movie = try await source.make(in: folder, seed: number)
            movies.append((source, movie, try await StitchedMovie(path: movie.path).frameHashes()))
        }
        var copied: [String: Int64] = [:]
        for seed in Self.seeds {
            let list = CutList(seed: seed, sources: movies.map(\.source))
            let names = Dictionary(uniqueKeysWithValues: movies.map { ($0.source.assetName, $0.movie) })
            let edit = try PlannedEdit(list.text, names, preset: nil, copies: true)
            let plan = try edit.plan(nil)
            let movie = try await edit.copiedMovie(plan, in: folder, name: "\(seed).mp4")
            let hashes = try await movie.frameHashes()
            #expect(hashes.count == Int(plan.frameCount), "seed \(seed)")
            #expect(try await movie.decoderMessages() == "", "seed \(seed)")
            for span in plan.copiedSpans {
                let source = try #require(movies.first { edit.digest(of: $0.movie) == span.digest })
                copied[source.source.name, default: 0] += span.frames.count
                let wanted = source.hashes[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
                let found = hashes[Int(span.frames.start)..<Int(span.frames.end)]
                #expect(Array(found) == Array(wanted), "seed \(seed): \(span)")
            }
            try await checkEncoded(edit, plan, movie, "seed \(seed)")
        }
        print("copied frames by source: \(copied.sorted { $0.key < $1.key })")
        guard Self.seeds.count >= 20 else { return }
        // Intra refresh has one entry, its first picture; untagged small pictures have another colour.
        for source in CopySource.all where !["no VUI", "intra refresh"].contains(source.name) {
            #expect(copied[source.name, default: 0] > 0, "\(source.name)")
        }
        #expect(copied["no VUI"] == nil)
    }

    /// Encoded frames are the composited ones, and no others: nearer to their own picture than to its neighbours.
    private func checkEncoded(
        _ edit: PlannedEdit,
        _ plan: RenderPlan,
        _ movie: StitchedMovie,
        _ what: String
    ) async throws {
        let decoded = try await RawPictures(movie.path, size: plan.output.size)
        let composited = try edit.frames()
        let spans = plan.copiedSpans
        for frame in composited.indices where !spans.contains(where: { $0.frames.contains(Int64(frame)) }) {
            let own = squaredError(decoded[frame], composited[frame])
            #expect(own < 120, "\(what), frame \(frame)")
        }
    }

    private func squaredError(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var sum = 0
        for index in one.indices {
            let difference = Int(one[index]) - Int(other[index])
            sum += difference * difference
        }
        return Double(sum) / Double(one.count)
    }

    /// The same packets whatever the number of copies of a segment that are rendered, and in any process.
    @Test func theSameTaskGivesTheSameBytes() async throws {
        let folder = try TemporaryFolder()
        let movie = try await CopySource.all[0].make(in: folder, seed: 3)
        let text = CutList.text([#"{ "asset": "a", "in": "13f", "duration": "200f" }"#], ["a"])
        let edit = try PlannedEdit(text, ["a": movie], preset: nil, copies: true)
        let task = try #require(try edit.plan(nil).segments.first?.task)
        #expect(task.copies?.isEmpty == false)
        let files = try ["1", "2"].map { name in
            let path = folder.path(name)
            _ = try SegmentRenderer.render(task, sources: edit.sources(of: task.assets), to: path) { _ in }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(files[0] == files[1])
    }

    /// IDR pictures behind each other have different idr_pic_id (ITU-T H.264, 7.4.3), also where two copies meet: with
    /// the same one a decoder takes them for one picture.
    @Test func neighbouringIDRPicturesAreTwo() async throws {
        let folder = try TemporaryFolder()
        let source = CopySource.all[5]
        let movie = try await source.make(in: folder, seed: 1)
        // x264 numbers them 0, 1, 0, 1, …: frames 19 and 21 have the same number.
        let clips = [
            #"{ "asset": "f", "in": "0f", "duration": "20f" }"#, #"{ "asset": "f", "in": "21f", "duration": "20f" }"#,
            #"{ "asset": "f", "in": "42f", "duration": "20f" }"#,
        ]
        let edit = try PlannedEdit(CutList.text(clips, ["f"]), ["f": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        #expect(plan.segments.flatMap { $0.task.copies ?? [] }.count == 3)
        let path = try await edit.copiedMovie(plan, in: folder, name: "out.mp4").path
        var ids: [Int] = []
        let stream = try await Shell.ffmpeg(["-i", path, "-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "h264", "-"])
        var sets = H264ParameterSets()
        for nal in AnnexB.units(of: [UInt8](stream)[...]) {
            try sets.add(nal)
            guard H264UnitType(of: nal) == .idrSlice else { continue }
            ids.append(try H264Slice(nal, sets).header.idrID)
        }
        #expect(ids.count == 60 && zip(ids, ids.dropFirst()).allSatisfy { $0 != $1 })
        #expect(try await StitchedMovie(path: path).frameHashes().count == 60)
    }

    /// What belongs to the file that pictures come from stays there: its buffer model and its encoder's settings.
    @Test func messagesOfTheSourcesFileAreLeftOut() async throws {
        let folder = try TemporaryFolder()
        let source = CopySource.all[6]
        let movie = try await source.make(in: folder, seed: 2)
        func kinds(_ path: String) async throws -> Set<SEIKind> {
            let stream = try await Shell.ffmpeg(["-i", path, "-c", "copy", "-f", "h264", "-"])
            return try AnnexB.units(of: [UInt8](stream)[...]).filter { H264UnitType(of: $0) == .sei }.reduce(into: []) {
                $0.formUnion(try SEIUnit($1, headerLength: 1).messages.map(\.kind))
            }
        }
        #expect(try await kinds(movie.path).isSuperset(of: [.bufferingPeriod, .pictureTiming, .encoderSettings]))
        // From an IDR picture to an end: nothing is encoded, whose encoder would say its settings.
        let clip = #"{ "asset": "g", "in": "50f", "duration": "150f" }"#
        let edit = try PlannedEdit(CutList.text([clip], ["g"]), ["g": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        #expect(plan.encoded == [])
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        // pic_struct stays, because the SPS announces it.
        #expect(try await kinds(copied.path) == [.pictureTiming])
    }

    /// One sample entry holds all parameter sets, each under an id of its own; all say the output's size, rate and
    /// colour, the largest level, and no buffer model.
    @Test func oneSampleEntryHoldsAllParameterSets() async throws {
        let folder = try TemporaryFolder()
        let sources = [CopySource.all[0], CopySource.all[2], CopySource.all[6]]
        var movies: [String: TestMovie] = [:]
        for (number, source) in sources.enumerated() {
            movies[source.assetName] = try await source.make(in: folder, seed: number)
        }
        let segments = sources.map { "{ \"asset\": \"\($0.assetName)\", \"in\": \"7f\", \"duration\": \"150f\" }" }
        let edit = try PlannedEdit(
            CutList.text(segments, sources.map(\.assetName)),
            movies,
            preset: nil,
            copies: true
        )
        let movie = try await edit.copiedMovie(edit.plan(nil), in: folder, name: "out.mp4")
        let copy = try #require(try TestMovie(path: movie.path).facts.defaultVideo?.copy)
        let record = try AVCConfiguration([UInt8](try #require(copy.forms.first).configuration)[...])
        let sets = try H264ParameterSets(record)
        #expect(copy.forms.count == 1)
        // Sources that are coded alike share theirs; ids that collide would leave fewer sets than the record has.
        #expect(record.sps.count >= 3 && sets.sps.count == record.sps.count)
        #expect(record.pps.count == sets.pps.count && sets.pps.count >= 3)
        #expect(Set(sets.sps.values.map(\.level)).count == 1)
        for sps in sets.sps.values {
            let vui = try #require(sps.vui)
            #expect(!vui.hasHRD && vui.timing?.timeScale == 50 && vui.timing?.unitsInTick == 1)
            #expect(vui.signal?.colour == .init(primaries: 1, transfer: 1, matrix: 1))
            #expect(vui.aspectRatio?.ratio.map { [$0.width, $0.height] } == [1, 1])
        }
        #expect(Set(sets.sps.values.compactMap { $0.vui?.restriction?.reorderFrames }).count == 1)
    }
}

/// A seeded list of cuts.
struct CutList {
    let text: String

    init(seed: Int, sources: [CopySource]) {
        var random = SplitMix(seed: UInt64(seed) &* 7919)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var items: [String] = []
        for place in 0..<number(3...6) {
            let source = sources[number(0...sources.count - 1)]
            let count = number(20...min(160, source.frames))
            let start = number(0...source.frames - count)
            let more = ["", "", "", "", ", \"speed\": 2", ", \"opacity\": 0.5"][number(0...5)]
            let isFast = more.contains("speed")
            let length = isFast ? count / 4 * 2 : count
            items.append(
                "{ \"asset\": \"\(source.assetName)\", \"in\": \"\(start)f\", \"duration\": \"\(length)f\"\(more) }"
            )
            if number(0...5) == 0 { items.append(#"{ "gap": "5f" }"#) }
            if place > 0, number(0...3) == 0, count >= 60 {
                items.insert(#"{ "transition": "dissolve", "duration": "8f" }"#, at: items.count - 1)
            }
        }
        text = Self.text(items.last?.contains("gap") == true ? items.dropLast() : items, sources.map(\.assetName))
    }

    static func text(_ segments: [String], _ names: [String]) -> String {
        let assets = names.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        return """
            { "schema": "edit/1",
              "format": { "size": [160, 96], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { \(assets) },
              "tracks": [{ "kind": "video", "segments": [ \(segments.joined(separator: ",\n")) ] }],
              "outputs": [{ "preset": "h264" }] }
            """
    }
}

extension CopySource {
    fileprivate var assetName: String { String(file.prefix(1)) }
}
