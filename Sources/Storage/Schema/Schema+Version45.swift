// The series that titles are volumes of: they are found by its name, in their order.
extension Schema {
    static let readersWords = """
        ALTER TABLE titles ADD COLUMN series TEXT;
        ALTER TABLE titles ADD COLUMN series_number TEXT;
        ALTER TABLE titles ADD COLUMN series_key TEXT;
        ALTER TABLE titles ADD COLUMN series_place TEXT;
        CREATE INDEX titles_by_series ON titles (series_key, series_place, id) WHERE series_key IS NOT NULL;
        """
}
