/// Finds the intra pictures that can be rewritten as IDR pictures (``H264IDREntry``), so that decoding begins there and
/// gives all pictures that are shown from there on as they are.
///
/// An encoder's promise, a recovery point, is not asked. An entry is proved by the lists of reference pictures: they are
/// computed as a decoder of the stream does and as one of the rewritten stream does, until both hold the same pictures.
///
/// ```
/// decoding order   I0 P4 b2 │ I8  b6 │ P12 b10 P16 b14 …
///                             └entry └ left out: it refers to P4, from which the entry separates
/// ```
package struct H264EntryFinder: Sendable {
    /// What is known of a picture when it is taken.
    package struct Finding: Hashable, Sendable {
        /// PicOrderCnt( ), counted from the last IDR picture; nil when the picture cannot be followed.
        package var order: Int?
        /// A slice names a reference picture that a decoder does not hold.
        package var namesMissing = false
        /// It would be left out behind an entry, but comes so late that this is known already to be right without it.
        package var isLate = false
    }

    /// Kept pictures behind an entry after which none that was left out can come: a decoder holds 16 frames at the most,
    /// and would have to hold all of them back (A.3.1).
    private static let leastKept = 17
    /// Pictures after which a trial that did not end is given up.
    private static let mostPictures = 300
    /// Trials at a time.
    private static let mostTrials = 32

    /// The numbers of the entries that were found, by the order in which they were proved.
    package private(set) var entries: [Int] = []
    private var number = -1
    private var order = H264PictureOrder()
    private var references = H264ReferencePictures()
    /// Whether ``references`` are all that a decoder holds: since an IDR picture, or since there is room for no others.
    private var isWhole = false
    private var lastSPS: H264SPS?
    private var trials: [H264EntryTrial] = []
    /// The highest count of an entry since the last IDR picture.
    private var highestEntry: Int?

    package init() {}

    /// Takes the next picture in decoding order. Pictures are numbered from 0.
    /// - Parameters:
    ///   - slices: the headers of the picture's slices; empty when the picture cannot be read.
    ///   - sps: the SPS that is in force; nil when the picture cannot be read.
    ///   - isPlain: whether nothing about it is unusual, as a missing frame or a long-term reference before it. What a
    ///     decoder holds is not known behind a picture that is not plain.
    package mutating func add(_ slices: [H264SliceHeader], _ sps: H264SPS?, isPlain: Bool) -> Finding {
        number += 1
        guard let first = slices.first, let sps else {
            forget()
            return Finding()
        }
        if first.isIDR { finish() }
        if let lastSPS, lastSPS != sps, !first.isIDR { forget() }
        lastSPS = sps
        let count = order.next(first, sps).value
        var finding = Finding(order: count)
        guard isPlain else {
            forget()
            return finding
        }
        do throws(BitstreamError) {
            let lists = try slices.map { slice throws(BitstreamError) in
                try references.lists(of: slice, order: count, sps)
            }
            finding.namesMissing = isWhole && lists.contains(where: \.namesMissing)
            finding.isLate = !first.isIDR && highestEntry.map { count < $0 } == true
            try advance(slices, lists, order: count, sps)
        } catch {
            forget()
        }
        return finding
    }

    /// Ends the stream, or the part of it before an IDR picture: what was right up to here is proved.
    package mutating func finish() {
        entries += trials.map(\.entry)
        trials = []
        (isWhole, highestEntry) = (true, nil)
        references = H264ReferencePictures()
    }

    /// What a decoder holds is not known any more.
    private mutating func forget() {
        trials = []
        references = H264ReferencePictures()
        isWhole = false
    }

    private mutating func advance(
        _ slices: [H264SliceHeader],
        _ lists: [H264ReferencePictures.Lists],
        order count: Int,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        trials = trials.compactMap { trial in
            var trial = trial
            let isRight = (try? trial.add(slices, lists, order: count, number: number, sps)) != nil
            return isRight && trial.pictureCount < Self.mostPictures ? trial : nil
        }
        if isWhole { begin(slices, order: count, sps) }
        try references.decode(slices[0], id: number, order: count, sps)
        if references.count == max(sps.maxReferenceFrames, 1) { isWhole = true }
        prove()
    }

    private mutating func begin(_ slices: [H264SliceHeader], order count: Int, _ sps: H264SPS) {
        guard !slices[0].isIDR, slices.allSatisfy(\.type.isIntra), trials.count < Self.mostTrials,
            let trial = try? H264EntryTrial(entry: number, slices: slices, order: count, sps)
        else { return }
        trials.append(trial)
    }

    private mutating func prove() {
        let isProved = { [references] (trial: H264EntryTrial) in
            trial.keptCount >= Self.leastKept && trial.holds(references)
        }
        for trial in trials where isProved(trial) {
            entries.append(trial.entry)
            highestEntry = max(highestEntry ?? trial.entryOrder, trial.entryOrder)
        }
        trials.removeAll(where: isProved)
    }
}
