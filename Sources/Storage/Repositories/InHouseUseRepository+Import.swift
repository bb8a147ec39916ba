package import Circulation

extension InHouseUseRepository {
    private static let alike = Query(
        """
        SELECT COUNT(*) FROM in_house_uses
        WHERE used_at = ? AND COALESCE(copy, 0) = ? AND COALESCE(title, 0) = ? AND COALESCE(item_type, '') = ?
            AND COALESCE(branch, '') = ?
        """)

    package func exists(_ id: Int64) throws(StoreError) -> Bool {
        try get(id) != nil
    }

    /// How many uses say the same.
    package func count(like use: InHouseUse) throws(StoreError) -> Int64 {
        try transaction.number(
            Self.alike,
            [
                .instant(use.usedAt), .integer(use.copy ?? 0), .integer(use.title ?? 0), .text(use.itemType ?? ""),
                .text(use.branch ?? ""),
            ])
    }
}
