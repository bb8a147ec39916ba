// What patrons keep in mind, and what services that know books were asked. The latter is no part of the history, so that no event
// tells of it.
extension Schema {
    static let favourites = """
        CREATE TABLE favourites (
            id {identity},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            title {integer} REFERENCES titles (id) ON DELETE CASCADE,
            listing {integer} REFERENCES listings (id),
            added_at {integer} NOT NULL,
            CHECK ((title IS NULL) <> (listing IS NULL))
        ) {options};
        CREATE INDEX favourites_by_patron ON favourites (patron, id);
        CREATE INDEX favourites_by_title ON favourites (title) WHERE title IS NOT NULL;
        CREATE INDEX favourites_by_listing ON favourites (listing) WHERE listing IS NOT NULL;
        CREATE TABLE book_data (
            id {rowKey},
            isbn TEXT NOT NULL UNIQUE,
            asked_at {integer} NOT NULL,
            answer TEXT
        ) {options};
        """
}
