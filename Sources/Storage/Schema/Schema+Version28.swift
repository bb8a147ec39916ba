// What waits to go out is found by its state: by the condition of the index alone SQLite took that of all unread messages, of which
// there are as many as readers leave unread.
extension Schema {
    static let queueByState = """
        DROP INDEX notices_queued;
        CREATE INDEX notices_queued ON notices (state, id) WHERE state = 'queued';
        """
}
