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

/// Loops over pixels, samples and packets, in modules and in their tests, and what plans edits and simulates farms by the
/// thousand: optimised in debug builds too, or every test would crawl. Each is compiled as a whole: in two batches of
/// files CompositionModel, Planning and EditLanguage took a third more processor time.
let optimised: [SwiftSetting] =
    strict + [
        .unsafeFlags(
            ["-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2"],
            .when(configuration: .debug)
        )
    ]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let systemLibraries: [Target] = [
    .systemLibrary(name: "CLibAV", pkgConfig: "libavformat", providers: [.apt(["libavformat-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CLibAss", pkgConfig: "libass", providers: [.apt(["libass-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
]

/// The rooms of Sources/Shared in the order of their use: values without I/O. Each imports those before it, and Digests.
let sharedRooms: [Target] = [
    .target(name: "Timing", path: "Sources/Shared/Timing", swiftSettings: optimised),
    .target(
        name: "CompositionModel",
        dependencies: ["Digests", "Timing"],
        path: "Sources/Shared/CompositionModel",
        swiftSettings: optimised
    ),
    .target(
        name: "Planning",
        dependencies: ["Timing", "CompositionModel"],
        path: "Sources/Shared/Planning",
        swiftSettings: optimised
    ),
    .target(
        name: "WireProtocol",
        dependencies: ["Timing", "CompositionModel", "Planning"],
        path: "Sources/Shared/WireProtocol",
        swiftSettings: strict
    ),
    .target(
        name: "EditLanguage",
        dependencies: ["Timing", "CompositionModel", "Planning"],
        path: "Sources/Shared/EditLanguage",
        swiftSettings: optimised
    ),
]

let libraries: [Target] = [
    .target(name: "Digests", dependencies: ["CLibCrypto"], swiftSettings: strict),
    .target(name: "Threads", swiftSettings: strict),
    .target(name: "TLS", dependencies: ["CLibSSL", logging, nioCore], swiftSettings: strict),
    .target(name: "Bitstream", swiftSettings: optimised),
    .target(name: "CVectors", cSettings: [.unsafeFlags(["-O2", "-ffp-contract=off"])]),
    .target(name: "Pixels", dependencies: ["CVectors"], swiftSettings: optimised),
    .target(
        name: "Samples",
        dependencies: ["Timing", "CompositionModel", "Planning", "WireProtocol"],
        swiftSettings: optimised
    ),
    .target(
        name: "Media",
        dependencies: ["CLibAV", "Bitstream", "Timing", "CompositionModel", "WireProtocol"],
        swiftSettings: optimised
    ),
    .target(name: "Titles", dependencies: ["CPango", "CompositionModel", "WireProtocol"], swiftSettings: strict),
    .target(name: "Subtitles", dependencies: ["CLibAss", "CompositionModel"], swiftSettings: strict),
    .target(
        name: "Rendering",
        dependencies: [
            "Bitstream", "Timing", "CompositionModel", "Planning", "WireProtocol", "Pixels", "Samples", "Media",
            "Titles", "Subtitles",
        ],
        swiftSettings: optimised
    ),
    .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
    .target(
        name: "Sandbox",
        dependencies: ["CSandbox", "Timing", "CompositionModel", "Planning", "WireProtocol", "Threads", subprocess],
        swiftSettings: strict
    ),
    .target(name: "Storage", dependencies: ["CompositionModel", "WireProtocol"], swiftSettings: strict),
    .target(name: "Curl", dependencies: ["CLibCurl", "Threads"], swiftSettings: strict),
    .target(name: "PostgreSQL", dependencies: ["CLibPQ", "Threads", logging], swiftSettings: strict),
    .target(
        name: "Farm",
        dependencies: ["Timing", "CompositionModel", "Planning", "WireProtocol"],
        swiftSettings: optimised
    ),
    .target(name: "ObjectStorage", dependencies: ["Digests", "Threads", "Curl", "Farm"], swiftSettings: strict),
    .target(name: "Client", dependencies: ["CompositionModel", "WireProtocol", "Curl"], swiftSettings: strict),
    .target(
        name: "Ingest",
        dependencies: [
            "Timing", "CompositionModel", "WireProtocol", "EditLanguage", "Threads", "Sandbox", "Storage",
        ],
        swiftSettings: strict
    ),
    .target(name: "CEmbedded"),
    .target(
        name: "Coordinator",
        dependencies: [
            "Digests", "Timing", "CompositionModel", "Planning", "WireProtocol", "EditLanguage", "Threads", "TLS",
            "Sandbox", "Storage", "Curl", "PostgreSQL", "Farm", "ObjectStorage", "CEmbedded", logging, lifecycle,
            hummingbird, nioCore, nioHTTP1, nioPosix,
        ],
        // They are embedded by the module CEmbedded.
        exclude: ["Store/Migrations", "Dashboard/Files", "API/openapi.json"],
        swiftSettings: strict
    ),
    .target(
        name: "Worker",
        dependencies: [
            "Timing", "CompositionModel", "Planning", "WireProtocol", "Threads", "Samples", "Sandbox", "Storage",
            "Farm", "Client", logging, lifecycle,
        ],
        swiftSettings: strict
    ),
]

let executables: [Target] = [
    .executableTarget(
        name: "CLI",
        dependencies: [
            "Timing", "CompositionModel", "Planning", "WireProtocol", "EditLanguage", "Threads", "TLS", "Sandbox",
            "Storage", "PostgreSQL", "Farm", "ObjectStorage", "Client", "Ingest", "Coordinator", "Worker", logging,
            subprocess, lifecycle, signals, arguments,
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
        name: "LeaseBench",
        dependencies: ["WireProtocol"],
        path: "Benchmarks/Leases",
        swiftSettings: strict
    ),
    .executableTarget(
        name: "MakespanBench",
        dependencies: ["FarmSimulation"],
        path: "Benchmarks/Makespan",
        swiftSettings: strict
    ),
    .executableTarget(
        name: "PlanningBench",
        dependencies: ["CompositionModel", "Planning", "EditLanguage", "Sandbox", "EditSamples"],
        path: "Benchmarks/Planning",
        exclude: ["most.awk"],
        swiftSettings: strict
    ),
    .executableTarget(
        name: "RenderChild",
        dependencies: [
            "CSandbox", "CompositionModel", "Planning", "WireProtocol", "Media", "Titles", "Subtitles", "Rendering",
            "Sandbox",
        ],
        swiftSettings: strict
    ),
]

/// Tests of one module, with what they need beside it.
/// - Parameter settings: optimised where the tests themselves loop over pixels or samples.
func tests(
    _ module: String,
    _ dependencies: [Target.Dependency] = [],
    _ settings: [SwiftSetting] = strict
) -> Target {
    .testTarget(
        name: module + "Tests",
        dependencies: [.target(name: module), "TestSupport"] + dependencies,
        swiftSettings: settings
    )
}

let testTargets: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["Timing", "CompositionModel", subprocess],
        path: "Tests/TestSupport",
        swiftSettings: optimised
    ),
    .target(
        name: "TestDatabase",
        dependencies: ["PostgreSQL", "TestSupport", logging],
        path: "Tests/TestDatabase",
        swiftSettings: strict
    ),
    .target(
        name: "FarmSimulation",
        dependencies: ["Timing", "CompositionModel", "Planning", "WireProtocol", "Farm"],
        path: "Tests/FarmSimulation",
        swiftSettings: optimised
    ),
    .target(
        name: "EditSamples",
        dependencies: ["Timing", "CompositionModel", "Planning", "WireProtocol", "EditLanguage", "TestSupport"],
        path: "Tests/EditSamples",
        swiftSettings: strict
    ),
    tests("Digests"),
    tests("Threads"),
    tests("Timing", ["CompositionModel"]),
    tests("CompositionModel", ["Timing", "Planning", "EditLanguage", "EditSamples"]),
    tests("Planning", ["Timing", "CompositionModel", "WireProtocol", "EditLanguage", "EditSamples"]),
    tests("WireProtocol", ["CompositionModel", "Planning"]),
    tests("EditLanguage", ["Timing", "CompositionModel", "Planning", "EditSamples"]),
    tests("TLS", ["CLibSSL", logging, nioCore, nioEmbedded]),
    tests("Bitstream", [], optimised),
    tests("Pixels", [], optimised),
    tests("Samples", ["Timing", "CompositionModel", "Planning"], optimised),
    tests("Media", ["Bitstream", "Timing", "CompositionModel"], optimised),
    tests("Titles", ["CompositionModel", "Planning"]),
    tests("Subtitles"),
    tests(
        "Rendering",
        [
            "Bitstream", "Timing", "CompositionModel", "Planning", "WireProtocol", "EditLanguage", "Pixels", "Samples",
            "Media", "Sandbox", "Ingest", "RenderChild",
        ],
        optimised
    ),
    tests("Sandbox", ["Timing", "CompositionModel", "Planning", "WireProtocol", "Threads", "RenderChild"]),
    tests("Storage", ["CompositionModel", "WireProtocol"]),
    tests("Curl"),
    tests("PostgreSQL", ["TestDatabase", logging]),
    tests("Farm", ["Timing", "CompositionModel", "Planning", "WireProtocol", "FarmSimulation"]),
    tests("ObjectStorage", ["Curl", "Farm"]),
    tests("Client", ["CompositionModel", "WireProtocol"]),
    tests("Ingest", ["Timing", "CompositionModel", "EditLanguage", "Storage"]),
    tests(
        "Coordinator",
        [
            "Timing", "CompositionModel", "Planning", "WireProtocol", "TLS", "Sandbox", "Storage", "Curl",
            "PostgreSQL", "Farm", "ObjectStorage", "TestDatabase", "FarmSimulation", logging, lifecycle, nioCore,
        ]
    ),
    tests(
        "Worker",
        [
            "Timing", "CompositionModel", "Planning", "WireProtocol", "Samples", "Sandbox", "Storage", "Farm", "Client",
            logging,
        ]
    ),
    tests(
        "CLI",
        [
            "Timing", "CompositionModel", "WireProtocol", "EditLanguage", "TLS", "Sandbox", "Storage", "PostgreSQL",
            "Farm", "Client", "Ingest", "Coordinator", "TestDatabase", logging, lifecycle, arguments, "RenderChild",
        ]
    ),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "Timing", "CompositionModel", "Planning", "WireProtocol", "PostgreSQL", "CLI", "TestSupport",
            "TestDatabase", "RenderChild",
        ],
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
    targets: systemLibraries + sharedRooms + libraries + executables + testTargets
)
