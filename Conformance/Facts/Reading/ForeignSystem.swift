import Circulation

/// Where a fact comes from. Systems contradict each other; each is met under tables made the way that it works.
enum ForeignSystem {
    case koha, evergreen, folio, rero, invenio, other

    init(source: String) {
        let source = source.lowercased()
        self =
            source.hasPrefix("koha")
            ? .koha
            : source.hasPrefix("evergreen")
                ? .evergreen
                : source.hasPrefix("folio")
                    ? .folio
                    : source.hasPrefix("rero") ? .rero : source.hasPrefix("inveniosoftware") ? .invenio : .other
    }

    /// The time of day of a due date that comes of days: Koha's 23:59, RERO's 23:59, the last second elsewhere.
    var dueTime: String {
        switch self {
        case .koha, .rero: "23:59"
        default: "end_of_day"
        }
    }

    /// FOLIO keeps the time of day at which a copy was lent for periods of days, weeks and months.
    var keepsTimeOfDay: Bool { self == .folio }
}
