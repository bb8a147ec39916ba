import Circulation

// How people are let in, and what programs were answered that may ask again. Neither is anybody's history: it stands in no
// event, and goes with the patron.
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
        CREATE TABLE given_answers (
            id {rowKey},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            request_key TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            answer TEXT NOT NULL,
            given_at {integer} NOT NULL,
            UNIQUE (patron, request_key)
        ) {options};
        CREATE INDEX given_answers_by_time ON given_answers (given_at);
        """
}
