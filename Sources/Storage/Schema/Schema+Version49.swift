// Messages of which it is not known whether they arrived; lists that staff took down.
extension Schema {
    static let unsureDeliveries = """
        ALTER TABLE deliveries ADD COLUMN may_have_arrived {integer} NOT NULL DEFAULT 0
            CHECK (may_have_arrived IN (0, 1));
        ALTER TABLE title_lists ADD COLUMN taken_down_at {integer};
        ALTER TABLE title_lists ADD COLUMN decision TEXT;
        CREATE INDEX title_lists_taken_down ON title_lists (id) WHERE taken_down_at IS NOT NULL;
        """
}
