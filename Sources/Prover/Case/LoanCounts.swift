import Circulation

/// How many of the patron's loans, and of those that the request was granted already, meet which rows of `limits`.
///
/// Loans are told apart by the rows that count them. Of each kind there can be any number; a kind is left out where no loan
/// can be of it, since what one row counts another counts as well.
final class LoanCounts {
    private let path: Path
    private unowned let model: CaseModel
    /// Whether loans that are looked at one by one were related to these numbers.
    private var isRelated = false
    /// The rows that do not count all loans.
    private var looking: [Look] = []
    /// For each kind the rows that count it, and how many loans are of it.
    private(set) var kinds: [Kind] = []

    /// Rows that count the same loans.
    private struct Look {
        let rows: [Int]
        let counted: Counted

        /// Whether a loan of one of some types is counted.
        func counts(_ isClaimed: Bool) -> Bool { counted.countsClaimed || !isClaimed }
    }

    /// What a row asks of loans.
    private struct Counted: Hashable {
        /// nil: any.
        let itemTypes: Set<String>?
        let countsClaimed: Bool
    }

    /// Loans that the same rows count.
    struct Kind {
        let rows: Set<Int>
        let count: Number
        let itemTypes: [String]
        /// nil: no row asks.
        let isClaimed: Bool?
    }

    /// A loan that is looked at.
    private struct Loan {
        let itemType: Chain
        let isClaimed: Condition

        func meets(_ counted: Counted) throws -> Condition {
            let isOfType = try counted.itemTypes.map { try itemType.containsAny($0.sorted()) } ?? .constant(true)
            return counted.countsClaimed ? isOfType : isOfType && isClaimed.negated
        }

        func isOf(_ kind: Kind, _ looking: [Look]) throws -> Condition {
            let isMet = try looking.map { look in
                let isMet = try meets(look.counted)
                return kind.rows.isSuperset(of: look.rows) ? isMet : isMet.negated
            }
            return .every(isMet + (kind.isClaimed.map { [$0 ? isClaimed : isClaimed.negated] } ?? []))
        }
    }
    /// How many loans there are in all, as far as they are told apart.
    private(set) var total: Number = .constant(0)
    /// For each row how many loans it counts.
    private var counts: [Int: Number] = [:]
    /// The rows that count the loans of a window or of one title, each by itself, with how many these are.
    private(set) var windows: [(row: LimitRow, count: Number)] = []

    /// With more rows that look at loans their kinds are not told apart.
    private static let mostRows = 8
    /// Behind it stand the numbers of the rows, from 1.
    private static let kindName = "loans of limits rows ["
    private static let claimedName = " claimed"

    init(_ limits: [LimitRow], _ model: CaseModel, site: Site) throws {
        path = model.path
        self.model = model
        let loans = try Self.length("patron", "loans", model)
        let granted = try Self.length("request", "granted", model)
        total = loans + granted
        let open = limits.indices.filter { limits[$0].countsOpenLoans }
        let looking = open.filter { limits[$0].looksAtLoans }
        for row in open where !limits[row].looksAtLoans { counts[row] = total }
        try countGroups(limits, granted, site)
        try countWindows(limits, but: Set(open), site)
        let areTypesAlone = looking.allSatisfy { limits[$0].conditions.looksAtItemTypesAlone }
        let sets = Dictionary(grouping: looking) { row in
            Counted(
                itemTypes: limits[row].conditions.itemTypes.map(Set.init), countsClaimed: limits[row].countsClaimed)
        }
        if sets.count <= Self.mostRows, areTypesAlone, model.domain.codes.itemTypes == nil {
            try tellApart(sets.sorted { $0.value[0] < $1.value[0] }.map { Look(rows: $0.value, counted: $0.key) })
            for row in looking { sayCount(row, limits[row]) }
            path.say(total, "loans")
            return
        }
        path.approximate(site.unsettled("the rows of limits count loans in too many ways to be told apart"))
        for row in looking {
            let count = try path.number("loans of limits row \(row + 1)", ProofDomain.listLength)
            try path.assume(count <= total)
            counts[row] = count
            path.say(count, "loans that row \(row + 1) of limits counts")
        }
        path.say(total, "loans")
    }

    /// Of those to whom the patron is linked the case has how many loans they have in all, how many of these they claim to
    /// have returned, and how many are of the title.
    private func countGroups(_ limits: [LimitRow], _ granted: Number, _ site: Site) throws {
        for row in limits.indices {
            guard let group = limits[row].of else { continue }
            let limit = limits[row]
            var loans = try model.number(of: group, "loans") ?? .constant(0)
            var granted = granted
            if limit.isPerTitle {
                let all = loans
                loans = try model.number(of: group, "same_title") ?? .constant(0)
                try path.assume(loans <= all)
                // Which of what was granted is of the title is not known.
                granted = try path.number("loans of limits row \(row + 1)", ProofDomain.listLength)
                try path.assume(granted <= Self.length("request", "granted", model))
                path.approximate(site.unsettled("rows of limits count what others have of one title"))
            }
            if !limit.countsClaimed {
                let name = limit.isPerTitle ? "same_title_claimed" : "claimed"
                let claimed = try model.number(of: group, name) ?? .constant(0)
                try path.assume(claimed <= loans)
                loans = loans - claimed
            }
            counts[row] = loans + granted
            path.say(loans + granted, "loans \(limit.countWords)")
        }
    }

    /// Loans of windows are any number, whatever is open and what other rows count.
    private func countWindows(_ limits: [LimitRow], but open: Set<Int>, _ site: Site) throws {
        var known: [LimitRow: Number] = [:]
        for row in limits.indices where !open.contains(row) && limits[row].of == nil {
            var counted = limits[row]
            (counted.maximum, counted.owedFor, counted.owed) = (nil, nil, nil)
            counted.place = SourcePlace(file: "", line: 0)
            if let count = known[counted] {
                counts[row] = count
                continue
            }
            let count = try path.number("loans of limits row \(row + 1)", ProofDomain.listLength)
            if counted.within == nil { try path.assume(count <= total) }
            path.approximate(site.unsettled("rows of limits count loans of one title, or of a window"))
            path.say(count, "loans \(counted.countWords)")
            known[counted] = count
            counts[row] = count
            windows.append((limits[row], count))
        }
    }

    private func sayCount(_ row: Int, _ limit: LimitRow) {
        guard let count = counts[row], count != total else { return }
        let types = limit.conditions.itemTypes.map { " of \(RowConditions.either($0))" } ?? ""
        path.say(count, "loans\(types)" + (limit.countsClaimed ? "" : " that are not claimed to be returned"))
    }

    func count(_ row: Int) -> Number { counts[row] ?? total }

    private static func length(_ part: String, _ field: String, _ model: CaseModel) throws -> Number {
        guard case .list(let list) = try model.value(part, field) else { return .constant(0) }
        return try list.length()
    }

    private func tellApart(_ looking: [Look]) throws {
        self.looking = looking
        let asksClaims = looking.contains { !$0.counted.countsClaimed }
        for isClaimed in asksClaims ? [false, true] : [false] {
            let able = looking.filter { $0.counts(isClaimed) }
            for bits in 0..<(1 << able.count) {
                let met = able.indices.filter { bits >> $0 & 1 == 1 }.map { able[$0] }
                let unmet = able.indices.filter { bits >> $0 & 1 == 0 }.map { able[$0].counted.itemTypes }
                // A row that names no type counts any.
                guard unmet.allSatisfy({ $0 != nil }) else { continue }
                let excluded = unmet.reduce(into: Set<String>()) { $0.formUnion($1 ?? []) }
                let words = met.reduce(into: Set<String>()) { $0.formUnion($1.counted.itemTypes ?? []) }
                    .subtracting(excluded)
                // Each row that counts it must name one of its types.
                guard met.allSatisfy({ !($0.counted.itemTypes?.isDisjoint(with: words) ?? false) }) else { continue }
                let counting = met.flatMap(\.rows).sorted()
                let count = try path.number(Self.name(ofRows: counting, isClaimed), ProofDomain.listLength)
                kinds.append(
                    Kind(
                        rows: Set(counting), count: count, itemTypes: words.sorted(),
                        isClaimed: asksClaims ? isClaimed : nil))
            }
        }
        try path.assume(Self.sum(kinds.map(\.count)).equals(total))
        for row in looking.flatMap(\.rows) {
            counts[row] = Self.sum(kinds.filter { $0.rows.contains(row) }.map(\.count))
        }
    }

    private static func name(ofRows rows: [Int], _ isClaimed: Bool) -> String {
        "\(kindName)\(rows.map { "\($0 + 1)" }.joined(separator: ","))]" + (isClaimed ? claimedName : "")
    }

    /// What kind of loans a variable counts: the numbers of rows, from 1, and whether they are claimed to be returned; nil
    /// if it counts none.
    static func kind(of name: String) -> (rows: Set<Int>, isClaimed: Bool)? {
        guard name.hasPrefix(kindName) else { return nil }
        let isClaimed = name.hasSuffix(claimedName)
        let rest = name.dropFirst(kindName.count).dropLast(isClaimed ? claimedName.count : 0)
        guard rest.last == "]" else { return nil }
        return (Set(rest.dropLast().split(separator: ",").compactMap { Int($0) }), isClaimed)
    }

    /// States that loans which are looked at one by one are among those that rows count.
    func relate() throws {
        if looking.isEmpty || isRelated { return }
        isRelated = true
        path.journal.note { [self] in isRelated = false }
        let length = try Self.length("patron", "loans", model)
        let first = Interpreter.mostRounds
        let behind = (length + .constant(-first)).greatest(.constant(0))
        let loans = try (1...first).map { try loan(at: "patron.loans[\($0)]") }
        func counted(_ isMeant: (Loan) throws -> Condition) throws -> Number {
            try zip(1...first, loans).reduce(.constant(0)) { sum, loan in
                sum + .either(try .constant(loan.0) <= length && isMeant(loan.1), .constant(1), .constant(0))
            }
        }
        for kind in kinds {
            let sum = try counted { try $0.isOf(kind, looking) }
            let claimed = kind.isClaimed == true ? Self.claimedName : ""
            try path.assume(sum <= kind.count, named: "\(Self.kindName)\(kind.rows.sorted())\(claimed) looked at")
        }
        // Of those that one stands for it is known how many meet a row.
        let other = try loan(at: "patron.loans\(List.standing)")
        for look in looking {
            let others = try path.count(in: "patron.loans", where: other.meets(look.counted), of: behind, nil)
            let sum = try counted { try $0.meets(look.counted) } + others
            try path.assume(sum <= count(look.rows[0]), named: "\(Self.kindName)\(look.rows) looked at in all")
        }
    }

    private func loan(at place: String) throws -> Loan {
        let asksClaims = looking.contains { !$0.counted.countsClaimed }
        return Loan(
            itemType: model.chain("\(place).item_type", .itemType),
            isClaimed: asksClaims ? try path.condition("\(place).claimed") : .constant(false))
    }

    private static func sum(_ numbers: [Number]) -> Number {
        numbers.count == 1 ? numbers[0] : numbers.isEmpty ? .constant(0) : .sum(numbers)
    }
}

extension LimitRow {
    /// Whether not all loans count.
    fileprivate var looksAtLoans: Bool { !countsClaimed || conditions.looksAtLoans }
}

extension RowConditions {
    /// Whether not all loans count.
    fileprivate var looksAtLoans: Bool {
        itemTypes != nil || branches != nil || copyBranches != nil || locations != nil || onSite != nil
            || channels != nil
    }

    fileprivate var looksAtItemTypesAlone: Bool {
        branches == nil && copyBranches == nil && locations == nil && onSite == nil && channels == nil
    }
}
