// The words of titles, each once, by how they begin and by how they end: words that readers mistype are mended to them, and words that
// readers begin are found by them. The index of the search is made anew with what years and languages are found by;
// ``SearchRepository/renew()`` fills it.
extension Schema {
    static let searchWords = """
        CREATE TABLE search_words (
            word TEXT PRIMARY KEY,
            tail TEXT NOT NULL
        ) {counters};
        CREATE INDEX search_words_by_tail ON search_words (tail);
        {emptiedSearch}
        """
}
