import ArgumentParser
import Foundation
import ObjectStorage

/// The S3 service of a coordinator's buckets, and the keys to it.
struct S3Options: ParsableArguments {
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

    /// A bucket of the service.
    /// - Throws: ``BucketLocation/Invalid`` for a name that no bucket has, or an endpoint that cannot be.
    func location(_ bucket: String) throws(BucketLocation.Invalid) -> BucketLocation {
        try BucketLocation(bucket: bucket, region: s3Region, endpoint: s3Endpoint, addressing: s3Addressing)
    }

    /// The keys to the buckets.
    /// - Throws: ``BucketCredentials/Unusable`` when there are none, or the file cannot be used.
    func keys() throws(BucketCredentials.Unusable) -> BucketCredentials {
        if let s3KeyFile { return try BucketCredentials(file: s3KeyFile, profile: s3Profile) }
        if let keys = try BucketCredentials(environment: ProcessInfo.processInfo.environment) { return keys }
        throw BucketCredentials.Unusable(
            "s3:// addresses need keys: name a file with --s3-key-file, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    }
}

extension BucketLocation.Addressing: ExpressibleByArgument {}
