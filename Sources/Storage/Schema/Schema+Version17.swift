// What makes accounts harder to take: names that look the same have the same key, a log-in remembers from where it came (in so few
// bits that no address can be told from them), keys say what they are for, and a new e-mail waits until it is confirmed. Keys that
// had no end get one, 366 days after they were made.
extension Schema {
    static let safeAccounts = """
        ALTER TABLE patrons ADD COLUMN username_key TEXT NOT NULL DEFAULT '';
        UPDATE patrons SET username_key = lower(username);
        CREATE INDEX patrons_by_username_key ON patrons (username_key);
        ALTER TABLE access_tokens ADD COLUMN scope TEXT NOT NULL DEFAULT 'all';
        ALTER TABLE access_tokens ADD COLUMN most_role TEXT NOT NULL DEFAULT 'admin';
        UPDATE access_tokens SET expires_at = created_at + 31622400000000
        WHERE kind = 'key' AND (expires_at IS NULL OR expires_at > created_at + 31622400000000);
        CREATE TABLE known_places (
            id {rowKey},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            place {integer} NOT NULL,
            seen_at {integer} NOT NULL,
            UNIQUE (patron, place)
        ) {options};
        CREATE TABLE email_changes (
            id {rowKey},
            patron {integer} NOT NULL UNIQUE REFERENCES patrons (id) ON DELETE CASCADE,
            digest TEXT NOT NULL UNIQUE,
            email TEXT NOT NULL,
            created_at {integer} NOT NULL,
            expires_at {integer} NOT NULL
        ) {options};
        """
}
