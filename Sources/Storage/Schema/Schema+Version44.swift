// The names by which patrons want to be seen; two that look alike are one.
extension Schema {
    static let readersOwn = """
        ALTER TABLE patrons ADD COLUMN display_name TEXT;
        ALTER TABLE patrons ADD COLUMN display_key TEXT;
        CREATE UNIQUE INDEX patrons_by_display_key ON patrons (display_key) WHERE display_key IS NOT NULL;
        """
}
