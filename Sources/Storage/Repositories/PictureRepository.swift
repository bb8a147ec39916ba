package import Circulation
import TextFormats

/// The files of pictures: each belongs to one title or one listing, and goes with it.
package struct PictureRepository {
    /// What a picture belongs to, by its id.
    package enum Owner: Hashable, Sendable {
        case title(Int64)
        case listing(Int64)

        fileprivate var id: Int64 {
            switch self {
            case .title(let id), .listing(let id): id
            }
        }

        fileprivate var isTitle: Bool { if case .title = self { true } else { false } }
    }

    let transaction: Transaction

    private static let whole = Query("SELECT width, height, whole FROM pictures WHERE name = ? LIMIT 1")
    private static let small = Query("SELECT small_width, small_height, small FROM pictures WHERE name = ? LIMIT 1")
    private static let namesOfTitle = Query("SELECT name FROM pictures WHERE title = ? ORDER BY id")
    private static let namesOfListing = Query("SELECT name FROM pictures WHERE listing = ? ORDER BY id")
    private static let removalOfTitle = Query("DELETE FROM pictures WHERE title = ? AND name = ?")
    private static let removalOfListing = Query("DELETE FROM pictures WHERE listing = ? AND name = ?")
    private static let insertion = Query(
        """
        INSERT INTO pictures (id, name, title, listing, small_width, small_height, small, width, height, whole)
        VALUES ({id pictures}, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """)

    /// A picture by its name, whole or small; nil: nothing has such a picture.
    package func image(_ name: String, isSmall: Bool) throws(StoreError) -> WrittenPicture.Image? {
        let row = try transaction.first(isSmall ? Self.small : Self.whole, [.text(name)]) { row in
            (row.integer(), row.integer(), row.text())
        }
        guard let (width, height, text) = row else { return nil }
        guard let bytes = Base64Text.bytes(of: text) else {
            throw .corrupt("the picture \(name) cannot be read")
        }
        return WrittenPicture.Image(width: Int(width), height: Int(height), bytes: bytes)
    }

    /// A picture by its name; nil: nothing has such a picture.
    package func picture(_ name: String) throws(StoreError) -> WrittenPicture? {
        guard let whole = try image(name, isSmall: false), let small = try image(name, isSmall: true) else {
            return nil
        }
        return WrittenPicture(whole: whole, small: small)
    }

    /// The names of those that something has, in the order in which they came.
    package func names(of owner: Owner) throws(StoreError) -> [String] {
        try transaction.all(owner.isTitle ? Self.namesOfTitle : Self.namesOfListing, [.integer(owner.id)]) { row in
            row.text()
        }
    }

    /// Keeps a picture of something; one that it has stays.
    package func keep(_ picture: WrittenPicture, of owner: Owner) throws(StoreError) {
        _ = try transaction.insert(
            Self.insertion,
            [
                .id(0), .text(picture.name), owner.isTitle ? .integer(owner.id) : .null,
                owner.isTitle ? .null : .integer(owner.id), .integer(Int64(picture.small.width)),
                .integer(Int64(picture.small.height)), .text(Base64Text.of(picture.small.bytes)),
                .integer(Int64(picture.whole.width)), .integer(Int64(picture.whole.height)),
                .text(Base64Text.of(picture.whole.bytes)),
            ])
    }

    /// Lets go of all pictures of something but these.
    package func remove(of owner: Owner, except names: [String] = []) throws(StoreError) {
        for name in try self.names(of: owner) where !names.contains(name) {
            try transaction.execute(
                owner.isTitle ? Self.removalOfTitle : Self.removalOfListing, [.integer(owner.id), .text(name)])
        }
    }
}
