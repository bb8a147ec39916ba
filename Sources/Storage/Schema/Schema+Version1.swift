// Instants are microseconds since 1970 in UTC, dates are days since 1970-01-01, money is minor units, flags are 0 or 1,
// lists and objects are JSON text. A `..._key` column is a folded text, by which one orders and compares.
extension Schema {
    static let settings = """
        CREATE TABLE settings (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) {options};
        CREATE TABLE branches (
            code TEXT PRIMARY KEY NOT NULL,
            position {integer} NOT NULL,
            name TEXT NOT NULL,
            zone TEXT,
            calendar TEXT NOT NULL
        ) {options};
        CREATE TABLE categories (
            code TEXT PRIMARY KEY NOT NULL,
            position {integer} NOT NULL,
            name TEXT NOT NULL
        ) {options};
        CREATE TABLE item_types (
            code TEXT PRIMARY KEY NOT NULL,
            position {integer} NOT NULL,
            name TEXT NOT NULL,
            parent TEXT REFERENCES item_types (code)
        ) {options};
        """

    static let catalogue = """
        CREATE TABLE titles (
            id {identity},
            isbn TEXT UNIQUE,
            title TEXT NOT NULL,
            title_key TEXT NOT NULL,
            authors TEXT NOT NULL,
            author_key TEXT NOT NULL,
            publisher TEXT,
            year {integer},
            language TEXT,
            genres TEXT NOT NULL,
            subjects TEXT NOT NULL,
            courses TEXT NOT NULL,
            college TEXT,
            edition TEXT,
            description TEXT,
            cover_url TEXT,
            preview_url TEXT,
            stars {integer} CHECK (stars BETWEEN 0 AND 5),
            recommended {integer} NOT NULL CHECK (recommended IN (0, 1)),
            extra TEXT NOT NULL
        ) {options};
        CREATE INDEX titles_by_title ON titles (title_key, id);
        CREATE INDEX titles_by_author ON titles (author_key, id);
        CREATE INDEX titles_recommended ON titles (title_key, id) WHERE recommended = 1;
        CREATE TABLE title_genres (
            title {integer} NOT NULL REFERENCES titles (id) ON DELETE CASCADE,
            genre TEXT NOT NULL,
            PRIMARY KEY (title, genre)
        ) {options};
        CREATE INDEX title_genres_by_genre ON title_genres (genre, title);
        CREATE TABLE copies (
            id {identity},
            barcode TEXT NOT NULL UNIQUE,
            title {integer} NOT NULL REFERENCES titles (id),
            branch TEXT NOT NULL REFERENCES branches (code),
            item_type TEXT NOT NULL REFERENCES item_types (code),
            status TEXT NOT NULL CHECK (
                \(oneOf("status", ["available", "on_loan", "on_hold_shelf", "in_transit", "lost", "withdrawn"]))),
            replacement_price {integer},
            replacement_currency TEXT,
            CHECK ((replacement_price IS NULL) = (replacement_currency IS NULL))
        ) {options};
        CREATE INDEX copies_by_title ON copies (title, status, branch, barcode);
        CREATE INDEX copies_by_branch ON copies (branch, barcode);
        CREATE INDEX copies_by_item_type ON copies (item_type);
        """

    static let patrons = """
        CREATE TABLE patrons (
            id {identity},
            username TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            surname TEXT NOT NULL,
            name_key TEXT NOT NULL,
            email TEXT,
            phone TEXT,
            category TEXT NOT NULL REFERENCES categories (code),
            home_branch TEXT NOT NULL REFERENCES branches (code),
            language TEXT,
            birth_date {integer},
            expires_on {integer},
            role TEXT NOT NULL CHECK (\(oneOf("role", ["patron", "staff", "admin"]))),
            extra TEXT NOT NULL
        ) {options};
        CREATE INDEX patrons_by_name ON patrons (name_key, id);
        CREATE INDEX patrons_by_category ON patrons (category);
        CREATE INDEX patrons_by_home_branch ON patrons (home_branch);
        CREATE TABLE patron_words (
            word TEXT NOT NULL,
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            PRIMARY KEY (word, patron)
        ) {options};
        CREATE INDEX patron_words_by_patron ON patron_words (patron);
        CREATE TABLE blocks (
            id {identity},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            reason TEXT NOT NULL,
            actions {integer} NOT NULL,
            created_at {integer} NOT NULL,
            ends {integer},
            lifted_at {integer}
        ) {options};
        CREATE INDEX blocks_by_patron ON blocks (patron, id);
        """

    static let loans = """
        CREATE TABLE loans (
            id {rowKey},
            copy {integer} REFERENCES copies (id) ON DELETE SET NULL,
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            patron {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            category TEXT,
            home_branch TEXT,
            item_type TEXT,
            branch TEXT,
            lent_at {integer} NOT NULL,
            due_at {integer},
            due_on {integer},
            due_exact {integer} NOT NULL CHECK (due_exact IN (0, 1)),
            original_due_at {integer},
            returned_at {integer},
            renewals {integer} NOT NULL,
            unseen_renewals {integer} NOT NULL,
            renewed_at {integer},
            recalled_at {integer},
            on_site {integer} NOT NULL CHECK (on_site IN (0, 1)),
            channel TEXT,
            policy TEXT,
            import_key TEXT,
            CHECK ((due_at IS NULL) = (due_on IS NULL))
        ) {options};
        CREATE UNIQUE INDEX loans_open_by_copy ON loans (copy) WHERE returned_at IS NULL AND copy IS NOT NULL;
        CREATE INDEX loans_open_by_due ON loans (due_at, id) WHERE returned_at IS NULL AND due_at IS NOT NULL;
        CREATE UNIQUE INDEX loans_by_import_key ON loans (import_key) WHERE import_key IS NOT NULL;
        CREATE INDEX loans_by_patron ON loans (patron, returned_at) WHERE patron IS NOT NULL;
        CREATE INDEX loans_by_title ON loans (title, lent_at);
        CREATE INDEX loans_by_copy ON loans (copy) WHERE copy IS NOT NULL;
        CREATE INDEX loans_by_lent_at ON loans (lent_at);
        CREATE INDEX loans_by_returned_at ON loans (returned_at) WHERE returned_at IS NOT NULL;
        """

    static let accounts = """
        CREATE TABLE notices (
            id {rowKey},
            kind TEXT NOT NULL,
            subject_key TEXT NOT NULL,
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            loan {integer} REFERENCES loans (id),
            due_at {integer},
            stage TEXT NOT NULL,
            repetition {integer} NOT NULL,
            channel TEXT NOT NULL,
            subject TEXT NOT NULL,
            body TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", ["queued", "sent", "failed", "read", "superseded", "cancelled"]))),
            created_at {integer} NOT NULL,
            sent_at {integer},
            read_at {integer},
            tries {integer} NOT NULL
        ) {options};
        CREATE UNIQUE INDEX notices_once
            ON notices (subject_key, kind, COALESCE(due_at, -9223372036854775807), stage, repetition);
        CREATE INDEX notices_by_patron ON notices (patron, id);
        CREATE INDEX notices_by_loan ON notices (loan, due_at) WHERE loan IS NOT NULL;
        CREATE INDEX notices_queued ON notices (id) WHERE state = 'queued';
        CREATE TABLE ledger (
            id {rowKey},
            entry_key TEXT NOT NULL UNIQUE,
            patron {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            loan {integer} REFERENCES loans (id),
            kind TEXT NOT NULL CHECK (\(oneOf("kind", ["fine", "charge", "adjustment", "payment", "waiver", "refund"]))),
            amount {integer} NOT NULL,
            currency TEXT NOT NULL,
            label TEXT NOT NULL,
            at {integer} NOT NULL
        ) {options};
        CREATE INDEX ledger_by_patron ON ledger (patron, id, amount) WHERE patron IS NOT NULL;
        CREATE INDEX ledger_by_loan ON ledger (loan, kind) WHERE loan IS NOT NULL;
        """

    static let policies = """
        CREATE TABLE policy_versions (
            sha256 TEXT PRIMARY KEY NOT NULL,
            files TEXT NOT NULL
        ) {options};
        CREATE TABLE policy_activations (
            id {rowKey},
            policy TEXT NOT NULL REFERENCES policy_versions (sha256),
            name TEXT NOT NULL,
            effective_from {integer} NOT NULL,
            activated_at {integer} NOT NULL,
            actor TEXT NOT NULL,
            note TEXT NOT NULL
        ) {options};
        CREATE INDEX policy_activations_by_time ON policy_activations (effective_from, id);
        CREATE INDEX policy_activations_by_policy ON policy_activations (policy);
        """

    static let events = """
        CREATE TABLE events (
            sequence {rowKey},
            at {integer} NOT NULL,
            actor TEXT NOT NULL,
            channel TEXT,
            kind TEXT NOT NULL,
            version {integer} NOT NULL,
            payload TEXT NOT NULL,
            request_id TEXT NOT NULL,
            ordinal {integer} NOT NULL,
            patron {integer},
            copy {integer},
            loan {integer},
            UNIQUE (request_id, ordinal)
        ) {options};
        CREATE INDEX events_by_patron ON events (patron, sequence) WHERE patron IS NOT NULL;
        CREATE INDEX events_by_copy ON events (copy, sequence) WHERE copy IS NOT NULL;
        CREATE INDEX events_by_loan ON events (loan, sequence) WHERE loan IS NOT NULL;
        CREATE INDEX events_of_renewals ON events (at, loan) WHERE kind = 'loan.renewed';
        CREATE TABLE decisions (
            event {integer} NOT NULL REFERENCES events (sequence),
            ordinal {integer} NOT NULL,
            point TEXT NOT NULL,
            policy TEXT,
            answer TEXT NOT NULL,
            case_json TEXT NOT NULL,
            decision_json TEXT NOT NULL,
            PRIMARY KEY (event, ordinal)
        ) {options};
        """
}
