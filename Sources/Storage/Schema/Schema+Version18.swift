// Events are chained: see `EventChain`. Those that are there already are linked as the step is taken.
extension Schema {
    static let eventChain = """
        ALTER TABLE events ADD COLUMN hash TEXT NOT NULL DEFAULT '';
        ALTER TABLE events ADD COLUMN seal TEXT NOT NULL DEFAULT '';
        ALTER TABLE events ADD COLUMN cleared_by {integer};
        """
}
