import Circulation
import Prover
import Scripting
import TextFormats

/// Compares policies of many rows without functions: by what is the same as it is written, and then pair by pair of rows
/// whose values differ, by asking the desk. The solver is asked about values of which no case shows that they matter.
final class TableComparison {
    private let desks: ComparedDesks
    private let codes: ProofDomain.Codes
    private let currency: Currency
    private let deadline: ContinuousClock.Instant
    private let witnesses: RowWitnesses
    private var comparisons: [DecisionPoint: PointComparison] = [:]
    private var values: TermsComparison?

    private var one: CompiledTables { desks.one.tables }
    private var other: CompiledTables { desks.other.tables }

    init(
        _ desks: ComparedDesks, codes: ProofDomain.Codes, currency: Currency, until deadline: ContinuousClock.Instant
    ) {
        (self.desks, self.codes, self.currency, self.deadline) = (desks, codes, currency, deadline)
        witnesses = RowWitnesses(
            codes, rows: desks.one.tables.source.allConditions + desks.other.tables.source.allConditions)
    }

    /// - Throws: ``ProofError`` where the solver is needed and there is none.
    func compare(at points: [DecisionPoint]) throws -> [PointComparison] {
        for point in points { comparisons[point] = PointComparison(point: point) }
        if one.ordersRowsByCase || other.ordersRowsByCase, one.source.rules != other.source.rules {
            fail(points, "`match` with item types, of which the nearest to the copy's goes first")
        } else {
            for difference in try differences() {
                for point in points where !point.reckonedGroups.isDisjoint(with: difference.groups) {
                    try compare(difference, at: point)
                }
            }
        }
        if points.contains(.checkout) { compareLimits() }
        if points.contains(.overdue) { compareNotices() }
        if points.contains(.expiry) { compareMembership() }
        return points.compactMap { comparisons[$0] }
    }

    private func fail(_ points: [DecisionPoint], _ message: String, line: Int = 1) {
        let file = desks.other.bundle.files.first?.name ?? "policy.lua"
        let why = Unsettled(file: file, line: line, message: message)
        for point in points where comparisons[point]?.unknown.contains(why) == false {
            comparisons[point]?.unknown.append(why)
        }
    }

    // MARK: - Rows

    /// Two rows that set groups for one case, with values that differ.
    private struct Difference {
        let rows: RowPairs.Pair
        var groups: Set<RuleGroup>
        let witness: RowWitness
    }

    private func differences() throws -> [Difference] {
        let finder = RowPairs(one, other, codes, until: deadline)
        var question = try Case(json: ["point": "checkout"], desks.records)
        var places: [RowPairs.Pair: Int] = [:]
        var found: [Difference] = []
        for group in one.groups + other.groups.filter({ !one.groups.contains($0) }) {
            let points = comparisons.keys.filter { $0.reckonedGroups.contains(group) }
            guard !points.isEmpty else { continue }
            guard let pairs = finder.pairs(of: group) else {
                fail(points, Unsettled.timeLimit)
                continue
            }
            for pair in pairs {
                if ContinuousClock.now > deadline {
                    fail(points, Unsettled.timeLimit)
                    break
                }
                if let known = places[pair], try wins(pair, group, found[known].witness, &question) {
                    found[known].groups.insert(group)
                } else if let witness = try witness(pair, group, points, &question) {
                    places[pair] = found.count
                    found.append(Difference(rows: pair, groups: [group], witness: witness))
                }
            }
        }
        return found
    }

    private func witness(
        _ pair: RowPairs.Pair, _ group: RuleGroup, _ points: [DecisionPoint], _ question: inout Case
    ) throws -> RowWitness? {
        var found: RowWitness?
        let isFound = try witnesses.find(conditions(pair.one, one), conditions(pair.other, other)) { witness in
            guard try wins(pair, group, witness, &question) else { return false }
            found = witness
            return true
        }
        if isFound == nil {
            fail(
                points, "too many codes to find a case of",
                line: pair.other.map { other.source.rules[$0].place.line } ?? 1)
        }
        return found
    }

    /// Whether the rows are those that set the group, in a case with such codes.
    private func wins(
        _ pair: RowPairs.Pair, _ group: RuleGroup, _ witness: RowWitness, _ question: inout Case
    ) throws -> Bool {
        witness.fill(&question)
        return try one.matchedRule(for: question, when: { _ in false }).row(setting: group) == pair.one
            && other.matchedRule(for: question, when: { _ in false }).row(setting: group) == pair.other
    }

    private func conditions(_ row: Int?, _ tables: CompiledTables) -> RowConditions {
        row.map { tables.source.rules[$0].conditions } ?? RowConditions()
    }

    // MARK: - Decisions

    /// Finds a case of two rows that the desk decides differently, or that none is.
    private func compare(_ difference: Difference, at point: DecisionPoint) throws {
        let terms = (one.terms(ofRow: difference.rows.one), other.terms(ofRow: difference.rows.other))
        for object in QuestionVariants(terms.0, terms.1).cases(at: point) where add(object, difference, at: point) {
            return
        }
        let counted = [
            rule(difference.rows.one, one), rule(difference.rows.other, other),
        ].map { $0?.typesOfCountedHolds }
        if point == .hold, counted[0] != counted[1], !counted.contains(nil) {
            return fail([point], "holds are counted by other item types", line: place(difference.rows))
        }
        let values = try self.values ?? TermsComparison(desks.judgement, currency: currency, until: deadline)
        self.values = values
        let (row, otherRow) = (rule(difference.rows.one, one), rule(difference.rows.other, other))
        func compared(whole: Bool) throws -> TermsComparison.Found {
            try values.compare(
                row, otherRow, difference.groups, beside: one.source.rules + other.source.rules, at: point,
                whole: whole
            ) { [desks] object, aspect in
                var object = object
                difference.witness.write(to: &object, at: point)
                return desks.change(of: aspect, for: object)
            }
        }
        var found = try compared(whole: false)
        for object in found.questions where add(object, difference, at: point) { return }
        // What shows it for rows with these values need not do so for all rows that have them.
        if !found.isWhole {
            found = try compared(whole: true)
            for object in found.questions where add(object, difference, at: point) { return }
        }
        guard let why = found.unknown ?? (found.questions.isEmpty ? nil : "a case that the desk does not confirm")
        else {
            return
        }
        fail([point], why, line: place(difference.rows))
    }

    private func rule(_ row: Int?, _ tables: CompiledTables) -> RuleRow? { row.map { tables.source.rules[$0] } }

    private func place(_ rows: RowPairs.Pair) -> Int {
        (rule(rows.other, other) ?? rule(rows.one, one))?.place.line ?? 1
    }

    private func add(_ object: JSONObject, _ difference: Difference, at point: DecisionPoint) -> Bool {
        var object = object
        difference.witness.write(to: &object, at: point)
        guard let change = desks.change(for: object) else { return false }
        comparisons[point]?.regions.append(
            DifferenceRegion(conditions: words(difference.rows), fields: [], change: change, question: object))
        return true
    }

    /// `category child and item type dvd`, `decided by row 3 before and row 4 after`
    private func words(_ rows: RowPairs.Pair) -> [String] {
        let (before, after) = (conditions(rows.one, one), conditions(rows.other, other))
        var said = [before, after].map(\.words).filter { !$0.isEmpty }
        if before.meetsAll(of: after) {
            said = [after.words]
        } else if after.meetsAll(of: before) {
            said = [before.words]
        }
        func name(_ row: Int?) -> String { row.map { "row \($0 + 1)" } ?? "no row" }
        return said.filter { !$0.isEmpty } + ["decided by \(name(rows.one)) before and \(name(rows.other)) after"]
    }

    // MARK: - Limits and notices

    private func compareLimits() {
        let (limits, others) = (one.source.limits, other.source.limits)
        func isSame(_ left: LimitRow, _ right: LimitRow) -> Bool {
            left.isSame(as: right)
        }
        if limits.count == others.count, zip(limits, others).allSatisfy(isSame) { return }
        let counts = Set((limits + others).compactMap(\.maximum)).filter { $0 <= 500 }.sorted()
        let changed =
            limits.filter { row in !others.contains { isSame(row, $0) } }
            + others.filter { row in !limits.contains { isSame(row, $0) } }
        for row in changed {
            var loan: JSONObject = ["item_type": .string(row.conditions.itemTypes?.first ?? "book")]
            loan["location"] = row.conditions.locations?.first.map { .string($0) }
            var kinds = [loan]
            if (limits + others).contains(where: { !$0.countsClaimed }) {
                loan["claimed"] = true
                kinds.append(loan)
            }
            let cases = kinds.flatMap { loan in counts.map { Self.question(row, Int($0), .object(loan)) } }
            add(
                cases, row.conditions, row.place, at: .checkout,
                "a row of limits of which no case shows that it matters")
        }
        if changed.isEmpty { fail([.checkout], "rows of limits in another order") }
    }

    /// A patron who has, or has had, so many loans that a row counts, and owes what it asks for.
    private static func question(_ row: LimitRow, _ count: Int, _ loan: JSON) -> JSONObject {
        let loans = JSON.array(Array(repeating: loan, count: count))
        guard !row.countsOpenLoans || row.asksDebts else {
            return ["point": "checkout", "patron": ["loans": loans]]
        }
        let begun = JSON.array(loans.arrayValue?.map { loan in loan.with("title", .integer(1)) } ?? [])
        let owed = row.owed?.description ?? (row.owedFor == nil ? "0.00" : "1.00")
        var patron: JSONObject = [
            "loans": row.within == nil ? begun : [], "history": begun, "fees_owed": .string(owed),
            "owed_since": row.owedFor == nil ? .null : "1970-01-01",
        ]
        if let group = row.of {
            patron["loans"] = nil
            var facts: JSONObject = ["people": 2, "loans": .integer(Int64(count)), "owed": .string(owed)]
            if row.isPerTitle { facts["same_title"] = .integer(Int64(count)) }
            patron[group.rawValue] = .object(facts)
        }
        return ["point": "checkout", "title": ["id": 1], "patron": .object(patron)]
    }

    private func compareNotices() {
        let (notices, others) = (one.source.notices, other.source.notices)
        func isSame(_ left: NoticeRow, _ right: NoticeRow) -> Bool {
            var copy = right
            copy.place = left.place
            return copy == left
        }
        if notices.count == others.count, zip(notices, others).allSatisfy(isSame) { return }
        let changed =
            notices.filter { row in !others.contains { isSame(row, $0) } }
            + others.filter { row in !notices.contains { isSame(row, $0) } }
        let cases = QuestionVariants(one.terms(ofRow: nil), one.terms(ofRow: nil)).cases(at: .overdue)
        for row in changed {
            add(
                cases, row.conditions, row.place, at: .overdue,
                "a row of notices of which no case shows that it matters")
        }
        if changed.isEmpty { fail([.overdue], "rows of notices in another order") }
    }

    private func compareMembership() {
        let (rows, others) = (one.source.membership, other.source.membership)
        if rows.count == others.count, zip(rows, others).allSatisfy({ $0.isSame(as: $1) }) { return }
        let changed =
            rows.filter { row in !others.contains { row.isSame(as: $0) } }
            + others.filter { row in !rows.contains { row.isSame(as: $0) } }
        let cases = QuestionVariants.memberships(rows + others)
        for row in changed {
            add(
                cases, row.conditions, row.place, at: .expiry,
                "a row of membership of which no case shows that it matters")
        }
        if changed.isEmpty { fail([.expiry], "rows of membership in another order") }
    }

    private func add(
        _ cases: [JSONObject], _ conditions: RowConditions, _ place: SourcePlace, at point: DecisionPoint,
        _ why: String
    ) {
        let isFound = witnesses.find(conditions, RowConditions()) { witness in
            for object in cases {
                var object = object
                witness.write(to: &object, at: point)
                guard let change = desks.change(for: object) else { continue }
                let words = conditions.words.isEmpty ? [] : [conditions.words]
                if comparisons[point]?.regions.contains(where: { $0.conditions == words }) == false {
                    comparisons[point]?.regions.append(
                        DifferenceRegion(conditions: words, fields: [], change: change, question: object))
                }
                return true
            }
            return false
        }
        if isFound != true { fail([point], why, line: place.line) }
    }
}

extension RowConditions {
    /// Whether every case that meets the other conditions surely meets these too.
    fileprivate func meetsAll(of other: RowConditions) -> Bool {
        when == nil && Self.contains(categories, other.categories) && Self.contains(itemTypes, other.itemTypes)
            && Self.contains(branches, other.branches) && Self.contains(copyBranches, other.copyBranches)
            && Self.contains(homeBranches, other.homeBranches) && Self.contains(locations, other.locations)
            && Self.contains(channels, other.channels)
            && (onSite == nil || onSite == other.onSite)
    }

    private static func contains(_ wide: [String]?, _ narrow: [String]?) -> Bool {
        guard let wide else { return true }
        return narrow?.allSatisfy(wide.contains) ?? false
    }
}

extension JSON {
    fileprivate func with(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var object) = self else { return self }
        object[key] = value
        return .object(object)
    }
}
