package import TextFormats

/// What an import did, record by record counted.
package struct ImportReport: Hashable, Sendable {
    package var read = 0
    package var added = 0
    package var updated = 0
    package var unchanged = 0
    /// Records taken after a fault was mended; they are counted among the others too.
    package var repaired = 0
    /// Records that were not taken, each counted once however much is wrong with it.
    package var rejected = 0
    /// Records that are likely there already under another name; they are counted among the others too.
    package var likelyDuplicates = 0
    /// What the files were found to be, in their order.
    package var files: [FileDescription] = []
    package var arrivals = ArrivalReport()
    package var passwords = ArrivedPasswords()
    /// What came in, by kind.
    package var kinds = ImportedKinds()
    /// The codes that files use without describing them, in the order in which they came.
    package var declared: [UndescribedCode] = []
    /// What was in the store before and after, where it was to be counted.
    package var totals: Totals?

    /// What the store holds before an import, and after it.
    package struct Totals: Hashable, Sendable {
        package var before: StoreTotals
        package var after: StoreTotals
    }
    /// The first problems found, at most ``maximumProblems``.
    package var problems: [ImportProblem] = []
    /// How many more there were.
    package private(set) var omittedProblems = 0

    /// Keeps the memory of an import of millions of bad rows bounded.
    package static let maximumProblems = 10_000

    package init() {}

    /// Notes a problem.
    package mutating func note(_ problem: ImportProblem) {
        if problems.count < ImportReport.maximumProblems {
            problems.append(problem)
        } else {
            omittedProblems += 1
        }
    }

    /// Counts one outcome.
    package mutating func count(_ change: ImportChange) {
        switch change {
        case .added: added += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        }
    }

    /// The shape that programs read.
    package var json: JSON {
        [
            "read": .integer(Int64(read)), "added": .integer(Int64(added)), "updated": .integer(Int64(updated)),
            "unchanged": .integer(Int64(unchanged)), "repaired": .integer(Int64(repaired)),
            "rejected": .integer(Int64(rejected)), "likely_duplicates": .integer(Int64(likelyDuplicates)),
            "files": .array(files.map(\.json)), "kinds": kinds.json, "loans": arrivals.json,
            "passwords": passwords.json,
            "problems": .array(problems.map(\.json)),
            "problems_omitted": .integer(Int64(omittedProblems)),
        ]
    }
}

/// What became of one record.
package enum ImportChange: Hashable, Sendable {
    case added, updated, unchanged
}
