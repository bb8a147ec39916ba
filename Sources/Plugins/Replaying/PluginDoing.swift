package import Circulation
package import Desk
package import TextFormats

/// What a plugin did about one event of the past, or in one run of a job.
package struct PluginDoing: Sendable {
    /// A message that it sent.
    package struct Message: Hashable, Sendable {
        package let patron: String
        package let channel: String
        package let subject: String
    }

    /// So many of each kind are kept; the counts are of all.
    static let most = 100

    package let at: Instant
    /// The event's place in the library's log; nil: a job, or what the plugin itself had done.
    package let event: Int64?
    /// The event's kind.
    package let kind: String?
    /// The name of the job.
    package let job: String?
    /// What it wrote, the messages too.
    package var written: [PublicEvent] = []
    package var writtenCount: Int64 = 0
    package var sent: [Message] = []
    /// What it would have sent to servers, such as `POST https://example.org/hook`.
    package var requests: [String] = []
    package var printed: [String] = []
    package var fault: PluginFault?

    init(at: Instant, event: Int64? = nil, kind: String? = nil, job: String? = nil) {
        self.at = at
        self.event = event
        self.kind = kind
        self.job = job
    }

    var isSilent: Bool { writtenCount == 0 && requests.isEmpty && printed.isEmpty && fault == nil }

    /// `event 17, loan.made`
    package var words: String {
        if let job { return "job \(job)" }
        return event.map { "event \($0), \(kind ?? "")" } ?? "its own \(kind ?? "")"
    }

    /// What came of it, a line each.
    package var lines: [String] {
        var lines = written.filter { $0.name != EventKind<[Notice]>.noticeRecorded.name }.map {
            "would: \($0.name) \($0.json(withPersonal: true).text())"
        }
        lines += sent.map { "would send to \($0.patron) by \($0.channel): \($0.subject)" }
        lines += requests.map { "would: \($0)" }
        if writtenCount > Int64(written.count) { lines.append("... \(writtenCount) in all") }
        lines += printed.map { "prints: \($0)" }
        if let fault { lines.append("fails: \(fault)") }
        return lines
    }

    package var json: JSON {
        [
            "at": .string(at.description), "event": event.map { .integer($0) } ?? .null,
            "kind": kind.map { .string($0) } ?? .null, "job": job.map { .string($0) } ?? .null,
            "would": .array(written.map { ["name": .string($0.name), "fields": $0.json(withPersonal: true)] }),
            "would_count": .integer(writtenCount),
            "sends": .array(
                sent.map {
                    [
                        "patron": .string($0.patron), "channel": .string($0.channel), "subject": .string($0.subject),
                    ]
                }),
            "requests": .array(requests.map { .string($0) }),
            "printed": .array(printed.map { .string($0) }),
            "error": fault.map {
                [
                    "code": .string($0.code), "message": .string($0.message),
                    "file": $0.file.map { .string($0) } ?? .null, "line": $0.line.map { .integer($0) } ?? .null,
                ]
            } ?? .null,
        ]
    }
}
