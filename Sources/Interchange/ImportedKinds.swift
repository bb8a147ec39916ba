package import TextFormats

/// What an import brought, by the kind of record: a title with copies counts as one title, and its new copies apart.
package struct ImportedKinds: Hashable, Sendable {
    /// What became of the records of one kind.
    package struct Count: Hashable, Sendable {
        package var added: Int64 = 0
        package var updated: Int64 = 0
        package var unchanged: Int64 = 0
    }

    package private(set) var counts: [String: Count] = [:]

    package init() {}

    mutating func count(_ record: ImportedRecord, _ change: ImportChange) {
        guard let kind = record.kindName else { return }
        switch change {
        case .added: counts[kind, default: Count()].added += 1
        case .updated: counts[kind, default: Count()].updated += 1
        case .unchanged: counts[kind, default: Count()].unchanged += 1
        }
    }

    mutating func add(_ other: ImportedKinds) {
        counts.merge(other.counts) {
            Count(added: $0.added + $1.added, updated: $0.updated + $1.updated, unchanged: $0.unchanged + $1.unchanged)
        }
    }

    /// In the order of their names.
    package var sorted: [(kind: String, count: Count)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The shape that programs read.
    package var json: JSON {
        var object: JSONObject = [:]
        for (kind, count) in sorted {
            object[kind] = [
                "added": .integer(count.added), "updated": .integer(count.updated),
                "unchanged": .integer(count.unchanged),
            ]
        }
        return .object(object)
    }
}

extension ImportedRecord {
    /// What such records are called in a report; nil for the head of a file.
    fileprivate var kindName: String? {
        switch self {
        case .title: "titles"
        case .copy: "copies"
        case .patron: "patrons"
        case .loan: "loans"
        case .hold: "holds"
        case .branch: "branches"
        case .category: "categories"
        case .itemType: "item_types"
        case .location: "locations"
        case .library: "library"
        case .notice, .storedNotice: "notices"
        case .block: "blocks"
        case .patronLink, .guardians: "patron_links"
        case .reader(.rating): "ratings"
        case .reader(.list): "title_lists"
        case .reader(.listedTitle): "listed_titles"
        case .ledgerEntry: "account_lines"
        case .inHouseUse: "in_house_uses"
        case .policyActivation: "policies"
        case .market: "market"
        case .course: "courses"
        case .wholeLibrary: nil
        }
    }
}
