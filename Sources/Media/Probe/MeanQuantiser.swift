import Bitstream

/// The mean quantiser of a stream's pictures, by the headers of their slices: what single macroblocks add to it is not
/// read.
struct MeanQuantiser {
    private var inter = Mean()
    private var intra = Mean()

    private struct Mean {
        /// The sum of the pictures' quantisers in thousandths.
        var sum: Int64 = 0
        var count: Int64 = 0

        var value: Int? { count > 0 ? Int((sum + count / 2) / count) : nil }
    }

    /// The mean of P and B pictures, in thousandths; of I pictures where there are no others, nil without any.
    var thousandths: Int? { inter.value ?? intra.value }

    /// Counts a picture: SliceQPY = 26 + pic_init_qp_minus26 + slice_qp_delta (ITU-T H.264, 7.4.3), the mean of its
    /// slices.
    mutating func add(_ picture: H264AccessUnit) {
        var quantisers: [Int] = []
        for slice in picture.slices {
            guard let active = try? picture.sets.active(pps: slice.ppsID) else { return }
            quantisers.append(active.pps.initialQP + slice.qpDelta)
        }
        add(quantisers, isIntra: picture.slices.allSatisfy(\.type.isIntra))
    }

    /// Counts a picture of HEVC: SliceQpY = 26 + init_qp_minus26 + slice_qp_delta (ITU-T H.265, 7.4.7.1).
    mutating func add(_ picture: HEVCAccessUnit) {
        var quantisers: [Int] = []
        for slice in picture.slices where !slice.isDependent {
            guard let active = try? picture.sets.active(pps: slice.ppsID) else { return }
            quantisers.append(active.pps.initialQP + slice.qpDelta)
        }
        add(quantisers, isIntra: picture.isIntra)
    }

    private mutating func add(_ quantisers: [Int], isIntra: Bool) {
        guard !quantisers.isEmpty else { return }
        let mean = Int64(quantisers.reduce(0, +)) * 1000 / Int64(quantisers.count)
        if isIntra {
            intra.sum += mean
            intra.count += 1
        } else {
            inter.sum += mean
            inter.count += 1
        }
    }
}
