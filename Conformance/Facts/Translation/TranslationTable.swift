import TextFormats

/// What other systems call the fields, operations and results of the neutral schema. No entry is made for a single fact:
/// each is another name, or another unit, of something that the schema has.
package enum TranslationTable {
    /// A field of another system.
    struct Entry: Sendable {
        /// Its names.
        var names: [String]
        /// Where it stands in the schema: below `given`, or below the step with `step.`; `list[].x` is a field of the first.
        var path: String
        var reading: TranslationReading
        /// Only for these operations; empty: for all.
        var operations: [String]
        /// What else it says.
        var beside: [(path: String, value: JSON)]
        /// Whether null means something, as without limit.
        var takesNull: Bool
        /// Its names by class; see ``FieldName``.
        let keys: [String]

        init(
            _ names: String..., to path: String, _ reading: TranslationReading = .same, of operations: [String] = [],
            beside: [(path: String, value: JSON)] = [], takesNull: Bool = false
        ) {
            self.names = names
            self.path = path
            self.reading = reading
            self.operations = operations
            self.beside = beside
            self.takesNull = takesNull
            // Words that go with many things name nothing by themselves.
            keys = names.map { FieldName.key($0) }.filter {
                !["", "max", "count", "day", "patron", "copy"].contains($0)
            }
        }

        /// Whether its value is a list, not one for each step.
        var takesLists: Bool { ["queue", "blocked", "stages", "charged", "loans_told", "reasons"].contains(path) }
    }

    /// An operation of another system.
    struct OperationEntry: Sendable {
        var words: [String]
        var code: String
        /// What the step is told by it.
        var operands: JSONObject
        /// What it takes for granted.
        var presets: [(path: String, value: JSON)]

        init(
            _ words: String..., to code: String, _ operands: JSONObject = [:],
            given presets: [(path: String, value: JSON)] = []
        ) {
            self.words = words
            self.code = code
            self.operands = operands
            self.presets = presets
        }
    }

    /// How a system works where its facts do not say.
    struct Convention: Sendable {
        var systems: [ForeignSystem]
        var path: String
        var value: JSON
        /// Only where this is said; nil: always.
        var needs: String?
        /// Not where this is said.
        var unless: String?
    }

    static let conventions = [
        // Koha's and RERO's days end at 23:59.
        Convention(systems: [.koha, .rero], path: "rule.due_time", value: "23:59"),
        Convention(systems: [.koha, .invenio], path: "rule.renew_from", value: "due"),
        // FOLIO keeps the time of day of lending.
        Convention(systems: [.folio], path: "keep_time", value: true, needs: "rule.loan"),
        // Koha asks for the end of a membership only where it is told to.
        Convention(systems: [.koha], path: "rule.due_expiry", value: false, needs: "patrons[].expires"),
        // Koha charges whole intervals; Evergreen charges nothing for closed days.
        Convention(systems: [.koha], path: "rule.rounding", value: "whole", needs: "rule.fine"),
        Convention(systems: [.evergreen], path: "rule.fine_closed_days", value: false, needs: "rule.fine"),
        Convention(systems: [], path: "rule.per", value: "1 day", needs: "rule.fine"),
        // A loan that is to be renewed is due soon, where nothing is said of it.
        Convention(
            systems: [], path: "loans[].due", value: "now + 2 days", needs: "loans[].copy", unless: "loans[].lent"),
        // A return takes the fee for a loss back, unless it is said that it does not.
        Convention(systems: [], path: "rule.lost_refund_within", value: "unlimited", needs: "rule.lost_fee"),
        // Koha takes the grace off a suspension.
        Convention(systems: [.koha], path: "rule.grace_mode", value: "deduct", needs: "rule.suspension"),
    ]

    // MARK: Looking up

    /// An entry that knows a name, and the unit at the end of the name.
    typealias Known = (entry: Entry, unit: String?)

    static func entry(_ name: String, _ table: [Entry], _ operation: String) -> Known? {
        entries(name, table, operation).first
    }

    /// The entries that know a name, the best first: as it is written, or one that comes to the same, with a unit at its
    /// end, or with words that only say that it is a moment.
    static func entries(_ name: String, _ table: [Entry], _ operation: String) -> [Known] {
        let fitting =
            table.filter { $0.operations.contains(operation) } + table.filter { $0.operations.isEmpty }
        let key = FieldName.key(name)
        var found: [Known] = fitting.filter { $0.names.contains(name) }.map { ($0, nil) }
        if !key.isEmpty { found += fitting.filter { $0.keys.contains(key) }.map { ($0, nil) } }
        if let (key, unit) = FieldName.withoutUnit(name) {
            found += fitting.filter { $0.reading.takesUnits && $0.keys.contains(key) }.map { ($0, unit) }
        }
        if let key = FieldName.withoutTime(name) {
            found += fitting.filter { $0.reading.takesMoments && $0.keys.contains(key) }.map { ($0, nil) }
        }
        return found
    }

    /// Whether an object of that name only holds fields together.
    static func isContainer(_ name: String) -> Bool {
        let words = Set(FieldName.classes(FieldName.words(name)))
        return words.isSubset(of: containers)
    }

    /// Whether a field of an object that stands for a record is about that record, and not about one of another kind.
    static func fits(_ name: String, in container: String, _ operation: String) -> Bool {
        let lists = ["patron": "patrons", "hold": "holds", "copy": "copies"]
        let words = Set(FieldName.classes(FieldName.words(container)))
        guard let own = lists.first(where: { words.contains($0.key) }), let (entry, _) = entry(name, given, operation)
        else { return true }
        let isOther = lists.values.contains { $0 != own.value && entry.path.hasPrefix($0) }
        return !isOther
    }

    private static let containers: Set<String> = [
        "policy", "rule", "setting", "preference", "config", "configuration", "parameter", "term", "condition", "loan",
        "copy", "patron", "branch", "fine", "hold", "renewal", "overdue", "system", "syspref", "sysprefs", "state",
        "profile", "matrix", "account", "option", "result", "outcome", "response", "answer", "bib", "record", "title",
        "automated", "block", "penalty", "max", "copies", "reservation", "checkout", "library", "notice", "shelf",
        "due", "fee", "category", "itemtype", "current", "count", "lost", "suspension", "period", "library",
    ]

    /// The names that each entry knows, and where they stand in the schema, by what they are names of.
    package static var names: [(part: String, names: [String], path: String)] {
        [("given", given), ("when", when), ("expect", expect)].flatMap { part, entries in
            entries.map { (part, $0.names, $0.path) }
        }
    }
}
