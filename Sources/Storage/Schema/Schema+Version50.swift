// Holds and lines of accounts are found by their time, and holds that are open by themselves: reports count them.
extension Schema {
    static let figuresByTime = """
        CREATE INDEX holds_by_placing ON holds (placed_at);
        CREATE INDEX holds_open ON holds (id) WHERE closed_at IS NULL;
        CREATE INDEX ledger_by_time ON ledger (at);
        """
}
