import ArgumentParser
import Coordinator
import Foundation
import ObjectStorage

/// What a coordinator fetches from elsewhere.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Beginning of addresses whose files edits may name: https://HOST/PATH/, s3://BUCKET/PATH/; or a block of "
                + "addresses such as 10.1.0.0/16 that their servers may have. Without one nothing is fetched.",
            valueName: "address"
        )
    )
    var sourceAllow: [String] = []

    @Option(help: ArgumentHelp("Gigabytes that one fetched file may have.", valueName: "GB"))
    var sourceLimit = 1000

    func validate() throws {
        guard (1...1_000_000).contains(sourceLimit) else {
            throw ValidationError("--source-limit takes a whole number of gigabytes from 1 to 1000000.")
        }
    }

    /// - Returns: nil when nothing is fetched.
    /// - Throws: ``CommandFailure`` for rules, a service or keys that cannot be used.
    func settings(_ s3: S3Options) throws -> SourceSettings? {
        do {
            let allowed = try SourceAllowList(sourceAllow)
            guard !allowed.isEmpty else {
                guard sourceAllow.isEmpty else {
                    throw CommandFailure(
                        .usage,
                        "--source-allow names blocks of addresses and no https:// or s3:// of files."
                    )
                }
                return nil
            }
            var settings = SourceSettings(allowed: allowed)
            settings.largest = Int64(sourceLimit) * 1_000_000_000
            settings.buckets.endpoint = s3.s3Endpoint
            settings.buckets.region = s3.s3Region
            settings.buckets.addressing = s3.s3Addressing
            if sourceAllow.contains(where: { $0.lowercased().hasPrefix("s3://") }) {
                settings.buckets.credentials = try s3.keys()
            }
            _ = try s3.location("any")
            return settings
        } catch let error as SourceAllowList.Invalid {
            throw CommandFailure(.usage, "--source-allow: \(error)")
        } catch let error as BucketCredentials.Unusable {
            throw CommandFailure(.usage, error.description)
        } catch let error as BucketLocation.Invalid {
            throw CommandFailure(.usage, error.description)
        }
    }
}
