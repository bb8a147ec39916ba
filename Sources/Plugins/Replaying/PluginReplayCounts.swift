package import Circulation
import Desk
package import TextFormats

/// What a replay of a plugin came to.
package struct PluginReplayCounts: Sendable {
    /// An error, and how often it came.
    package struct Fault: Hashable, Sendable {
        package var fault: PluginFault
        package var count: Int64
        package var first: Instant
    }

    /// Events of the past that happened once more.
    package var events: Int64 = 0
    /// Of these, what the plugin handles, failures too.
    package var handled: Int64 = 0
    package var jobs: Int64 = 0
    package var failed: Int64 = 0
    /// What it wrote, by the kind of the event.
    package var written: [String: Int64] = [:]
    /// Its messages, by the patron.
    package var messages: [Int64: Int64] = [:]
    /// The first ``PluginDoing/most`` errors that differ.
    package var faults: [Fault] = []
    /// What it itself did in that past, left out.
    package var leftOut: Int64 = 0
    /// Events that could not happen once more.
    package var impossible: Int64 = 0
    /// The values that it keeps in the end.
    package var kept: Int64 = 0
    /// When it would have been paused; the replay ends there.
    package var pausedAt: Instant?
    var usernames: [Int64: String] = [:]
    private var failedInRow: Int64 = 0

    var messageCount: Int64 { messages.values.reduce(0, +) }

    /// Those whom it wrote to most, at most twenty.
    var mostWritten: [(patron: Int64, count: Int64)] {
        messages.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20).map { ($0.key, $0.value) }
    }

    /// An event that the plugin caused.
    mutating func add(_ event: Event, to doing: inout PluginDoing, _ session: DeskSession) throws {
        doing.writtenCount += 1
        written[event.kind, default: 0] += 1
        let isKept = doing.written.count < PluginDoing.most
        if isKept { doing.written.append(try PublicEvent(event)) }
        guard let notices = try event.body()[.noticeRecorded] else { return }
        for recorded in notices {
            messages[recorded.patron, default: 0] += 1
            guard isKept, let notice = try session.notices.get(recorded.id) else { continue }
            let username = try session.patrons.get(.id(notice.patron))?.username ?? "\(notice.patron)"
            doing.sent.append(.init(patron: username, channel: notice.channel, subject: notice.subject))
        }
    }

    mutating func note(_ doing: PluginDoing) {
        guard var fault = doing.fault else {
            if doing.job == nil { failedInRow = 0 }
            return
        }
        failed += 1
        fault.trace = nil
        if let known = faults.firstIndex(where: { $0.fault == fault }) {
            faults[known].count += 1
        } else if faults.count < PluginDoing.most {
            faults.append(Fault(fault: fault, count: 1, first: doing.at))
        }
        guard doing.job == nil else { return }
        failedInRow += 1
        if failedInRow >= PluginService.mostFailuresInRow { pausedAt = doing.at }
    }

    package var json: JSONObject {
        var kinds = JSONObject()
        for (kind, count) in written.sorted(by: { $0.key < $1.key }) { kinds[kind] = .integer(count) }
        return [
            "events": .integer(events), "handled": .integer(handled), "jobs": .integer(jobs),
            "failed": .integer(failed), "left_out": .integer(leftOut), "impossible": .integer(impossible),
            "kept": .integer(kept), "paused_at": pausedAt.map { .string($0.description) } ?? .null,
            "written": .object(kinds),
            "messages": .integer(messageCount), "recipients": .integer(Int64(messages.count)),
            "most_messages": .array(
                mostWritten.map {
                    ["patron": .string(usernames[$0.patron] ?? "\($0.patron)"), "count": .integer($0.count)]
                }),
            "errors": .array(
                faults.map {
                    [
                        "code": .string($0.fault.code), "message": .string($0.fault.message),
                        "file": $0.fault.file.map { .string($0) } ?? .null,
                        "line": $0.fault.line.map { .integer($0) } ?? .null, "count": .integer($0.count),
                        "first_at": .string($0.first.description),
                    ]
                }),
        ]
    }
}

extension PluginReplay {
    /// The summary for a person.
    ///
    /// - Parameter doings: what is shown of it one by one.
    package func document(showing doings: [PluginDoing] = []) -> ReportDocument {
        let manifest = candidate.manifest
        var document = ReportDocument(title: "What \(manifest.name) \(manifest.version) would have done")
        document.zone = library.zone
        document.blocks = [.text(sentences.joined(separator: "\n"))]
        document.blocks += [
            Self.table(
                "What it would have written", ["event"],
                counts.written.sorted { $0.key < $1.key }.map { ([.text($0.key)], $0.value) }),
            Self.table(
                "Who would have had messages", ["patron"],
                counts.mostWritten.map { ([.text(counts.usernames[$0.patron] ?? "\($0.patron)")], $0.count) }),
            Self.table(
                "Errors", ["error", "first"],
                counts.faults.map { ([.text($0.fault.description), .instant($0.first)], $0.count) }),
        ].filter { !$0.rows.isEmpty }.map { .table($0) }
        guard !doings.isEmpty else { return document }
        let columns = [
            ReportColumn(name: "when", type: .instant), ReportColumn(name: "about"), ReportColumn(name: "what"),
        ]
        document.blocks += [
            .section("One by one"),
            .table(
                ReportTable(
                    columns: columns,
                    rows: doings.map { doing in
                        [.instant(doing.at), .text(doing.words), .text(doing.lines.joined(separator: "\n"))]
                    })),
        ]
        return document
    }

    private static func table(
        _ title: String, _ names: [String], _ rows: [(values: [ReportValue], count: Int64)]
    ) -> ReportTable {
        ReportTable(
            title: title,
            columns: names.map { ReportColumn(name: $0, type: $0 == "first" ? .instant : .text) }
                + [ReportColumn(name: "count", type: .integer)],
            rows: rows.map { $0.values + [.integer($0.count)] })
    }

    private var sentences: [String] {
        var sentences = [
            "\(counts.handled) events handled, \(counts.failed) failed, \(counts.jobs) jobs run"
                + " (\(counts.events) events read).",
            "\(counts.messageCount) messages to \(counts.messages.count) patrons; \(counts.kept) values kept.",
        ]
        if counts.leftOut > 0 {
            sentences.append("\(counts.leftOut) events are left out as what the plugin itself did in that past.")
        }
        if counts.impossible > 0 {
            sentences.append("\(counts.impossible) events could not happen once more and were passed over.")
        }
        if let paused = counts.pausedAt {
            sentences.append(
                "It would have been paused at \(paused), after \(PluginService.mostFailuresInRow) failures in a row; the"
                    + " replay ends there.")
        }
        return sentences
    }
}
