package import Circulation
package import Desk
package import Pictures
import Storage

extension Desk {
    /// Adds a picture behind those that a listing has.
    ///
    /// Refused with `unknown_listing`, `not_owner`, `closed`, `pictures_full`, as ``PictureFault/Code`` says, and as
    /// ``MarketService/update(_:_:by:)``.
    ///
    /// - Parameters:
    ///   - bytes: the file of a picture.
    ///   - asker: the patron in whose name it is asked; nil: staff, or the actor themselves.
    package func addPicture(_ bytes: [UInt8], to listing: Int64, by asker: PatronKey? = nil) throws -> Outcome<Listing>
    {
        // Those who may not add one have none read.
        let refusal = try read { try $0.market.refusalOfPicture(for: listing, by: asker) }
        let picture = refusal == nil ? read(picture: bytes) : .failure(.damaged)
        return try write(isRepeatable: true) { try $0.market.add(picture, to: listing, by: asker) }
    }
}

extension MarketService {
    /// Adds a picture that was read.
    ///
    /// Refused as ``Desk/addPicture(_:to:by:)``.
    package func add(
        _ picture: Result<WrittenPicture, PictureFault>, to id: Int64, by asker: PatronKey? = nil
    ) throws -> Outcome<Listing> {
        try change(id, by: asker, as: nil) { listing in
            try Self.checkRoom(for: listing)
            let picture = try picture.admitted()
            guard !listing.pictures.contains(picture.name) else { return }
            try transaction.pictures.keep(picture, of: .listing(id))
            listing.pictures.append(picture.name)
        }
    }

    /// Takes a picture away from a listing; one that it does not have changes nothing.
    ///
    /// Refused with `unknown_listing`, `not_owner`, `closed`, and as ``update(_:_:by:)``.
    package func removePicture(_ name: String, of id: Int64, by asker: PatronKey? = nil) throws -> Outcome<Listing> {
        try change(id, by: asker, as: nil) { $0.pictures.removeAll { $0 == name } }
    }

    /// Puts a picture of a listing in another place among its pictures; the first stands for the offer in lists.
    ///
    /// Refused with `unknown_listing`, `not_owner`, `closed`, `unknown_picture`, and as ``update(_:_:by:)``.
    ///
    /// - Parameter position: from 1; behind the last is the last.
    package func movePicture(
        _ name: String, of id: Int64, to position: Int64, by asker: PatronKey? = nil
    ) throws -> Outcome<Listing> {
        try change(id, by: asker, as: nil) { listing in
            guard let index = listing.pictures.firstIndex(of: name) else {
                throw Refused("unknown_picture", "The offer has no such picture.")
            }
            listing.pictures.remove(at: index)
            let place = min(max(position, 1) - 1, Int64(listing.pictures.count))
            listing.pictures.insert(name, at: Int(place))
        }
    }

    /// Why a picture would not be added, whatever it is; nil: it depends on the picture.
    func refusalOfPicture(for id: Int64, by asker: PatronKey?) throws -> Refused? {
        do {
            let listing = try knownOwn(id, asker, RequestTrail("market.update"))
            try Self.checkOpen(listing)
            try Self.checkRoom(for: listing)
            return nil
        } catch let refused as Refused {
            return refused
        }
    }

    private static func checkRoom(for listing: Listing) throws(Refused) {
        guard listing.pictures.count < Listing.mostPictures else {
            throw Refused("pictures_full", "An offer can have at most \(Listing.mostPictures) pictures.")
        }
    }
}
