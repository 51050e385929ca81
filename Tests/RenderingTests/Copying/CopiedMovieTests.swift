import Bitstream
import CompositionModel
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
    /// The same packets whatever the number of copies of a segment that are rendered, and in any process.
    @Test func theSameTaskGivesTheSameBytes() async throws {
        let folder = try TemporaryFolder()
        let movie = try await CopySource.named("pyramid").make(in: folder, seed: 3)
        let text = cuts([#"{ "asset": "pyramid", "in": "13f", "duration": "200f" }"#], ["pyramid"])
        let edit = try PlannedEdit(text, ["pyramid": movie], preset: nil, copies: true)
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
        let source = CopySource.named("all IDR")
        let movie = try await source.make(in: folder, seed: 1)
        // x264 numbers them 0, 1, 0, 1, …: frames 19 and 21 have the same number.
        let clips = [
            #"{ "asset": "idr", "in": "0f", "duration": "20f" }"#,
            #"{ "asset": "idr", "in": "21f", "duration": "20f" }"#,
            #"{ "asset": "idr", "in": "42f", "duration": "20f" }"#,
        ]
        let edit = try PlannedEdit(cuts(clips, ["idr"]), ["idr": movie], preset: nil, copies: true)
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

    /// A frame that lasts longer than the others ends one copy, and another begins behind it. Every frame is the one that is
    /// composited at its time.
    @Test func anOddTimeCostsOneGroup() async throws {
        let folder = try TemporaryFolder()
        let movie = try await CopySource.named("an odd time").make(in: folder, seed: 4)
        #expect(movie.facts.defaultVideo?.isVariableRate == true)
        let clip = #"{ "asset": "odd", "in": "0f", "duration": "240f" }"#
        let edit = try PlannedEdit(cuts([clip], ["odd"]), ["odd": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        let copied = Set(plan.copiedSpans.flatMap { $0.frames.start..<$0.frames.end })
        let encoded = plan.encoded ?? []
        #expect(encoded.first?.reason == .variableRate && copied.count >= 180, "\(encoded)")
        // The clip's last frame may be one behind which no copy ends.
        #expect(encoded.dropFirst().allSatisfy { $0.reason == .border && $0.frames <= 4 }, "\(encoded)")
        let path = try await edit.copiedMovie(plan, in: folder, name: "out.mp4").path
        let decoded = try await RawPictures(path, size: edit.composition.format.size, [])
        let composited = try edit.frames()
        for frame in composited.indices {
            let error = decoded[frame].squaredError(from: composited[frame])
            #expect(copied.contains(Int64(frame)) ? error == 0 : error < 120, "\(frame)")
        }
    }

    /// What belongs to the file that pictures come from stays there: its buffer model and its encoder's settings.
    @Test func messagesOfTheSourcesFileAreLeftOut() async throws {
        let folder = try TemporaryFolder()
        let source = CopySource.named("HRD")
        let movie = try await source.make(in: folder, seed: 2)
        func kinds(_ path: String) async throws -> Set<SEIKind> {
            let stream = try await Shell.ffmpeg(["-i", path, "-c", "copy", "-f", "h264", "-"])
            return try AnnexB.units(of: [UInt8](stream)[...]).filter { H264UnitType(of: $0) == .sei }.reduce(into: []) {
                $0.formUnion(try SEIUnit($1, headerLength: 1).messages.map(\.kind))
            }
        }
        #expect(try await kinds(movie.path).isSuperset(of: [.bufferingPeriod, .pictureTiming, .encoderSettings]))
        // From an IDR picture to an end: nothing is encoded, whose encoder would say its settings.
        let clip = #"{ "asset": "hrd", "in": "50f", "duration": "150f" }"#
        let edit = try PlannedEdit(cuts([clip], ["hrd"]), ["hrd": movie], preset: nil, copies: true)
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
        let sources = [CopySource.named("pyramid"), CopySource.named("CAVLC"), CopySource.named("HRD")]
        var movies: [String: TestMovie] = [:]
        for (number, source) in sources.enumerated() {
            movies[source.asset] = try await source.make(in: folder, seed: number)
        }
        let segments = sources.map { "{ \"asset\": \"\($0.asset)\", \"in\": \"7f\", \"duration\": \"150f\" }" }
        let edit = try PlannedEdit(
            cuts(segments, sources.map(\.asset)),
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
        // One of them is of Main in its file.
        #expect(Set(sets.sps.values.map(\.profile)) == [100] && record.profile == 100)
        for sps in sets.sps.values {
            let vui = try #require(sps.vui)
            #expect(!vui.hasHRD && vui.timing?.timeScale == 50 && vui.timing?.unitsInTick == 1)
            #expect(vui.signal?.colour == .init(primaries: 1, transfer: 1, matrix: 1))
            #expect(vui.aspectRatio?.ratio.map { [$0.width, $0.height] } == [1, 1])
        }
        #expect(Set(sets.sps.values.compactMap { $0.vui?.restriction?.reorderFrames }).count == 1)
    }
}

/// An edit of clips of sources, one behind the other.
private func cuts(_ segments: [String], _ names: [String]) -> String {
    CopyCutList.text(tracks: [CopyCutList.track("video", segments)], names.map { ($0, $0) })
}
