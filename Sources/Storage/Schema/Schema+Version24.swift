// Circulation is counted as it happens: by the day, where, for whom and of what kind, and by title and year. Nothing refers
// to the rows: they stay when a code or a title goes. An empty code and the title 0 stand for what is not known. Who joined when is found among all
// events by an index of these alone.
extension Schema {
    static let counters = """
        CREATE TABLE circulation_days (
            day {integer} NOT NULL,
            branch TEXT NOT NULL,
            category TEXT NOT NULL,
            item_type TEXT NOT NULL,
            loans {integer} NOT NULL,
            renewals {integer} NOT NULL,
            returns {integer} NOT NULL,
            in_house {integer} NOT NULL,
            PRIMARY KEY (day, branch, category, item_type)
        ) {counters};
        CREATE TABLE title_lendings (
            title {integer} NOT NULL,
            year {integer} NOT NULL,
            branch TEXT NOT NULL,
            loans {integer} NOT NULL,
            renewals {integer} NOT NULL,
            returns {integer} NOT NULL,
            in_house {integer} NOT NULL,
            PRIMARY KEY (title, year, branch)
        ) {counters};
        CREATE INDEX events_of_new_patrons ON events (at, patron) WHERE kind = 'patron.added';
        """
}
