// What a loan is referred to by is found without reading all holds: a store that is replaced is emptied row by row.
// PostgreSQL's references within one table may wait for the end of a transaction from now on: see `PostgresSchema`.
extension Schema {
    static let holdsOfLoans = """
        CREATE INDEX holds_by_loan ON holds (loan) WHERE loan IS NOT NULL;
        """
}
