/// Times below 0 on a command line, which look like options.
enum NegativeTimes {
    /// The options whose values are durations.
    private static let lengths: Set = ["--every", "--tolerance"]
    /// The options whose values are positions in time.
    private static let options: Set = ["--at", "--range"]

    /// The arguments, rewritten so that each negative time of `--at` is refused by itself, like other times without a
    /// frame.
    /// - Throws: ``CommandFailure`` when a negative time makes no sense for its option.
    static func passed(_ arguments: [String]) throws(CommandFailure) -> [String] {
        var passed: [String] = []
        var option: String?
        var isAlone = false
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { return passed + arguments[index...] }
            if argument.hasPrefix("--") {
                let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
                (option, isAlone) = (parts[0], false)
                if parts.count == 2, isNegative(parts[1]) { try refuse(parts[1], of: parts[0]) }
                passed.append(argument)
            } else if let option, isNegative(argument), lengths.union(options).contains(option) {
                try refuse(argument, of: option)
                // An option without a value of its own would be missing one.
                if passed.last == option { passed.removeLast() }
                isAlone = true
                passed.append("\(option)=\(argument)")
            } else if argument.hasPrefix("-"), argument != "-" {
                (option, isAlone) = (nil, false)
                passed.append(argument)
            } else {
                passed.append(isAlone ? "\(option ?? "")=\(argument)" : argument)
            }
        }
        return passed
    }

    private static func isNegative(_ text: String) -> Bool {
        text.hasPrefix("-") && text.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
    }

    /// Refuses a time below 0 where no frame can answer it.
    private static func refuse(_ text: String, of option: String) throws(CommandFailure) {
        if lengths.contains(option) {
            throw CommandFailure(.usage, "\(option) \(text): a length below 0 cannot be; write one such as 5s.")
        }
        if option == "--range" {
            throw CommandFailure(.usage, "\(option) \(text): a time below 0 is before the first frame.")
        }
    }
}
