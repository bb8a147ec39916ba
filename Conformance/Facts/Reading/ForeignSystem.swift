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
}
