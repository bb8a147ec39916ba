// Pictures that people upload, as they were written anew, in base64: covers of titles, and what offers show. Which ones a title or a
// listing has, and in which order, stands in its row and in events; the files stand in no event, and go with what they belong to.
extension Schema {
    static let pictures = """
        ALTER TABLE titles ADD COLUMN cover TEXT;
        ALTER TABLE listings ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]';
        CREATE TABLE pictures (
            id {identity},
            name TEXT NOT NULL,
            title {integer} REFERENCES titles (id) ON DELETE CASCADE,
            listing {integer} REFERENCES listings (id) ON DELETE CASCADE,
            small_width {integer} NOT NULL,
            small_height {integer} NOT NULL,
            small TEXT NOT NULL,
            width {integer} NOT NULL,
            height {integer} NOT NULL,
            whole TEXT NOT NULL,
            CHECK ((title IS NULL) <> (listing IS NULL))
        ) {options};
        CREATE INDEX pictures_by_name ON pictures (name);
        CREATE UNIQUE INDEX pictures_of_titles ON pictures (title, name) WHERE title IS NOT NULL;
        CREATE UNIQUE INDEX pictures_of_listings ON pictures (listing, name) WHERE listing IS NOT NULL;
        """
}
