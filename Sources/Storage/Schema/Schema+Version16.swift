// Titles without an ISBN are distinguished by their name, authors and year: when a file is imported, each of its
// records is looked up by them. Of an author no more than tells most apart: an entry with two long texts would be
// longer than PostgreSQL can hold.
extension Schema {
    static let foundDirectly = """
        CREATE INDEX titles_by_identity
            ON titles (title_key, SUBSTR(author_key, 1, 40), COALESCE(year, \(Int64.min + 1)), COALESCE(isbn, ''), id);
        CREATE INDEX notices_unread ON notices (patron, id)
            WHERE state = 'failed' OR state = 'queued' OR state = 'sent';
        CREATE INDEX notices_failed ON notices (id) WHERE state = 'failed';
        """
}
