import CVectors
import Synchronization

/// Vectors of a processor that some loops are written for. All give the same bits (`Sources/CVectors`).
package enum VectorLength: String, Sendable, CaseIterable {
    case plain
    case avx2
    case avx512

    /// The vectors that loops take unless they are told otherwise: the longest of this processor, until
    /// ``switchOff()``.
    package static var best: VectorLength { isOff.load(ordering: .relaxed) ? .plain : longest }

    /// From now on ``best`` is ``plain`` in this process.
    package static func switchOff() { isOff.store(true, ordering: .relaxed) }

    /// The lengths of this processor, the shortest first.
    package static let supported = allCases.filter { $0.value.rawValue <= cut_vectors_supported().rawValue }

    private static let longest = supported.last ?? .plain
    private static let isOff = Atomic(false)

    var value: cut_vectors {
        switch self {
        case .plain: CUT_VECTORS_PLAIN
        case .avx2: CUT_VECTORS_AVX2
        case .avx512: CUT_VECTORS_AVX512
        }
    }
}
