import Foundation

extension Bucket {
    /// Stores a file under a key that stands for its bytes, such as their digest: in one request when it is one part, else in
    /// parts, of which those that an earlier attempt sent are not sent again. An object that there is stays.
    /// - Parameters:
    ///   - partByteCount: the bytes of a part, at least 5 MiB; it must be the same in every attempt.
    ///   - onSent: takes the number of bytes that the service has, after each part.
    /// - Throws: ``BucketError``. What was sent so far stays for the next attempt.
    package func store(
        file path: String,
        byteCount: Int64,
        as key: String,
        partByteCount: Int64 = 16 << 20,
        onSent: @Sendable (Int64) -> Void = { _ in }
    ) async throws(BucketError) -> Stored {
        let sizes = PartSizes(byteCount: byteCount, least: partByteCount)
        if try await find(key) != nil { return .existed }
        guard sizes.ranges.count > 1 else {
            let stored = try await putWhole(.file(path: path, range: 0..<byteCount), as: key)
            onSent(byteCount)
            return stored
        }
        let upload: MultipartUpload
        if let begun = try await uploads(of: key).first { upload = begun } else { upload = try await beginUpload(key) }
        var parts = try await usable(parts(of: upload), sizes)
        var sent = parts.values.reduce(Int64(0)) { $0 + $1.byteCount }
        if sent > 0 { onSent(sent) }
        for (place, range) in sizes.ranges.enumerated() where parts[place + 1] == nil {
            parts[place + 1] = try await send(.file(path: path, range: range), as: place + 1, of: upload)
            sent += range.upperBound - range.lowerBound
            onSent(sent)
        }
        let stored: Stored
        do {
            stored = try await completeWhole(upload, Array(parts.values))
        } catch {
            // The answer to a request that was carried out may be lost, and the upload is gone then.
            guard error.kind == .missing || error.isTransient, try await find(key)?.byteCount == byteCount else {
                throw error
            }
            return .existed
        }
        if stored == .existed { try await abort(upload) }
        return stored
    }

    /// Stores the object unless somebody else did meanwhile; where the service cannot say so, both store the same bytes.
    private func putWhole(_ body: Body, as key: String) async throws(BucketError) -> Stored {
        do {
            return try await put(key, body, ifAbsent: true)
        } catch {
            guard error.kind == .noConditions else { throw error }
            return try await put(key, body)
        }
    }

    /// Completes an upload in parts as ``putWhole(_:as:)`` stores a whole.
    private func completeWhole(
        _ upload: MultipartUpload,
        _ parts: [UploadedPart]
    ) async throws(BucketError) -> Stored {
        do {
            return try await complete(upload, parts, ifAbsent: true)
        } catch {
            guard error.kind == .noConditions else { throw error }
            return try await complete(upload, parts)
        }
    }

    /// The object; nil when there is none.
    private func find(_ key: String) async throws(BucketError) -> ObjectFacts? {
        do {
            return try await head(key)
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    /// The parts of the right length, by number.
    private func usable(_ parts: [UploadedPart], _ sizes: PartSizes) -> [Int: UploadedPart] {
        let ranges = sizes.ranges
        return parts.reduce(into: [:]) { usable, part in
            guard ranges.indices.contains(part.number - 1) else { return }
            let range = ranges[part.number - 1]
            if part.byteCount == range.upperBound - range.lowerBound { usable[part.number] = part }
        }
    }
}
