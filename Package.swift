// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is built with: Swift 6 mode, warnings are errors, C types never leak through a module's
/// face.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
]

/// Loops over pixels, samples and packets: optimised in debug builds too, or every test would crawl.
let optimised: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

/// What the coordinator carries in its executable. `.embedInCode` takes files, not folders: a new migration is named
/// here.
let embedded: [Resource] = [
    .embedInCode("Store/Migrations/0001_farm.sql"),
    .embedInCode("Store/Migrations/0002_secret.sql"),
    .embedInCode("Store/Migrations/0003_references.sql"),
    .embedInCode("Store/Migrations/0004_history.sql"),
    .embedInCode("Store/Migrations/0005_versions.sql"),
    .embedInCode("Store/Migrations/0006_stills.sql"),
    .embedInCode("Store/Migrations/0007_measure.sql"),
    .embedInCode("Store/Migrations/0008_stages.sql"),
    .embedInCode("Dashboard/Files/index.html"),
    .embedInCode("Dashboard/Files/dashboard.css"),
    .embedInCode("Dashboard/Files/dashboard.js"),
]

let systemLibraries: [Target] = [
    .systemLibrary(name: "CLibAV", pkgConfig: "libavformat", providers: [.apt(["libavformat-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CLibAss", pkgConfig: "libass", providers: [.apt(["libass-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
]

let libraries: [Target] = [
    .target(name: "Digests", dependencies: ["CLibCrypto"], swiftSettings: strict),
    .target(name: "TLS", dependencies: ["CLibSSL", logging, nioCore], swiftSettings: strict),
    .target(name: "Shared", dependencies: ["Digests"], swiftSettings: strict),
    .target(name: "Farm", dependencies: ["Shared"], swiftSettings: strict),
    .target(name: "Media", dependencies: ["Shared", "CLibAV"], swiftSettings: optimised),
    .target(name: "CVectors", cSettings: [.unsafeFlags(["-O2", "-ffp-contract=off"])]),
    .target(name: "Pixels", dependencies: ["CVectors"], swiftSettings: optimised),
    .target(name: "Samples", dependencies: ["Shared"], swiftSettings: optimised),
    .target(name: "Titles", dependencies: ["Shared", "CPango"], swiftSettings: strict),
    .target(name: "Subtitles", dependencies: ["Shared", "CLibAss"], swiftSettings: strict),
    .target(
        name: "Rendering",
        dependencies: ["Shared", "Media", "Pixels", "Samples", "Titles", "Subtitles"],
        swiftSettings: optimised
    ),
    .target(name: "Storage", dependencies: ["Shared"], swiftSettings: strict),
    .target(name: "Threads", swiftSettings: strict),
    .target(name: "PostgreSQL", dependencies: ["CLibPQ", "Threads", logging], swiftSettings: strict),
    .target(name: "Curl", dependencies: ["CLibCurl", "Threads"], swiftSettings: strict),
    .target(name: "CSandbox"),
    .target(name: "Sandbox", dependencies: ["Shared", "CSandbox", subprocess, logging], swiftSettings: strict),
    .target(
        name: "Coordinator",
        dependencies: [
            "Shared", "Farm", "PostgreSQL", "Storage", "Sandbox", "Digests", "TLS", logging, lifecycle,
            hummingbird, nioCore, nioPosix,
        ],
        resources: embedded,
        swiftSettings: strict
    ),
    .target(
        name: "Worker",
        dependencies: ["Shared", "Farm", "Samples", "Client", "Storage", "Sandbox", logging, lifecycle],
        swiftSettings: strict
    ),
    .target(name: "Client", dependencies: ["Shared", "Curl", "Storage", "Sandbox"], swiftSettings: strict),
]

let executables: [Target] = [
    .executableTarget(
        name: "CLI",
        dependencies: [
            "Shared", "Farm", "Coordinator", "Worker", "Client", "Storage", "PostgreSQL", "Sandbox", arguments, logging,
            lifecycle, signals, subprocess,
        ],
        swiftSettings: strict
    ),
    .executableTarget(
        name: "KernelBench",
        dependencies: ["Pixels"],
        path: "Benchmarks/Kernels",
        swiftSettings: strict,
        linkerSettings: [.linkedLibrary("m")]
    ),
    .executableTarget(
        name: "RenderChild",
        dependencies: ["Shared", "Media", "Titles", "Subtitles", "Rendering", "Sandbox", "CSandbox"],
        swiftSettings: strict
    ),
]

/// Tests of one module, with what they need beside it.
func tests(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: module + "Tests",
        dependencies: [.target(name: module), "TestSupport"] + dependencies,
        swiftSettings: strict
    )
}

let testTargets: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["Shared", subprocess],
        path: "Tests/TestSupport",
        swiftSettings: strict
    ),
    .target(
        name: "TestDatabase",
        dependencies: ["PostgreSQL", logging],
        path: "Tests/TestDatabase",
        swiftSettings: strict
    ),
    tests("Digests"),
    tests("TLS", [nioCore, nioEmbedded, logging]),
    tests("Shared"),
    tests("Farm", ["Shared"]),
    tests("Media", ["Shared"]),
    tests("Pixels"),
    tests("Samples", ["Shared"]),
    tests("Titles", ["Shared"]),
    tests("Subtitles", ["Shared"]),
    tests("Rendering", ["Shared", "Media", "Pixels", "Samples", "Titles", "Subtitles", "Client"]),
    tests("Storage", ["Shared"]),
    tests("PostgreSQL", ["TestDatabase", logging]),
    tests("Curl"),
    tests("Sandbox", ["Shared", "RenderChild"]),
    tests("Coordinator", ["Shared", "Farm", "PostgreSQL", "Storage", "TLS", "TestDatabase", logging]),
    tests("Worker", ["Shared", "Farm", "Client", "Storage", "Sandbox", logging]),
    tests("Client", ["Shared", "Curl", "Storage"]),
    tests(
        "CLI",
        ["Shared", "Client", "Coordinator", "PostgreSQL", "RenderChild", "TestDatabase", arguments, lifecycle, logging]
    ),
    .testTarget(
        name: "EndToEndTests",
        dependencies: ["Shared", "TestSupport", "CLI", "RenderChild"],
        exclude: ["footage-edit.json"],
        swiftSettings: strict
    ),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: strict),
]

let package = Package(
    name: "cutfarm",
    products: [
        .executable(name: "cutfarm", targets: ["CLI"]),
        .executable(name: "cutfarm-render", targets: ["RenderChild"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: systemLibraries + libraries + executables + testTargets
)
