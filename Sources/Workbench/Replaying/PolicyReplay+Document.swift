package import Circulation
import Desk

extension PolicyReplay {
    /// The report for a person: sentences, tables, charts.
    package var document: ReportDocument {
        var document = ReportDocument(title: "What \(candidateName) would have changed")
        document.parameters = parameters
        document.blocks = [.text(sentences.joined(separator: "\n"))]
        guard summary.requests > 0 else {
            document.blocks += warnings + arrivalBlocks
            return document
        }
        document.blocks += warnings + decisionBlocks + noticeBlocks + feeBlocks + patronBlocks + arrivalBlocks
        document.blocks += exampleBlocks
        return document
    }

    private var parameters: [ReportParameter] {
        [
            ReportParameter(name: "policy", value: .text(String(candidate.sha256.prefix(12)))),
            ReportParameter(name: "from", value: day(plan.from ?? summary.first)),
            ReportParameter(name: "to", value: day(summary.last)),
            ReportParameter(name: "mode", value: .text(plan.mode.rawValue)),
            ReportParameter(name: "sample", value: plan.sample.map { .integer($0) } ?? .none),
        ]
    }

    private func day(_ moment: Instant?) -> ReportValue {
        moment.map { .date(library.zone.date(of: $0)) } ?? .none
    }

    // MARK: - Sentences

    private var sentences: [String] {
        guard summary.requests > 0 else {
            return ["No recorded request was asked again (\(summary.events) events read)."]
        }
        let facts =
            plan.mode == .recorded
            ? "each with the facts as they were." : "each with the facts that this policy itself would have led to."
        var sentences = ["\(summary.requests) requests were asked again (\(summary.events) events read), \(facts)"]
        let changes = counts.all
        if changes.differences == 0 {
            sentences.append("Every answer stays as it was.")
        } else {
            sentences.append("\(changes.differences) answers change\(share(changes.differences)):")
            for (count, words) in changeWords(changes) where count > 0 { sentences.append("  \(count) \(words)") }
        }
        if summary.void > 0 {
            sentences.append(
                "\(summary.void) returns and renewals are void: this policy never made their loans.")
        }
        if plan.mode == .recorded, changes.refused + changes.granted + changes.dueEarlier + changes.dueLater > 0 {
            sentences.append(
                "Notices and fees below are those of the recorded loans and due dates; with --mode candidate they follow "
                    + "from these answers.")
        }
        if !counts.hasDifferences { sentences.append("Notices and fees stay as they were.") }
        return sentences
    }

    private func changeWords(_ changes: ReplayCounts.Changes) -> [(Int64, String)] {
        [
            (changes.refused, "were granted and would be refused"),
            (changes.granted, "were refused and would be granted"),
            (changes.otherReason, "would be refused for another reason"),
            (changes.dueEarlier, "would be due earlier"), (changes.dueLater, "would be due later"),
            (changes.otherwise, "would cost, suspend or queue otherwise"),
            (changes.void, "are about loans that would not be there"),
        ]
    }

    private func share(_ count: Int64) -> String {
        let tenths = (Double(count) * 1_000 / Double(max(1, summary.requests))).rounded() / 10
        return " (\(tenths == 0 ? "less than 0.1" : "\(tenths)")%)"
    }

    private var warnings: [ReportBlock] {
        var lines: [String] = []
        if let from = summary.answerableFrom {
            lines.append(
                "The decision log was pruned: it answers from \(library.zone.date(of: from)) on; "
                    + "\(summary.unanswerable) earlier requests could not be asked again.")
        }
        if contradictionCount > 0 {
            lines.append("The store contradicts its own events in \(contradictionCount) places:")
            lines += contradictions.prefix(10).map { "  event \($0.event): \($0.message)" }
            lines.append("'moonshelf doctor' checks the rest of the store.")
        }
        return lines.isEmpty ? [] : [.section("To be looked into"), .text(lines.joined(separator: "\n"))]
    }

    // MARK: - Decisions

    private var decisionBlocks: [ReportBlock] {
        guard counts.all.differences > 0 else { return [] }
        var blocks: [ReportBlock] = [.section("Decisions")]
        blocks.append(
            .table(groups("By request", "request", counts.kinds.map { (Self.words(kind: $0.key), $0.value) })))
        blocks.append(.table(reasonTable))
        if !counts.rows.isEmpty { blocks.append(.table(rowTable)) }
        blocks.append(.table(groups("By category", "category", counts.categories.map { ($0.key, $0.value) })))
        if counts.itemTypes.count > 1 {
            blocks.append(.table(groups("By item type", "item type", counts.itemTypes.map { ($0.key, $0.value) })))
        }
        if let monthChart { blocks.append(.chart(monthChart)) }
        if let dueChart { blocks.append(.chart(dueChart)) }
        return blocks
    }

    static func words(kind: String) -> String {
        words[kind] ?? kind
    }

    private static let words = [
        EventKind.loanMade.name: "loans made", EventKind.loanRenewed.name: "renewals",
        EventKind.loanReturned.name: "returns", EventKind.loanLost.name: "losses",
        EventKind.loanRecalled.name: "recalls", EventKind.hold(.placed).name: "holds placed",
        EventKind.requestRefused.name: "requests refused",
        EventKind.loanImported.name: "loans that came along",
    ]

    private func groups(_ title: String, _ label: String, _ groups: [(String, ReplayCounts.Changes)]) -> ReportTable {
        let columns = ["asked", "now refused", "now granted", "other reason", "due earlier", "due later", "otherwise"]
        let sorted = groups.sorted { ($1.1.differences, $0.0) < ($0.1.differences, $1.0) }
        return ReportTable(
            title: title,
            columns: [ReportColumn(name: label)] + columns.map { ReportColumn(name: $0, type: .integer) },
            rows: sorted.map { name, changes in
                [.text(name)]
                    + [
                        changes.requests, changes.refused, changes.granted, changes.otherReason, changes.dueEarlier,
                        changes.dueLater, changes.otherwise + changes.void,
                    ].map { .integer($0) }
            })
    }

    private var reasonTable: ReportTable {
        ReportTable(
            title: "By reason",
            columns: [
                ReportColumn(name: "it was"), ReportColumn(name: "it would be"),
                ReportColumn(name: "requests", type: .integer),
            ],
            rows: counts.sortedReasons.prefix(20).map { reason, count in
                [.text(reason.before), .text(reason.after), .integer(count)]
            })
    }

    private var rowTable: ReportTable {
        ReportTable(
            title: "By row of the policy",
            columns: [ReportColumn(name: "row"), ReportColumn(name: "place")]
                + ["now refuses", "refused before", "moves due"].map { ReportColumn(name: $0, type: .integer) },
            rows: counts.sortedRows.prefix(20).map { place, changes in
                [
                    .text(place.what), .text("\(place.file):\(place.line)"), .integer(changes.refuses),
                    .integer(changes.refused), .integer(changes.movesDue),
                ]
            })
    }

    private var monthChart: ReportChart? {
        let months = counts.months.sorted { $0.key < $1.key }.suffix(36)
        guard months.count > 1 else { return nil }
        func series(_ name: String, _ value: (ReplayCounts.Changes) -> Int64) -> ReportChart.Series {
            ReportChart.Series(name: name, values: months.map { Double(value($0.value)) })
        }
        return ReportChart(
            kind: .bar, title: "Answers that change, by month", labels: months.map(\.key),
            series: [
                series("now refused", \.refused), series("now granted", \.granted),
                series("due date moves") { $0.dueEarlier + $0.dueLater },
                series("otherwise") { $0.otherReason + $0.otherwise + $0.void },
            ].filter { $0.values.contains { $0 != 0 } }, labelTitle: "month", valueTitle: "answers", isStacked: true)
    }

    private var dueChart: ReportChart? {
        let moves = counts.dueMoves.sorted { $0.key < $1.key }
        guard !moves.isEmpty, moves.count <= 60 else { return nil }
        return ReportChart(
            kind: .bar, title: "Due dates, by how many days they move",
            labels: moves.map { $0.key > 0 ? "+\($0.key)" : "\($0.key)" },
            series: [ReportChart.Series(name: "loans", values: moves.map { Double($0.value) })], labelTitle: "days",
            valueTitle: "loans and renewals")
    }

    // MARK: - Notices, fees, patrons

    private var noticeBlocks: [ReportBlock] {
        let notices = counts.notices
        guard notices.added + notices.dropped + notices.changed > 0 else { return [] }
        let stages = counts.stages.sorted { $0.key < $1.key }
        return [
            .section("Notices"),
            .table(
                ReportTable(
                    columns: [ReportColumn(name: "stage")]
                        + ["more", "fewer", "other day or way", "as before"].map {
                            ReportColumn(name: $0, type: .integer)
                        },
                    rows: (stages.map { ($0.key, $0.value) } + [("all", notices)]).map { name, notices in
                        [.text(name)]
                            + [notices.added, notices.dropped, notices.changed, notices.same].map { .integer($0) }
                    })),
        ]
    }

    private var feeBlocks: [ReportBlock] {
        guard counts.fees.loans > 0 else { return [] }
        let kinds = counts.feeKinds.sorted { $0.key.rawValue < $1.key.rawValue }
        return [
            .section("Fees"),
            .table(
                ReportTable(
                    columns: [ReportColumn(name: "fee")]
                        + ["it was", "it would be"].map { ReportColumn(name: $0, type: .money) }
                        + [ReportColumn(name: "loans that move", type: .integer)],
                    rows: (kinds.map { (Self.words($0.key), $0.value) } + [("all", counts.fees)]).map { name, fees in
                        [.text(name), .money(money(fees.before)), .money(money(fees.after)), .integer(fees.loans)]
                    })),
        ]
    }

    private static func words(_ kind: ReplayedFee.Kind) -> String {
        switch kind {
        case .fine: "fines"
        case .notice: "notices"
        case .charge: "charges of the policy"
        case .rental: "rentals"
        case .lost: "lost copies"
        }
    }

    private var patronBlocks: [ReportBlock] {
        let patrons = counts.mostAffected(10)
        guard !patrons.isEmpty else { return [] }
        let table = ReportTable(
            title: "\(counts.patrons.count) patrons are affected; these most",
            columns: [ReportColumn(name: "patron", type: .integer)]
                + ["now refused", "now granted", "other changes"].map { ReportColumn(name: $0, type: .integer) }
                + ["fees were", "would be"].map { ReportColumn(name: $0, type: .money) },
            rows: patrons.map { patron, found in
                let changes = found.changes
                return [
                    .integer(patron), .integer(changes.refused), .integer(changes.granted),
                    .integer(changes.differences - changes.refused - changes.granted),
                    .money(money(found.feesBefore)), .money(money(found.feesAfter)),
                ]
            })
        return [.section("Patrons"), .table(table)]
    }

    private var exampleBlocks: [ReportBlock] {
        guard !examples.isEmpty else { return [] }
        let lines = examples.map { example in
            [
                .date(library.zone.date(of: example.at)), .integer(example.event),
                .text(Self.words(kind: example.kind)),
                .integer(example.patron ?? 0), .text(example.before.words(in: library)),
                .text(example.after.words(in: library)),
            ] as [ReportValue]
        }
        let table = ReportTable(
            title: counts.all.differences > Int64(lines.count)
                ? "The first \(lines.count) of \(counts.all.differences)" : nil,
            columns: [
                ReportColumn(name: "date", type: .date), ReportColumn(name: "event", type: .integer),
                ReportColumn(name: "request"), ReportColumn(name: "patron", type: .integer),
                ReportColumn(name: "it was"), ReportColumn(name: "it would be"),
            ], rows: lines)
        return [.section("Examples"), .table(table)]
    }
}
