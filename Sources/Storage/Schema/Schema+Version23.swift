extension Schema {
    /// Rankings of titles by their loans are read from the index alone.
    static let titlesByLending = """
        DROP INDEX loans_by_lent_at;
        CREATE INDEX loans_by_lent_at ON loans (lent_at, title);
        """
}
