// Loans whose copies are lost, or claimed to be returned. Few loans ever are, so that the indexes stay small.
extension Schema {
    static let lostLoans = """
        ALTER TABLE loans ADD COLUMN lost_at {integer};
        ALTER TABLE loans ADD COLUMN claimed_at {integer};
        CREATE INDEX loans_lost ON loans (id) WHERE lost_at IS NOT NULL;
        CREATE INDEX loans_claimed ON loans (patron, claimed_at) WHERE claimed_at IS NOT NULL;
        """
}
