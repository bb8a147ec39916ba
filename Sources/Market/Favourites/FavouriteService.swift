package import Circulation
package import Desk
import Storage

/// Titles and listings that patrons keep in mind. They are theirs alone: no policy reads them, and no one else sees
/// them.
package struct FavouriteService {
    /// What is kept in mind.
    package enum Subject: Hashable, Sendable {
        case title(TitleKey)
        case listing(Int64)
    }

    let session: DeskSession

    private var favourites: FavouriteRepository { session.transaction.favourites }

    /// How many a patron may have.
    package static let most = 1_000

    /// A patron's favourites in the order in which they were added; none for an unknown patron.
    package func list(of key: PatronKey) throws -> [Favourite] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try favourites.of(patron: patron.id)
    }

    /// Keeps something in mind; what is kept already stays as it is.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_title`, `unknown_listing` (of what others do not see too),
    /// `full`.
    package func add(_ subject: Subject, of key: PatronKey) throws -> Outcome<Favourite> {
        let trail = RequestTrail("favourites.add")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            var favourite = Favourite(patron: patron.id, addedAt: session.now)
            switch subject {
            case .title(let title): favourite.title = try session.catalogue.known(title).id
            case .listing(let id):
                let listing = try session.market.known(id, trail)
                guard listing.state == .active || listing.seller == patron.id || session.actor.role != .patron else {
                    throw Refused(Refusal.Code.unknownListing, "There is no offer \(id).")
                }
                favourite.listing = id
            }
            let present = try favourites.of(patron: patron.id)
            if let same = present.first(where: { $0.isSame(as: favourite) }) { return same }
            guard present.count < Self.most else {
                throw Refused("full", "The limit of \(Self.most) favourites has been reached. Remove one first.")
            }
            guard let added = try session.record(.favouriteAdded, favourite)?.content else {
                throw DeskError.input(nil, "The favourite could not be saved.")
            }
            return added
        }
    }

    /// Refused with `unknown_patron`, `not_owner`, `unknown_favourite` (another patron's too).
    package func remove(_ id: Int64, of key: PatronKey) throws -> Outcome<Favourite> {
        let trail = RequestTrail("favourites.remove")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            guard let favourite = try favourites.get(id), favourite.patron == patron.id else {
                throw Refused("unknown_favourite", "There is no favourite \(id).")
            }
            try session.record(.favouriteRemoved, FavouriteRemoval(id: id, patron: patron.id))
            return favourite
        }
    }
}

extension Favourite {
    /// Whether it is about the same.
    func isSame(as other: Favourite) -> Bool { title == other.title && listing == other.listing }
}
