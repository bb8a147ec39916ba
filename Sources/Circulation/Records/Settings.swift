/// What a library declares under a code of its own: branches, categories of patrons, types of items, locations.
package protocol DeclaredCode: DeclaredRecord {
    /// Its key; it does not change.
    var code: String { get set }
    var name: String { get set }
    /// The code of what it is a part of; nil: it stands by itself.
    var parent: String? { get }
}

extension DeclaredCode {
    package var parent: String? { nil }
}

/// What may have a parent of its kind, and so on upwards. It meets every condition that names an ancestor.
package protocol NestedCode: DeclaredCode {
    var parent: String? { get set }
}

/// A branch of the library; a campus or an institution is one too, with branches below it.
package struct Branch: Hashable, Sendable {
    /// The branch's code, its key.
    package var code: String
    package var name: String
    package var parent: String?
    /// nil: the library's zone.
    package var zone: Zone?
    package var calendar: OpeningCalendar

    package init(
        code: String, name: String, parent: String? = nil, zone: Zone? = nil, calendar: OpeningCalendar = .alwaysOpen
    ) {
        self.code = code
        self.name = name
        self.parent = parent
        self.zone = zone
        self.calendar = calendar
    }
}

/// A category of patrons.
package struct Category: Hashable, Sendable {
    package var code: String
    package var name: String
    package var parent: String?

    package init(code: String, name: String, parent: String? = nil) {
        self.code = code
        self.name = name
        self.parent = parent
    }
}

/// A type of item.
package struct ItemType: Hashable, Sendable {
    package var code: String
    package var name: String
    package var parent: String?

    package init(code: String, name: String, parent: String? = nil) {
        self.code = code
        self.name = name
        self.parent = parent
    }
}

/// A shelving location: what people call the word that copies have as their ``Copy/location``.
///
/// Copies may have words that are not declared: those are shown as they are.
package struct ShelvingLocation: Hashable, Sendable {
    package var code: String
    package var name: String

    package init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

/// What holds for the whole library.
package struct LibrarySettings: Hashable, Sendable {
    package var name: String
    package var zone: Zone
    /// Fixed with the first ledger row.
    package var currency: Currency
    /// The words that no patron's display name begins with.
    package var reservedNames: [String]
    /// Whether patrons rate titles.
    package var hasRatings: Bool
    /// Notices of which kinds one patron gets in one message, as far as they wait at the same time; empty: each goes alone.
    package var gatheredKinds: Set<GatheredKind>

    package init(
        name: String, zone: Zone, currency: Currency, reservedNames: [String] = LibrarySettings.usualReservedNames,
        hasRatings: Bool = true, gatheredKinds: Set<GatheredKind> = []
    ) {
        self.name = name
        self.zone = zone
        self.currency = currency
        self.reservedNames = reservedNames
        self.hasRatings = hasRatings
        self.gatheredKinds = gatheredKinds
    }

    /// The words for ``gatheredKinds``, in their order.
    package var gatheredNotices: [String] { GatheredKind.allCases.filter(gatheredKinds.contains).map(\.rawValue) }

    /// What is reserved as long as a library does not say otherwise.
    package static let usualReservedNames = ["library", "librarian", "admin", "staff", "moderator", "moonshelf"]
}
