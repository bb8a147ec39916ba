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
    /// The rows that look at item types, and these.
    private var looking: [(rows: [Int], types: Set<String>)] = []
    /// For each kind the rows that count it, and how many loans are of it.
    private(set) var kinds: [(rows: Set<Int>, count: Number, itemTypes: [String])] = []
    /// How many loans there are in all, as far as they are told apart.
    private(set) var total: Number = .constant(0)
    /// For each row how many loans it counts.
    private var counts: [Int: Number] = [:]
    /// The rows that count the loans of a window or of one title, each by itself, with how many these are.
    private(set) var windows: [(row: LimitRow, count: Number)] = []

    /// With more rows that look at loans their kinds are not told apart.
    private static let mostRows = 8
    /// Behind it stand the numbers of the rows, from 1.
    static let kindName = "loans of limits rows ["

    init(_ limits: [LimitRow], _ model: CaseModel, site: Site) throws {
        path = model.path
        self.model = model
        let loans = try Self.length("patron", "loans", model)
        let granted = try Self.length("request", "granted", model)
        total = loans + granted
        let open = limits.indices.filter { limits[$0].countsOpenLoans }
        let looking = open.filter { limits[$0].conditions.looksAtLoans }
        for row in open where !limits[row].conditions.looksAtLoans { counts[row] = total }
        try countWindows(limits, but: Set(open), site)
        let areTypesAlone = looking.allSatisfy { limits[$0].conditions.looksAtItemTypesAlone }
        let sets = Dictionary(grouping: looking) { Set(limits[$0].conditions.itemTypes ?? []) }
        if sets.count <= Self.mostRows, areTypesAlone, model.domain.codes.itemTypes == nil {
            try tellApart(sets.sorted { $0.value[0] < $1.value[0] }.map { ($0.value, $0.key) })
            for row in looking { sayCount(row, limits[row].conditions.itemTypes ?? []) }
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

    /// Loans of windows are any number, whatever is open and what other rows count.
    private func countWindows(_ limits: [LimitRow], but open: Set<Int>, _ site: Site) throws {
        var known: [LimitRow: Number] = [:]
        for row in limits.indices where !open.contains(row) {
            var counted = limits[row]
            (counted.maximum, counted.owedFor, counted.place) = (nil, nil, SourcePlace(file: "", line: 0))
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

    private func sayCount(_ row: Int, _ itemTypes: [String]) {
        guard let count = counts[row], count != total else { return }
        path.say(count, "loans of \(RowConditions.either(itemTypes))")
    }

    func count(_ row: Int) -> Number { counts[row] ?? total }

    private static func length(_ part: String, _ field: String, _ model: CaseModel) throws -> Number {
        guard case .list(let list) = try model.value(part, field) else { return .constant(0) }
        return try list.length()
    }

    /// - Parameter rows: those that count the same loans, with the item types that they name.
    private func tellApart(_ rows: [(rows: [Int], types: Set<String>)]) throws {
        looking = rows
        for bits in 0..<(1 << rows.count) {
            let met = rows.indices.filter { bits >> $0 & 1 == 1 }
            let unmet = rows.indices.filter { bits >> $0 & 1 == 0 }
            let excluded = unmet.reduce(into: Set<String>()) { $0.formUnion(rows[$1].types) }
            let words = met.reduce(into: Set<String>()) { $0.formUnion(rows[$1].types) }.subtracting(excluded)
            // Each row that counts it must name one of its types.
            guard met.allSatisfy({ !rows[$0].types.isDisjoint(with: words) }) else { continue }
            let counting = met.flatMap { rows[$0].rows }.sorted()
            let name = counting.map { "\($0 + 1)" }.joined(separator: ",")
            let count = try path.number("\(Self.kindName)\(name)]", ProofDomain.listLength)
            kinds.append((Set(counting), count, words.sorted()))
        }
        try path.assume(Self.sum(kinds.map(\.count)).equals(total))
        for row in rows.flatMap(\.rows) { counts[row] = Self.sum(kinds.filter { $0.rows.contains(row) }.map(\.count)) }
    }

    /// States that loans which are looked at one by one are among those that rows count.
    func relate() throws {
        if looking.isEmpty || isRelated { return }
        isRelated = true
        path.journal.note { [self] in isRelated = false }
        let length = try Self.length("patron", "loans", model)
        let first = Interpreter.mostRounds
        let behind = (length + .constant(-first)).greatest(.constant(0))
        let chains = (1...first).map { model.chain("patron.loans[\($0)].item_type", .itemType) }
        func counted(_ isMeant: (Chain) throws -> Condition) throws -> Number {
            try zip(1...first, chains).reduce(.constant(0)) { sum, loan in
                sum + .either(try .constant(loan.0) <= length && isMeant(loan.1), .constant(1), .constant(0))
            }
        }
        for kind in kinds {
            let sum = try counted { chain in
                .every(
                    try looking.map { row in
                        let isMet = try chain.containsAny(row.types.sorted())
                        return kind.rows.isSuperset(of: row.rows) ? isMet : isMet.negated
                    })
            }
            try path.assume(sum <= kind.count, named: "\(Self.kindName)\(kind.rows.sorted()) looked at")
        }
        // Of those that one stands for it is known how many meet a row.
        let other = model.chain("patron.loans\(List.standing).item_type", .itemType)
        for row in looking {
            let types = row.types.sorted()
            let others = try path.count(in: "patron.loans", where: other.containsAny(types), of: behind, nil)
            let sum = try counted { try $0.containsAny(types) } + others
            try path.assume(sum <= count(row.rows[0]), named: "\(Self.kindName)\(row.rows) looked at in all")
        }
    }

    private static func sum(_ numbers: [Number]) -> Number {
        numbers.count == 1 ? numbers[0] : numbers.isEmpty ? .constant(0) : .sum(numbers)
    }
}

extension RowConditions {
    /// Whether not all loans count.
    fileprivate var looksAtLoans: Bool {
        itemTypes != nil || branches != nil || copyBranches != nil || onSite != nil || channels != nil
    }

    fileprivate var looksAtItemTypesAlone: Bool {
        branches == nil && copyBranches == nil && onSite == nil && channels == nil
    }
}
