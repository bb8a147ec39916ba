// Messages of which it is not known whether they arrived.
extension Schema {
    static let unsureDeliveries = """
        ALTER TABLE deliveries ADD COLUMN may_have_arrived {integer} NOT NULL DEFAULT 0
            CHECK (may_have_arrived IN (0, 1));
        """
}
