import Circulation
import Desk
import LuaRuntime
import Market

/// A favourite with the name of what it is.
struct FavouriteRow: Sendable {
    let favourite: Favourite
    let name: String

    init(_ favourite: Favourite, in session: DeskSession) throws {
        self.favourite = favourite
        if let listing = try favourite.listing.flatMap({ try session.market.get($0) }) {
            name = try session.market.label(of: listing)
        } else {
            name = try favourite.title.flatMap { try session.catalogue.get(.id($0))?.title } ?? ""
        }
    }
}

extension APIRecord<FavouriteRow> {
    static let favourite = APIRecord(
        "favourite", "A title, or something offered, that a patron keeps in mind.",
        APIRecord.declared { $0.favourite } + [always("name", .text, "the title's name") { .string($0.name) }])
}
