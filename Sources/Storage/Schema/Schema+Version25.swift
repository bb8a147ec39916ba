// The search index yields its matches in the order of how often titles are lent, so that of very many matches the first are found
// without a sort: its keys are places (see ``Standing``). It is made anew in their order; so are the entries for beginnings of words,
// of one to four letters. `standing_reached` says up to which loan titles were placed. Nothing in it: none.
extension Schema {
    static let placedSearch = """
        CREATE TABLE title_standing (
            title {integer} PRIMARY KEY REFERENCES titles (id) ON DELETE CASCADE,
            standing {integer} NOT NULL
        ) {options};
        CREATE TABLE standing_reached (
            loan {integer} NOT NULL
        ) {options};
        INSERT INTO title_standing (title, standing)
        SELECT title, \(classes) FROM (
            SELECT title, COUNT(*) AS lendings FROM loans WHERE title < \(Standing.width) GROUP BY title) AS lent;
        INSERT INTO standing_reached (loan)
        SELECT last FROM (SELECT MAX(id) AS last FROM loans) AS loan WHERE last IS NOT NULL;
        CREATE INDEX copies_available ON copies (branch, title, status) WHERE status = 'available';
        {placedSearch}
        """

    /// ``Standing/of(lendings:)`` in SQL.
    private static let classes = (0..<40).map { power in
        "CASE WHEN lendings >= \(Int64(1) << Int64(power)) THEN 1 ELSE 0 END"
    }.joined(separator: " + ")

    /// What fills the new index from the old one, in the order of the places.
    static let placedTexts = """
        SELECT titles.id - COALESCE(title_standing.standing, 0) * \(Standing.width) AS place, earlier_search.title,
            earlier_search.author, earlier_search.isbn, earlier_search.course, earlier_search.college,
            earlier_search.publisher, earlier_search.genre
        FROM titles LEFT JOIN title_standing ON title_standing.title = titles.id
        """
}
