import ArgumentParser

/// How much of what was rendered is kept for later versions of an edit.
struct PartsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Gigabytes of rendered parts to keep in the state folder for later versions of an edit; 0 keeps none. Else "
                + "CUTFARM_PARTS_LIMIT.",
            valueName: "GB"
        )
    )
    var partsLimit: Int?

    /// The number of bytes.
    var limit: Int64 { Int64(partsLimit ?? named ?? 20) * 1_000_000_000 }

    private var named: Int? { FarmOptions.environment("CUTFARM_PARTS_LIMIT").map { Int($0) ?? -1 } }

    func validate() throws {
        guard (0...1_000_000).contains(partsLimit ?? named ?? 0) else {
            let what = partsLimit == nil ? "CUTFARM_PARTS_LIMIT" : "--parts-limit"
            throw ValidationError("\(what) takes a whole number of gigabytes from 0 to 1000000.")
        }
    }
}
