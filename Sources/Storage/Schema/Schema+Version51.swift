// Shelving locations have names; copies are counted by the word that they have. No copy refers to them: any word may stand there.
extension Schema {
    static let namedLocations = """
        CREATE TABLE locations (
            code TEXT PRIMARY KEY NOT NULL,
            position {integer} NOT NULL,
            name TEXT NOT NULL
        ) {options};
        CREATE INDEX copies_by_location ON copies (location) WHERE location IS NOT NULL;
        """
}
