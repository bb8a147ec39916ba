// Lists of what is open, failed or in one state, newest first, are read from an index that holds those alone.
extension Schema {
    static let listedByState = """
        CREATE INDEX orders_by_state ON orders (state, id);
        CREATE INDEX rentals_open_by_id ON rentals (id) WHERE ended_at IS NULL;
        DROP INDEX notices_failed;
        CREATE INDEX notices_failed ON notices (state, id) WHERE state = 'failed';
        """
}
