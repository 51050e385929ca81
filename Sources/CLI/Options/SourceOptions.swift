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

    @Option(help: ArgumentHelp("Service behind s3:// addresses; else Amazon's for the region.", valueName: "url"))
    var s3Endpoint: String?

    @Option(name: .customLong("s3-region"), help: ArgumentHelp("Region of the buckets.", valueName: "name"))
    var s3Region = "us-east-1"

    @Option(help: ArgumentHelp("Where addresses name the bucket: path or virtual-host.", valueName: "place"))
    var s3Addressing = BucketLocation.Addressing.path

    @Option(
        name: .customLong("s3-key-file"),
        help: ArgumentHelp(
            "Keys to the buckets, as AWS's tools write them; else AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and "
                + "AWS_SESSION_TOKEN.",
            valueName: "path"
        )
    )
    var s3KeyFile: String?

    @Option(
        name: .customLong("s3-profile"),
        help: ArgumentHelp("Section of the file of keys.", valueName: "name")
    )
    var s3Profile = "default"

    func validate() throws {
        guard (1...1_000_000).contains(sourceLimit) else {
            throw ValidationError("--source-limit takes a number of gigabytes from 1 to 1000000.")
        }
    }

    /// - Returns: nil when nothing is fetched.
    /// - Throws: ``CommandFailure`` for rules, a service or keys that cannot be used.
    func settings() throws -> SourceSettings? {
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
            settings.buckets.endpoint = s3Endpoint
            settings.buckets.region = s3Region
            settings.buckets.addressing = s3Addressing
            settings.buckets.credentials = try keys()
            _ = try BucketLocation(bucket: "any", region: s3Region, endpoint: s3Endpoint, addressing: s3Addressing)
            return settings
        } catch let error as SourceAllowList.Invalid {
            throw CommandFailure(.usage, "--source-allow: \(error)")
        } catch let error as BucketCredentials.Unusable {
            throw CommandFailure(.usage, error.description)
        } catch let error as BucketLocation.Invalid {
            throw CommandFailure(.usage, error.description)
        }
    }

    private func keys() throws(BucketCredentials.Unusable) -> BucketCredentials? {
        guard sourceAllow.contains(where: { $0.lowercased().hasPrefix("s3://") }) else { return nil }
        if let s3KeyFile { return try BucketCredentials(file: s3KeyFile, profile: s3Profile) }
        if let keys = try BucketCredentials(environment: ProcessInfo.processInfo.environment) { return keys }
        throw BucketCredentials.Unusable(
            "s3:// addresses need keys: name a file with --s3-key-file, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    }
}

extension BucketLocation.Addressing: ExpressibleByArgument {}
