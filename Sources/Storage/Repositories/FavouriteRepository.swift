package import Circulation

/// What patrons keep in mind.
package struct FavouriteRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Favourite>()
    private static let ofPatron = Query("SELECT \(columns) FROM favourites WHERE patron = ? ORDER BY id")
    private static let doubles = Query(
        """
        DELETE FROM favourites WHERE patron = ? AND EXISTS (
            SELECT 1 FROM favourites AS earlier WHERE earlier.patron = favourites.patron
                AND earlier.id < favourites.id
                AND (earlier.title = favourites.title OR earlier.listing = favourites.listing))
        """)

    /// A patron's favourites in the order in which they were added.
    package func of(patron: Int64) throws(StoreError) -> [Favourite] { try all(Self.ofPatron, [.integer(patron)]) }

    /// Of a title kept twice, the first favourite stays.
    package func removeDoubles(of patron: Int64) throws(StoreError) {
        try transaction.execute(Self.doubles, [.integer(patron)])
    }
}
