// Where copies stand in their branch, and since when the library has them.
extension Schema {
    static let placedCopies = """
        ALTER TABLE copies ADD COLUMN location TEXT;
        ALTER TABLE copies ADD COLUMN acquired_on {integer};
        """
}
