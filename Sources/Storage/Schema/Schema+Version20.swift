// What was tried at an account stays counted when a server starts anew, and is counted together by all that serve one library. A
// budget is a number in which many names have the same; there is a row while something was taken out of it, for an hour or so.
extension Schema {
    static let spentBudgets = """
        CREATE TABLE spent_budgets (
            id {rowKey},
            budget {integer} NOT NULL UNIQUE,
            full_at {integer} NOT NULL
        ) {options};
        CREATE INDEX spent_budgets_by_end ON spent_budgets (full_at);
        """
}
