/// The conditions of a row: absent ones hold for all.
package struct RowConditions: Hashable, Sendable {
    package var categories: [String]?
    package var itemTypes: [String]?
    package var branches: [String]?
    package var copyBranches: [String]?
    package var homeBranches: [String]?
    /// Where the copy stands in its branch: words that nothing declares, without others above them.
    package var locations: [String]?
    package var onSite: Bool?
    package var channels: [String]?
    /// The index of the row's `when` function among the policy's, nil if it has none.
    package var when: Int?

    package init(
        categories: [String]? = nil, itemTypes: [String]? = nil, branches: [String]? = nil,
        copyBranches: [String]? = nil, homeBranches: [String]? = nil, locations: [String]? = nil,
        onSite: Bool? = nil, channels: [String]? = nil, when: Int? = nil
    ) {
        self.categories = categories
        self.itemTypes = itemTypes
        self.branches = branches
        self.copyBranches = copyBranches
        self.homeBranches = homeBranches
        self.locations = locations
        self.onSite = onSite
        self.channels = channels
        self.when = when
    }

    /// The names of the conditions as a row writes them.
    package static let names = [
        "category", "item_type", "branch", "copy_branch", "home_branch", "location", "on_site", "channel",
        "when",
    ]
}

/// Where a row or one of its fields stands in the policy's source.
package struct SourcePlace: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

/// A row of `rules`.
package struct RuleRow: Hashable, Sendable {
    package var conditions: RowConditions
    /// Built-in and free fields by name.
    package var fields: [String: RuleValue]
    package var place: SourcePlace
    /// Where each field stands; a field without an entry stands where the row does.
    package var fieldPlaces: [String: SourcePlace]

    package init(
        conditions: RowConditions, fields: [String: RuleValue], place: SourcePlace,
        fieldPlaces: [String: SourcePlace] = [:]
    ) {
        self.conditions = conditions
        self.fields = fields
        self.place = place
        self.fieldPlaces = fieldPlaces
    }
}

/// A row of `notices`.
package struct NoticeRow: Hashable, Sendable {
    package var conditions: RowConditions
    package var stage: String
    /// Reached this long before the due time; exclusive with `after`.
    package var before: Period?
    package var after: Period?
    package var every: Period?
    /// How often the stage is noticed in all; nil with `every`: without end; otherwise once.
    package var times: Int64?
    package var charge: Money?
    package var channel: String
    /// In one language or several; the patron's is taken.
    package var subject: PolicyMessage
    package var body: PolicyMessage
    /// nil: each loan has a message of its own.
    package var digest: NoticeDigest?
    package var place: SourcePlace

    package init(
        conditions: RowConditions = RowConditions(), stage: String, before: Period? = nil, after: Period? = nil,
        every: Period? = nil, times: Int64? = nil, charge: Money? = nil, channel: String, subject: PolicyMessage,
        body: PolicyMessage, digest: NoticeDigest? = nil, place: SourcePlace
    ) {
        self.conditions = conditions
        self.stage = stage
        self.before = before
        self.after = after
        self.every = every
        self.times = times
        self.charge = charge
        self.channel = channel
        self.subject = subject
        self.body = body
        self.digest = digest
        self.place = place
    }
}

/// How rows are ordered by a policy's `match`.
package struct MatchPrecedence: Hashable, Sendable {
    /// Conditions, the most important first.
    package var dimensions: [String]
    /// One row sets all groups, instead of each group its own.
    package var wholeRows: Bool

    package init(dimensions: [String], wholeRows: Bool = false) {
        self.dimensions = dimensions
        self.wholeRows = wholeRows
    }
}
