import CVectors
import Glibc

/// Vectors of a processor that some loops are written for. All give the same bits (`Sources/CVectors`).
public enum VectorLength: String, Sendable, CaseIterable {
    case plain
    case avx2
    case avx512

    /// The longest of this processor; ``plain`` where `CUTFARM_CPU=plain` asks for it (docs/picture.md, "On every
    /// CPU").
    public static let best: VectorLength =
        getenv("CUTFARM_CPU").map { String(cString: $0) } == "plain" ? .plain : supported.last ?? .plain

    /// Those of this processor, the shortest first.
    public static let supported = allCases.filter { $0.value.rawValue <= cut_vectors_supported().rawValue }

    var value: cut_vectors {
        switch self {
        case .plain: CUT_VECTORS_PLAIN
        case .avx2: CUT_VECTORS_AVX2
        case .avx512: CUT_VECTORS_AVX512
        }
    }
}
