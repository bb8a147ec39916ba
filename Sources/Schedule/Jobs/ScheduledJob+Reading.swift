import Circulation

/// What is wrong with what a job says of itself.
package struct JobFault: Error, Hashable, Sendable {
    /// The key that is wrong, or missing.
    package let key: String
    /// What is wrong, and what was expected.
    package let words: String

    package init(_ key: String, _ words: String) {
        self.key = key
        self.words = words
    }
}

extension ScheduledJob {
    /// The keys by which a job says when it runs and for how long, wherever it is written.
    package static let timingKeys = ["cron", "every", "zone", "catch_up", "time_limit"]

    /// A job that says when it runs and for how long by texts.
    ///
    /// - Parameter text: the text of a key of ``timingKeys``; nil: there is none.
    /// - Throws: ``JobFault``.
    package init(name: String, arguments: [String] = [], text: (String) -> String?) throws(JobFault) {
        self.init(name: name, timing: try Self.timing(text("cron"), text("every")), arguments: arguments)
        if let text = text("zone") {
            guard let zone = Zone(identifier: text) else {
                throw JobFault("zone", "'\(text)' is not a time zone; expected a name such as Europe/Berlin")
            }
            self.zone = zone
        }
        if let word = text("catch_up") {
            guard let choice = CatchUp(rawValue: word) else {
                throw JobFault("catch_up", "'\(word)' is none; expected skip, once or each")
            }
            catchUp = choice
        }
        if let limit = text("time_limit") { timeLimit = try Self.seconds(limit, of: "time_limit") }
    }

    private static func timing(_ cron: String?, _ every: String?) throws(JobFault) -> JobTiming {
        switch (cron, every) {
        case (let text?, nil):
            do {
                return .cron(try CronExpression(parsing: text))
            } catch {
                throw JobFault("cron", error.message)
            }
        case (nil, let text?): return .every(seconds: try seconds(text, of: "every"))
        case (nil, nil):
            throw JobFault("cron", "is missing; expected one such as \"0 7 * * mon\", or every = \"15 minutes\"")
        default: throw JobFault("every", "goes without 'cron'; a job has one of them")
        }
    }

    /// Reads a length of time.
    package static func seconds(_ text: String, of key: String) throws(JobFault) -> Int64 {
        guard let seconds = JobTiming.seconds(text) else {
            throw JobFault(
                key, "'\(text)' is not a length of time up to a year, such as \"90 seconds\" or \"2 hours\"")
        }
        return seconds
    }
}
