// Several notices of a patron in one message: each names the message in which it travels, so that a further try sends the same one.
extension Schema {
    static let gatheredNotices = """
        ALTER TABLE deliveries ADD COLUMN message TEXT;
        CREATE INDEX deliveries_by_message ON deliveries (message) WHERE message IS NOT NULL;
        """
}
