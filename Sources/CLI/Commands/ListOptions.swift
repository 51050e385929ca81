import ArgumentParser

/// What every command takes that lists something of a farm.
struct ListOptions: ParsableArguments {
    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    /// Prints a list as JSON, if that was asked for, or else as what people read.
    func print<List: Encodable>(_ list: List, _ text: (List) -> String) throws {
        guard !json else { return try JSONOutput.print(list) }
        Console.print(text(list))
    }
}
