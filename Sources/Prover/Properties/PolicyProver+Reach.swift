package import Circulation
import TextFormats

/// A row of a policy's tables.
package struct TableRow: Hashable, Sendable {
    package var table: PolicyTable
    /// Zero-based.
    package var row: Int

    package init(table: PolicyTable, row: Int) { (self.table, self.row) = (table, row) }
}

/// What of a policy the ways reach that proofs go, and cases that do.
final class Reach {
    /// The statements of functions that a way runs through, which some case may go.
    private(set) var lines: Set<Site> = []
    private(set) var rows: Set<TableRow> = []
    /// Why not all ways were gone; nil: they were.
    var gap: Unsettled?
    private var shown: [Site: Int] = [:]
    private var rowsShown: [TableRow: Int] = [:]
    let show: (JSONObject) -> Void

    /// Where something is not reckoned exactly, the first case need not be one that goes the way.
    private static let attempts = 3

    init(_ show: @escaping (JSONObject) -> Void) { self.show = show }

    /// Notes what the way at hand reaches, and makes a case of it where that is new.
    func note(_ desk: DeskModel) throws {
        let new = desk.interpreter.ran.filter { shown[$0, default: 0] < Self.attempts }
        guard !new.isEmpty, try desk.path.isPossible() else { return }
        for site in new {
            shown[site, default: 0] += 1
            lines.insert(site)
        }
        try show(desk.model)
    }

    func note(_ row: TableRow, _ desk: DeskModel) throws {
        guard rowsShown[row, default: 0] < Self.attempts, try desk.path.isPossible() else { return }
        rowsShown[row, default: 0] += 1
        rows.insert(row)
        try show(desk.model)
    }

    private func show(_ model: CaseModel) throws {
        if let values = try model.path.assignment(isPlain: false), let question = model.json(values) { show(question) }
    }
}

extension PolicyProver {
    /// Whether a line is reached by a way that some case may go.
    package func reaches(_ place: SourcePlace) -> Bool {
        reach?.lines.contains(Site(file: place.file, line: place.line)) ?? false
    }

    /// Whether a row is reached by a way that some case may go.
    package func reaches(_ row: TableRow) -> Bool { reach?.rows.contains(row) ?? false }

    /// Why not all ways were gone; nil: they were.
    package var gap: Unsettled? { reach?.gap }

    /// Goes the ways through a policy's tables, for each row until a case was shown in which it decides something.
    package func reachRows(until deadline: ContinuousClock.Instant) throws(ProofError) {
        guard let reach, let policy else { return }
        let tables = policy.tables
        for point in [DecisionPoint.checkout, .fine, .renew, .hold, .price] {
            let open = tables.groups.filter { group in
                tables.rows(setting: group).contains { !reach.rows.contains(.init(table: .rules, row: $0)) }
            }
            for group in open {
                try ways(at: point, until: deadline) { desk in
                    guard let row = try desk.rule.row(setting: group) else { return }
                    try reach.note(.init(table: .rules, row: row), desk)
                }
            }
        }
        try ways(at: .checkout, until: deadline) { desk in
            for (row, isReached) in try desk.limitRows() where try desk.path.holds(isReached) {
                try reach.note(.init(table: .limits, row: row), desk)
                return
            }
        }
        try ways(at: .overdue, until: deadline) { desk in
            for notice in try desk.tableNotices() {
                if let row = notice.row { try reach.note(.init(table: .notices, row: row), desk) }
            }
        }
        if tables.source.membership.isEmpty { return }
        try ways(at: .expiry, until: deadline) { desk in
            if let row = try desk.membershipRow() { try reach.note(.init(table: .membership, row: row), desk) }
        }
    }

    private func ways(
        at point: DecisionPoint, until deadline: ContinuousClock.Instant, _ body: (DeskModel) throws -> Void
    ) throws(ProofError) {
        guard let policy, let reach else { return }
        do {
            try Explorer(solver, ProofLimits(deadline: deadline), library.gathered).explore { path in
                let model = CaseModel(path, domain, point, texts)
                do {
                    try body(DeskModel(policy, model, interpreter(path)))
                } catch let unsettled as Unsettled {
                    reach.gap = reach.gap ?? unsettled
                } catch is Failure {
                } catch is Raised {
                }
                return true
            }
        } catch let error as ProofError {
            throw error
        } catch {
            reach.gap = reach.gap ?? Unsettled(file: policy.file, line: 1, message: Unsettled.timeLimit)
        }
    }
}
