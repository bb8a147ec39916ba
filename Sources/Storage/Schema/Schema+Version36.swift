// The MARC records that titles came from, to the letter: so that an export gives them back with what has changed since. What the
// library itself says of a title stands in its row and in events; these are a cataloguer's, and stand in no event.
extension Schema {
    static let marcRecords = """
        CREATE TABLE marc_records (
            title {integer} PRIMARY KEY REFERENCES titles (id) ON DELETE CASCADE,
            record TEXT NOT NULL
        ) {options};
        """
}
