/// A branch of the library.
package struct Branch: Hashable, Sendable {
    /// The branch's code, its key.
    package var code: String
    package var name: String
    /// nil: the library's zone.
    package var zone: Zone?
    package var calendar: OpeningCalendar

    package init(code: String, name: String, zone: Zone? = nil, calendar: OpeningCalendar = .alwaysOpen) {
        self.code = code
        self.name = name
        self.zone = zone
        self.calendar = calendar
    }
}

/// A category of patrons.
package struct Category: Hashable, Sendable {
    package var code: String
    package var name: String

    package init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

/// A type of item; it may have a parent, whose rules it meets as well.
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

/// What holds for the whole library.
package struct LibrarySettings: Hashable, Sendable {
    package var name: String
    package var zone: Zone
    /// Fixed with the first ledger row.
    package var currency: Currency

    package init(name: String, zone: Zone, currency: Currency) {
        self.name = name
        self.zone = zone
        self.currency = currency
    }
}
