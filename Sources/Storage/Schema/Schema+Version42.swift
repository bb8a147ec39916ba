import Circulation

// Who answers for a patron, and who lives with whom. Links are found from either side; a patron is in one household at most.
extension Schema {
    static let patronLinks = """
        CREATE TABLE patron_links (
            id {identity},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            other {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (\(oneOf("kind", PatronLink.Kind.allCases.map(\.rawValue)))),
            added_at {integer} NOT NULL,
            CHECK (patron <> other)
        ) {options};
        CREATE UNIQUE INDEX patron_links_by_patron ON patron_links (patron, kind, other);
        CREATE INDEX patron_links_by_other ON patron_links (other, kind, patron);
        CREATE UNIQUE INDEX patron_links_of_households ON patron_links (patron) WHERE kind = 'household';
        """
}
