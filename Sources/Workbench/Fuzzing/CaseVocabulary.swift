import Circulation
import LuaSyntax
import Scripting

/// The values that a policy itself names, so that random cases come close to where it decides one way or the other.
struct CaseVocabulary: Sendable {
    /// Each with one that the policy does not know.
    var categories: [String]
    var itemTypes: [String]
    var branches: [String]
    var channels: [String]
    var locations: [String] = []
    /// Whether it matters which loans are claimed to be returned.
    var looksAtClaims = false
    /// Whether it matters how many holds there are by item type.
    var countsHeldTypes = false
    /// What a field of that name is compared with.
    var texts: [String: [String]] = [:]
    /// Short texts anywhere in functions and tables.
    var words: [String] = []
    /// Whole numbers with their neighbours, ascending, none negative.
    var integers: [Int64]
    /// Minor units with their neighbours.
    var amounts: [Int64]
    var dates: [CivilDate] = []
    /// The earliest time of day that the policy names.
    var earliestTime: CivilTime?
    /// Names that the source reads; a field that none of them is cannot matter to a function.
    var reads: Set<String> = []
    /// Names that are not fields of a case: presumably those of `extra`.
    var extras: [String] = []
    /// What the policy takes a field of the library's own for; a field that is not here, for a mark that is there or
    /// not.
    var kinds: [String: [Kind]] = [:]
    /// The fields of the library's own, as far as the policy reads them.
    var fields: [CustomField.Owner: [CustomField]] = [:]
    /// The lengths in days of the windows in which rows of `limits` count, and of the debts that they ask for.
    var windows: [Int64] = []
    var debts: [Int64] = []
    /// Whether rows say when memberships end.
    var endsMemberships = false
    /// Those to whom a patron is linked, as far as rows of `limits` or functions ask for them, and what they are to owe.
    var groups: [PatronGroup] = []
    /// Whether rows of `limits` or functions look at what these have of the title that is asked for.
    var looksAtTitlesOfGroups = false
    var groupDebts: [Money] = []
    /// Points with a function of their own.
    var functions: [DecisionPoint] = []
    /// Whether rows ask functions.
    var hasConditions = false

    /// The kinds of values of the library's own fields.
    enum Kind: String, Sendable, CaseIterable { case boolean, number, text }

    init(_ policy: ParsedPolicy, tables: CompiledTables) {
        var collector = WordCollector()
        for chunk in policy.chunks {
            collector.begin()
            chunk.walk(&collector)
        }
        if let outline = policy.main.flatMap({ PolicyOutline($0) }) {
            functions = DecisionPoint.allCases.filter { outline[$0.rawValue] != nil }
        }
        let source = tables.source
        let rows = source.allConditions
        endsMemberships = !source.membership.isEmpty
        hasConditions = rows.contains { $0.when != nil }
        let lookedUp = collector.lookedUp
        texts = collector.texts.merging(lookedUp) { $0 + $1 }
        categories = Self.values(
            rows.flatMap { $0.categories ?? [] } + (texts["category"] ?? []) + (texts["seller_category"] ?? []))
        itemTypes = Self.values(rows.flatMap { $0.itemTypes ?? [] } + (texts["item_type"] ?? []))
        let places = rows.flatMap { ($0.branches ?? []) + ($0.copyBranches ?? []) + ($0.homeBranches ?? []) }
        branches = Self.values(places + (texts["branch"] ?? []) + (texts["home_branch"] ?? []))
        channels = rows.flatMap { $0.channels ?? [] } + (texts["channel"] ?? [])
        windows = source.limits.compactMap(\.windowDays)
        debts = source.limits.compactMap(\.debtDays)
        groups = PatronGroup.allCases.filter { group in
            collector.reads.contains(group.rawValue) || source.limits.contains { $0.of == group }
        }
        looksAtTitlesOfGroups =
            source.limits.contains { $0.of != nil && $0.isPerTitle }
            || !groups.isEmpty && !collector.reads.isDisjoint(with: ["same_title", "same_title_claimed"])
        groupDebts = source.limits.compactMap(\.owed)
        let named = rows.flatMap { $0.locations ?? [] } + (texts["location"] ?? [])
        locations = named.isEmpty ? [] : Self.values(named)
        looksAtClaims = collector.reads.contains("claimed") || source.limits.contains { !$0.countsClaimed }
        countsHeldTypes =
            source.limitsHoldsOfItemType || !collector.reads.isDisjoint(with: ["of_item_type", "of_item_types"])
        let ages = source.membership.flatMap { [$0.fromAge, $0.underAge, $0.untilAge].compactMap { $0 } }
        let numbers = collector.integers.union(source.limits.compactMap(\.maximum) + ages)
        integers = Set(([0, 1, 2] + numbers.flatMap { [$0 - 1, $0, $0 + 1] }).filter { (0...5_000).contains($0) })
            .sorted()
        let sums = collector.amounts.flatMap { [$0 - 1, $0, $0 + 1] }
        amounts = Set(([0, 1, 1_000] + sums).filter { (0...100_000_000).contains($0) }).sorted()
        dates = collector.dates.sorted()
        earliestTime = collector.times.min()
        reads = collector.reads
        let known = Set(CaseVocabulary.knownNames + policy.fields.all.map(\.name))
        let read = collector.reads
        for owner in CustomField.Owner.allCases {
            fields[owner] = policy.fields[owner].filter { read.contains($0.name) }
        }
        words = collector.words.subtracting(known).sorted()
        // What a function does with its argument is not known here.
        extras = collector.reads.subtracting(known).filter {
            !collector.handedOn.contains($0) || collector.kinds[$0] != nil || lookedUp[$0] != nil
        }.sorted()
        kinds = collector.kinds.mapValues { kinds in Kind.allCases.filter(kinds.contains) }
        for name in lookedUp.keys { kinds[name] = [.text] }
    }

    /// A code that the library does not have.
    private static var knownNames: [String] {
        let fields = PolicyRecords.casePaths.flatMap { path in
            path.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
        }
        return fields + RuleField.all.map(\.name) + PolicyWord.names + RowConditions.names + PolicyKey.noticeFields
            + PolicyKey.limitFields + PolicyKey.membershipFields + PolicyKey.historyFields + PolicyKey.all
    }

    private static func values(_ found: [String]) -> [String] {
        var values: [String] = []
        for value in found where !values.contains(value) { values.append(value) }
        return values + (values.contains("other") ? [] : ["other"])
    }
}
