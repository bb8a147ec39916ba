// How messages go out: why a try was in vain, and who is at work on which. The latter is no part of the history, so that no event
// tells of it.
extension Schema {
    static let deliveries = """
        ALTER TABLE notices ADD COLUMN failure TEXT;
        CREATE TABLE deliveries (
            notice {integer} PRIMARY KEY NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
            channel TEXT NOT NULL,
            worker TEXT,
            tried_at {integer} NOT NULL,
            held_until {integer} NOT NULL,
            words TEXT
        ) {options};
        CREATE INDEX deliveries_by_channel ON deliveries (channel, tried_at);
        """
}
