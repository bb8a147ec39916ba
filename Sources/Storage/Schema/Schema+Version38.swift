// People who are likely registered twice are found by what they have in common.
extension Schema {
    static let likelyDuplicates = """
        CREATE INDEX patrons_by_email ON patrons (LOWER(email), id) WHERE email IS NOT NULL;
        CREATE INDEX patrons_by_birth_date ON patrons (birth_date, id) WHERE birth_date IS NOT NULL;
        """
}
