// Equal names of one birthday are found by an index, in whatever order their words stand.
extension Schema {
    static let personKeys = """
        ALTER TABLE patrons ADD COLUMN person_key TEXT NOT NULL DEFAULT '';
        """

    /// Behind the rows, so that it is not written twice.
    static let personIndex = Query(
        once: "CREATE INDEX patrons_by_person ON patrons (birth_date, person_key, id) WHERE birth_date IS NOT NULL")
}
