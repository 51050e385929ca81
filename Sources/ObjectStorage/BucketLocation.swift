import Foundation

/// Where a bucket is: the service, its region, and how addresses name the bucket.
package struct BucketLocation: Sendable, Hashable {
    /// The places of an address that can name the bucket.
    package enum Addressing: String, Sendable, Hashable, CaseIterable {
        /// The first part of the path: `https://host/bucket/key`.
        case path
        /// The first part of the host's name: `https://bucket.host/key`.
        case virtualHost = "virtual-host"
    }

    /// The reason why there is no such place.
    package struct Invalid: Error, Hashable, CustomStringConvertible {
        /// One sentence for the user.
        package let description: String
    }

    /// The name of the bucket.
    package let bucket: String
    /// The region, which is a part of what is signed.
    package let region: String
    /// The host and, where it is not the scheme's own, the port: what the header `Host` says.
    let host: String
    /// `http` or `https`.
    let scheme: String
    /// The beginning of every path: empty, or a slash and the bucket.
    let base: String

    /// Names a bucket of a service.
    /// - Parameter endpoint: the address of the service, such as `https://s3.eu-central-1.amazonaws.com` or
    ///   `http://127.0.0.1:8080`; nil is Amazon's for the region.
    /// - Throws: ``Invalid`` for a bucket's name or an endpoint that cannot be.
    package init(
        bucket: String,
        region: String = "us-east-1",
        endpoint: String? = nil,
        addressing: Addressing = .path
    ) throws(Invalid) {
        guard (3...63).contains(bucket.utf8.count),
            bucket.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 }),
            !bucket.contains(".."), bucket.first != ".", bucket.first != "-", bucket.last != ".", bucket.last != "-"
        else {
            let rule = "3 to 63 lower-case letters, digits, dots and hyphens, a letter or digit at either end"
            throw Invalid(description: "“\(bucket)” is no name of a bucket, which has \(rule).")
        }
        let endpoint = endpoint ?? "https://s3.\(region).amazonaws.com"
        guard let parts = URLComponents(string: endpoint), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let name = parts.encodedHost, !name.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil, parts.path.isEmpty || parts.path == "/"
        else {
            throw Invalid(
                description:
                    "“\(endpoint)” is no address of an S3 service; write it as https://host or http://host:port."
            )
        }
        guard !region.isEmpty, region.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 47 }) else {
            throw Invalid(description: "“\(region)” is no name of a region, such as eu-central-1.")
        }
        (self.bucket, self.region, self.scheme) = (bucket, region, scheme)
        let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        let service = name.lowercased() + port
        (host, base) = addressing == .path ? (service, "/" + bucket) : (bucket + "." + service, "")
    }

    /// The path of an object, or of the bucket for an empty key, as it stands in addresses.
    func path(of key: String) -> String {
        base + (key.isEmpty && !base.isEmpty ? "" : "/" + key.percentEncoded(keepingSlashes: true))
    }
}
