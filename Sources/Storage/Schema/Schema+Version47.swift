// Accounts that are closed for a while; who of all patrons is staff; lists that are shared by a link.
extension Schema {
    static let staffAccounts = """
        ALTER TABLE credentials ADD COLUMN closed_at {integer};
        CREATE INDEX patrons_of_staff ON patrons (id) WHERE role <> 'patron';
        ALTER TABLE title_lists ADD COLUMN link_key TEXT;
        CREATE INDEX title_lists_of_all ON title_lists (id) WHERE is_public = 1;
        CREATE UNIQUE INDEX title_lists_by_link_key ON title_lists (link_key) WHERE link_key IS NOT NULL;
        """
}
