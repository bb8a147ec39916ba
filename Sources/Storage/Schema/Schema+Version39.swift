// Up to when another system has said to the patron what is said of a loan's due time.
extension Schema {
    static let arrivedLoans = """
        ALTER TABLE loans ADD COLUMN notices_sent_until {integer};
        """
}
