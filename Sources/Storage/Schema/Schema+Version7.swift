// Branches and categories may have a parent, as item types do from the beginning.
extension Schema {
    static let hierarchies = """
        ALTER TABLE branches ADD COLUMN parent TEXT REFERENCES branches (code);
        ALTER TABLE categories ADD COLUMN parent TEXT REFERENCES categories (code);
        """
}
