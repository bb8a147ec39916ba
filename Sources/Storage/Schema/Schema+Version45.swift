import Circulation

// The series that titles are volumes of: they are found by its name, in their order. What readers think of titles, with the sums for
// each title beside it. The lists that they make.
extension Schema {
    static let readersWords = """
        ALTER TABLE titles ADD COLUMN series TEXT;
        ALTER TABLE titles ADD COLUMN series_number TEXT;
        ALTER TABLE titles ADD COLUMN series_key TEXT;
        ALTER TABLE titles ADD COLUMN series_place TEXT;
        CREATE INDEX titles_by_series ON titles (series_key, series_place, id) WHERE series_key IS NOT NULL;
        CREATE TABLE ratings (
            id {identity},
            title {integer} NOT NULL REFERENCES titles (id) ON DELETE CASCADE,
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            stars {integer} NOT NULL CHECK (stars BETWEEN 1 AND 5),
            review TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", Rating.ReviewState.allCases.map(\.rawValue)))),
            rated_at {integer} NOT NULL,
            changed_at {integer} NOT NULL,
            decision TEXT
        ) {options};
        CREATE UNIQUE INDEX ratings_by_patron ON ratings (patron, title);
        CREATE INDEX ratings_of_patrons ON ratings (patron, id);
        CREATE INDEX ratings_by_title ON ratings (title);
        CREATE INDEX ratings_with_reviews ON ratings (title, id) WHERE review <> '' AND state <> 'hidden';
        CREATE INDEX ratings_reported ON ratings (id) WHERE state = 'reported';
        CREATE TABLE rating_totals (
            id {integer} NOT NULL PRIMARY KEY REFERENCES titles (id) ON DELETE CASCADE,
            ratings {integer} NOT NULL,
            stars {integer} NOT NULL
        ) {options};
        CREATE TABLE title_lists (
            id {identity},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            is_public {integer} NOT NULL CHECK (is_public IN (0, 1)),
            created_at {integer} NOT NULL
        ) {options};
        CREATE INDEX title_lists_by_patron ON title_lists (patron, id);
        CREATE TABLE listed_titles (
            id {identity},
            list {integer} NOT NULL REFERENCES title_lists (id) ON DELETE CASCADE,
            title {integer} NOT NULL REFERENCES titles (id) ON DELETE CASCADE,
            added_at {integer} NOT NULL
        ) {options};
        CREATE UNIQUE INDEX listed_titles_once ON listed_titles (list, title);
        CREATE INDEX listed_titles_in_order ON listed_titles (list, id);
        CREATE INDEX listed_titles_by_title ON listed_titles (title);
        """
}
