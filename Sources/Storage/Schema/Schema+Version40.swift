// What sellers recommend of their offers, found in an index that has those alone; colleges of titles, each found from the one before.
extension Schema {
    static let recommendedOffers = """
        ALTER TABLE listings ADD COLUMN recommended {integer} NOT NULL DEFAULT 0 CHECK (recommended IN (0, 1));
        CREATE INDEX listings_recommended ON listings (state, id) WHERE recommended = 1;
        CREATE INDEX titles_by_college ON titles (college) WHERE college IS NOT NULL;
        """
}
