/// Where a script's lines go while it runs. What it reports is in its ``ReportDocument``.
package protocol ScriptOutput: AnyObject {
    /// A line of `print` or `help`; it may hold any character, escape sequences included.
    func print(_ line: String)
    /// Whether a reader has seen a line once it was handed over; otherwise the report keeps it.
    var showsLines: Bool { get }
    /// A line of the log, made safe for a terminal.
    func log(_ level: ScriptLogLevel, _ line: String)
    /// How far an iteration is; the total only if the script gave it.
    func progress(_ done: Int64, of total: Int64?)
}

/// How grave a line of the log is.
package enum ScriptLogLevel: String, Sendable, CaseIterable { case info, warn, error }

/// Keeps what a script says instead of showing it.
package final class RecordedOutput: ScriptOutput {
    package struct LogLine: Hashable, Sendable {
        package let level: ScriptLogLevel
        package let text: String
    }

    package private(set) var printed: [String] = []
    package private(set) var logged: [LogLine] = []
    /// The last progress that was reported.
    package private(set) var done: Int64 = 0

    package let showsLines = false

    package init() {}

    package func print(_ line: String) { printed.append(line) }
    package func log(_ level: ScriptLogLevel, _ line: String) { logged.append(LogLine(level: level, text: line)) }
    package func progress(_ done: Int64, of total: Int64?) { self.done = done }

    /// What was printed since the last call.
    package func takePrinted() -> [String] {
        defer { printed = [] }
        return printed
    }
}
