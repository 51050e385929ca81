import Testing

/// Time passes where a test turns it. No test sleeps to show that nothing happened, and none asserts how long something
/// took: it waits for a condition, without a limit, and the product measures time on a clock from outside. What still
/// looks at the real time is listed here, with the reason.
@Suite struct RealTimeTests {
    /// A pause of 86400 s stands for one without an end, which a test ends itself.
    private static var inTests: Regex<Substring> {
        #/
        \b(?:Task|Thread|time)\.sleep\((?!86400) | (?:^|[^\w.])(?:u|nano|pg_)?sleep\((?!86400)
        | \b(?:Continuous|Suspending)Clock\b | \bDispatch(?:Wall)?Time\b | \bDate(?:\(\)|\.now\b)
        | \.timeLimit\b | \basyncAfter\b | \bwait\(timeout:
        /#
    }

    /// A clock that is a parameter's default may be turned by a test.
    private static var inSources: Regex<(Substring, start: Substring?)> {
        #/
        \bTask\.sleep\( | (?:^|[^\w.])(?:u|nano)?sleep\( | \bContinuousClock(?:\.now|\(\)\.)\b | \bSuspendingClock\b
        | (?<start>=\s\{\s)?\bDate(?:\(\)|\.now\b) | \basyncAfter\b | \bwait\(timeout:
        /#
    }

    private static let tests = [
        "Tests/ArchitectureTests/RealTimeTests.swift": "names what it forbids",
        "Tests/TestSupport/TestClock.swift": "the clock that tests turn; gives others a turn between its own",
        "Tests/TestSupport/PauseClock.swift": "a clock on which a pause takes no time",
        "Tests/TestSupport/WaitUntil.swift": "asks for the condition again and again",
        "Tests/TestSupport/TemporaryFolder.swift": "asks the kernel for a lease until it gives one",
        "Tests/TestSupport/LoopbackServer.swift": "the answers of a slow server take time",
        "Tests/WorkerTests/Support/FakeRenderer.swift": "a process that waits for a file",
        "Tests/WorkerTests/Support/ScriptedFarm.swift": "the worker's own clock, unless a test turns it",
        "Tests/CoordinatorTests/ConnectionTests.swift": "a client that sends at a pace, which the server watches",
        "Tests/CoordinatorTests/JobTests.swift": "jobs of different milliseconds, by which they are listed",
        "Tests/CoordinatorTests/Store/StoreCrashTests.swift": "chooses the moments of kills",
        "Tests/SandboxTests/ParentTests.swift": "chooses the moments of kills",
        "Tests/CoordinatorTests/Store/StoreMeasurements.swift": "prints what it measures, and asserts nothing of it",
        "Tests/CoordinatorTests/Support/StalledStore.swift": "holds an answer until a test lets it go",
        "Tests/ObjectStorageTests/BucketTests.swift": "a service holds the time of requests against its own",
        "Tests/CoordinatorTests/ArtifactLibraryTests.swift": "names of objects and files have real times",
        "Tests/CoordinatorTests/MetricsTests.swift": "asks again long before a count is old",
        "Tests/CLITests/TerminalTests.swift": "shows a person how old an attempt is",
        "Tests/EndToEndTests/Relay.swift": "a process that waits for a file",
        "Tests/EndToEndTests/CuttingRelay.swift": "a process that waits for a file",
        "Tests/EndToEndTests/FarmTests.swift": "chooses the moment of an interruption",
    ]

    private static let sources = [
        "Sources/CLI/Commands/JobsCommand.swift": "draws the table again for a person",
        "Sources/CLI/Commands/WorkersCommand.swift": "shows a person when a worker was heard of",
        "Sources/CLI/Edits/NamePattern.swift": "the day in the name of a file",
        "Sources/CLI/Report/ReportStart.swift": "counts back from now, as a person writes it",
        "Sources/CLI/Output/LogReader.swift": "shows a person how old an attempt is",
        "Sources/CLI/Output/UploadProgress.swift": "shows a person the time that has passed",
        "Sources/CLI/Output/JobTable.swift": "shows a person how old a job is",
        "Sources/CLI/Output/HearingProgress.swift": "shows a person the time that has passed",
        "Sources/CLI/Output/ProgressDisplay.swift": "shows a person the time that has passed",
        "Sources/Coordinator/Maintenance/ArtifactCollection.swift": "waits for the file lock of another process",
        "Sources/Coordinator/Artifacts/ArtifactLibrary.swift": "waits for the file lock of another process",
        "Sources/Coordinator/Artifacts/BucketArtifacts.swift": "gives another machine time to write",
        "Sources/Storage/OutputFolderLook.swift": "leaves a file system that hangs",
        "Sources/Storage/PartialUpload.swift": "waits for the file lock of another sender",
        "Sources/Curl/Transfer.swift": "libcurl, whose times it completes, knows the real time only",
        "Sources/Coordinator/Metrics/FarmMetrics.swift": "the start of the process",
        "Sources/Coordinator/Stitching/SaidLines.swift": "the time of a log line",
        "Sources/Worker/AttemptLogs.swift": "the time of a log line",
        "Sources/Coordinator/Logging/JSONLogHandler.swift": "the time of a log line",
        "Sources/Coordinator/Logging/TextLogHandler.swift": "the time of a log line",
        "Sources/Farm/Store/FarmClock.swift": "the system's clock behind the type that tests turn",
        "Sources/Ingest/Speech/SpeechSynthesis.swift": "ends another program that hangs",
        "Sources/PostgreSQL/Connection+Query.swift": "poll(2) takes a time",
        "Sources/PostgreSQL/Embedded/EmbeddedPostgreSQL.swift": "watches the server's process",
        "Sources/PostgreSQL/Embedded/ServerProcesses.swift": "waits for the server's processes",
    ]

    /// What every line that looks at the time has one of.
    private static let words = ["sleep", "Clock", "Dispatch", "Date", "timeLimit", "asyncAfter", "timeout"]

    private static func looksAtTheTime(_ file: SourceFile) -> Bool {
        // Words are found much faster than patterns.
        guard words.contains(where: file.text.contains) else { return false }
        let code = file.uncommented
        guard file.path.hasPrefix("Sources/") else { return code.contains(byLines(inTests)) }
        return code.matches(of: byLines(inSources)).contains { $0.output.start == nil }
    }

    /// `^` stands for the start of each line, and a word ends at a full stop.
    private static func byLines<Output>(_ pattern: Regex<Output>) -> Regex<Output> {
        pattern.anchorsMatchLineEndings().wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
    }

    private func check(_ folder: String, against listed: [String: String]) throws {
        let files = try SourceTree.files(below: folder)
        let found = Set(files.filter(Self.looksAtTheTime).map(\.path))
        #expect(files.count > 100)
        #expect(found.subtracting(listed.keys).sorted() == [], "these wait for time, or measure it")
        #expect(Set(listed.keys).subtracting(found).sorted() == [], "these are listed for nothing")
    }

    @Test func testsWaitForConditions() throws { try check("Tests", against: Self.tests) }

    @Test func theProductMeasuresTimeOnAClockFromOutside() throws { try check("Sources", against: Self.sources) }

    /// The tests above see each way to wait for time or to measure it.
    @Test(arguments: [
        ("Tests", "try await Task.sleep(for: .seconds(1))", true), ("Tests", "    usleep(600_000)", true),
        ("Tests", "sleep(1)", true), ("Tests", "\"SELECT pg_sleep(0.2)\"", true), ("Tests", "time.sleep(30)", true),
        ("Tests", "let start = ContinuousClock.now", true), ("Tests", "@Test(.timeLimit(.minutes(1)))", true),
        ("Tests", "let death = Date()", true), ("Tests", "ended.wait(timeout: .now() + 1)", true),
        ("Tests", "// Task.sleep(for: .seconds(1))", false),
        ("Tests", "try await clock.sleep(for: .seconds(1))", false),
        ("Tests", "\"SELECT pg_sleep(86400)\"", false), ("Tests", "Date(timeIntervalSince1970: 0)", false),
        ("Sources", "let end = ContinuousClock.now + limit", true), ("Sources", "usleep(5_000)", true),
        ("Sources", "let clock = ContinuousClock().now", true), ("Sources", "try await Task.sleep(for: pause)", true),
        ("Sources", "let now = Date()", true), ("Sources", "let now = Date.now", true),
        ("Sources", "clock: any Clock<Duration> = ContinuousClock()", false),
        ("Sources", "now: @escaping @Sendable () -> Date = { Date() }", false),
        ("Sources", "try await clock.sleep(for: pause)", false),
    ])
    func eachWayIsSeen(folder: String, line: String, isSeen: Bool) {
        let file = SourceFile(path: folder + "/A.swift", text: "import A\n" + line + "\n")
        #expect(Self.looksAtTheTime(file) == isSeen)
    }
}
