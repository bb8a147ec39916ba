// What patrons write to each other about offers. A message is found by its conversation and its number, a conversation by who takes
// part in it.
extension Schema {
    static let conversations = """
        CREATE TABLE conversations (
            id {rowKey},
            listing {integer} NOT NULL REFERENCES listings (id),
            asker {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            owner {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            begun_at {integer} NOT NULL,
            last_at {integer} NOT NULL,
            messages {integer} NOT NULL CHECK (messages >= 0),
            asker_read {integer} NOT NULL CHECK (asker_read >= 0),
            owner_read {integer} NOT NULL CHECK (owner_read >= 0),
            import_key TEXT
        ) {options};
        CREATE INDEX conversations_by_asker ON conversations (asker, last_at) WHERE asker IS NOT NULL;
        CREATE INDEX conversations_by_owner ON conversations (owner, last_at) WHERE owner IS NOT NULL;
        CREATE INDEX conversations_by_listing ON conversations (listing, asker, id);
        CREATE UNIQUE INDEX conversations_by_import_key ON conversations (import_key) WHERE import_key IS NOT NULL;
        CREATE TABLE messages (
            id {rowKey},
            conversation {integer} NOT NULL REFERENCES conversations (id),
            number {integer} NOT NULL CHECK (number > 0),
            sender {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            text TEXT NOT NULL,
            sent_at {integer} NOT NULL
        ) {options};
        CREATE UNIQUE INDEX messages_by_conversation ON messages (conversation, number);
        CREATE INDEX messages_by_sender ON messages (sender) WHERE sender IS NOT NULL;
        CREATE TABLE blocked_writers (
            id {identity},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            writer {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            blocked_at {integer} NOT NULL
        ) {options};
        CREATE INDEX blocked_writers_by_patron ON blocked_writers (patron, writer);
        CREATE INDEX blocked_writers_by_writer ON blocked_writers (writer);
        """
}
