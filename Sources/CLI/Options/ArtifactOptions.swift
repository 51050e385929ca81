import ArgumentParser
import Coordinator
import Foundation
import ObjectStorage
import WireProtocol

/// Where a coordinator keeps artifacts for good.
struct ArtifactOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Bucket for assets, parts and movies: s3://BUCKET or s3://BUCKET/PREFIX, which all coordinators of the farm name. "
                + "Else they lie in the state folder.",
            valueName: "address"
        )
    )
    var artifacts: String?

    @Option(
        help: ArgumentHelp(
            "Gigabytes that copies of what is in the bucket may take on this disk; the least recently used go first.",
            valueName: "GB"
        )
    )
    var scratchLimit = 50

    func validate() throws {
        guard (1...1_000_000).contains(scratchLimit) else {
            throw ValidationError("--scratch-limit takes a whole number of gigabytes from 1 to 1000000.")
        }
    }

    /// The bucket; nil when artifacts lie in the state folder.
    /// - Throws: ``CommandFailure`` for an address, a service or keys that cannot be used.
    func bucket(_ s3: S3Options) throws -> ArtifactBucket? {
        guard let artifacts else { return nil }
        guard artifacts.hasPrefix("s3://"), !artifacts.contains("?"), !artifacts.contains("#") else {
            throw CommandFailure(
                .usage,
                "--artifacts takes an address like s3://BUCKET or s3://BUCKET/PREFIX, and not “\(artifacts)”."
            )
        }
        let parts = artifacts.dropFirst("s3://".count).split(separator: "/", omittingEmptySubsequences: true)
        // The farm is bound to the prefix for good, and many programs take such parts of an address out.
        if let part = parts.first(where: { $0 == "." || $0 == ".." || $0.unicodeScalars.contains { $0.value < 0x20 } })
        {
            throw CommandFailure(
                .usage,
                "--artifacts: the prefix of “\(artifacts)” has the part “\(String(part).visible)”, which cannot be one; remove that part."
            )
        }
        do {
            let location = try s3.location(parts.first.map(String.init) ?? "")
            return ArtifactBucket(
                Bucket(location, try s3.keys()),
                prefix: parts.dropFirst().joined(separator: "/"),
                scratchLimit: Int64(scratchLimit) * 1_000_000_000
            )
        } catch let error as BucketCredentials.Unusable {
            throw CommandFailure(.usage, error.description)
        } catch let error as BucketLocation.Invalid {
            throw CommandFailure(.usage, "--artifacts: \(error.description)")
        }
    }
}
