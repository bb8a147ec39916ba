// When imported loans were renewed counts too.
extension Schema {
    static let datedRenewals = """
        DROP INDEX events_of_renewals;
        CREATE INDEX events_of_renewals ON events (at, loan)
            WHERE kind = 'loan.renewed' OR kind = 'loan.renewal_imported';
        """
}
