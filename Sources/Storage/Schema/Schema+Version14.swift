import Circulation

// How people are let in. Hashes are nobody's history and stand in no event; they go with the patron.
extension Schema {
    static let credentials = """
        CREATE TABLE credentials (
            patron {integer} PRIMARY KEY NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            hash TEXT NOT NULL,
            set_at {integer} NOT NULL
        ) {options};
        CREATE TABLE access_tokens (
            id {rowKey},
            kind TEXT NOT NULL CHECK (\(oneOf("kind", AccessToken.Kind.allCases.map(\.rawValue)))),
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            digest TEXT NOT NULL UNIQUE,
            label TEXT NOT NULL,
            created_at {integer} NOT NULL,
            expires_at {integer}
        ) {options};
        CREATE INDEX access_tokens_by_patron ON access_tokens (patron, kind);
        CREATE INDEX access_tokens_by_end ON access_tokens (expires_at) WHERE expires_at IS NOT NULL;
        """
}
