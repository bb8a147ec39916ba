// Uses in the house: a copy that was read without being lent. The columns that statistics count by are those of loans.
extension Schema {
    static let inHouseUses = """
        CREATE TABLE in_house_uses (
            id {rowKey},
            copy {integer} REFERENCES copies (id) ON DELETE SET NULL,
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            category TEXT,
            item_type TEXT,
            branch TEXT,
            used_at {integer} NOT NULL
        ) {options};
        CREATE INDEX in_house_uses_by_time ON in_house_uses (used_at);
        CREATE INDEX in_house_uses_by_copy ON in_house_uses (copy) WHERE copy IS NOT NULL;
        CREATE INDEX in_house_uses_by_title ON in_house_uses (title) WHERE title IS NOT NULL;
        """
}
