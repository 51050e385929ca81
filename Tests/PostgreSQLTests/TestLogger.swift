import Logging

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
