// Holds. Those that wait are read by title in the order of the queue, those that are set aside by their copy.
extension Schema {
    static let holds = """
        CREATE TABLE holds (
            id {rowKey},
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            copy {integer} REFERENCES copies (id) ON DELETE SET NULL,
            patron {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            pickup_branch TEXT NOT NULL,
            placed_at {integer} NOT NULL,
            queued_at {integer} NOT NULL,
            priority {integer} NOT NULL,
            expires_on {integer},
            suspended_until {integer},
            state TEXT NOT NULL CHECK (\(oneOf("state", ["waiting", "transit", "shelf", "filled", "expired", "cancelled"]))),
            held_copy {integer} REFERENCES copies (id) ON DELETE SET NULL,
            shelved_at {integer},
            shelf_until {integer},
            closed_at {integer},
            loan {integer} REFERENCES loans (id),
            channel TEXT,
            policy TEXT,
            import_key TEXT,
            CHECK ((closed_at IS NULL) = (\(oneOf("state", ["waiting", "transit", "shelf"]))))
        ) {options};
        CREATE INDEX holds_waiting ON holds (title, priority DESC, queued_at, id) WHERE state = 'waiting';
        CREATE UNIQUE INDEX holds_set_aside ON holds (held_copy) WHERE state IN ('transit', 'shelf');
        CREATE INDEX holds_to_expire ON holds (expires_on) WHERE state = 'waiting' AND expires_on IS NOT NULL;
        CREATE INDEX holds_to_pass_on ON holds (shelf_until) WHERE state = 'shelf' AND shelf_until IS NOT NULL;
        CREATE INDEX holds_by_title ON holds (title);
        CREATE INDEX holds_by_copy ON holds (copy) WHERE copy IS NOT NULL;
        CREATE INDEX holds_by_held_copy ON holds (held_copy) WHERE held_copy IS NOT NULL;
        CREATE INDEX holds_by_patron ON holds (patron, closed_at) WHERE patron IS NOT NULL;
        CREATE UNIQUE INDEX holds_by_import_key ON holds (import_key) WHERE import_key IS NOT NULL;
        """
}
