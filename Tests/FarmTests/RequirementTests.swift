import Testing
import WireProtocol

@testable import Farm

@Suite struct RequirementTests {
    private func worker(tags: [String] = [], memory: Int64? = nil, libraries: [String: String] = [:]) -> WorkerRecord {
        let registration = WorkerRegistration(
            name: "w",
            kinds: TaskKind.allCases,
            slots: 1,
            rendererVersion: 1,
            libraries: libraries,
            tags: tags,
            memoryBytes: memory
        )
        return WorkerRecord(registration, id: FarmFixture.id(1), registered: FarmFixture.start)
    }

    @Test(
        arguments: [
            ("tag=room-2", "tag=room-2"), ("memory=8GB", "memory=8GB"), ("memory=8000MB", "memory=8GB"),
            ("memory=8GiB", "memory=8GiB"), ("encoder=libx265", "encoder=libx265"),
        ]
    )
    func itIsReadAsItIsWritten(text: String, canonical: String) {
        #expect(WorkerRequirement(text)?.text == canonical)
    }

    @Test(arguments: [
        "", "tag", "tag=", "tag=a b", "memory=8", "memory=GB", "memory=-1GB", "memory=0GB", "gpu=1", "tag=ä",
    ])
    func otherTextIsNoRequirement(text: String) { #expect(WorkerRequirement(text) == nil) }

    @Test(
        arguments: [
            ("tag=gpu", true), ("tag=room", false), ("memory=16GB", true), ("memory=17GiB", false),
            ("encoder=libx265", true),
            ("encoder=libsvtav1", false), ("encoder=aac", true), ("encoder=none", false),
        ]
    )
    func aWorkerHasItOrNot(text: String, isMet: Bool) {
        let worker = worker(tags: ["gpu"], memory: 16 << 30, libraries: ["x265": "3.5"])
        #expect(Requirements([WorkerRequirement(text)].compactMap(\.self)).areMet(by: worker) == isMet)
    }

    @Test func memoryThatIsNotKnownIsTooLittle() {
        #expect(!Requirements([.memory(bytes: 1)]).areMet(by: worker()))
    }

    @Test func whatALaterVersionRequiresNobodyHas() {
        #expect(!Requirements(texts: ["colour=red"]).areMet(by: worker()))
        #expect(Requirements.none.areMet(by: worker()))
    }
}
