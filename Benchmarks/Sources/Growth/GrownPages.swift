import Circulation
import Desk
import Market

/// Records whose pages are looked at in a grown library, beside those of its rows: the administrator's own.
struct GrownPages: Sendable {
    /// What stands in the places of names in the paths of pages.
    let values: [String: String]

    /// Makes the records that are not there yet.
    init(_ desk: Desk) throws {
        values = try desk.write { session in
            guard let owner = try session.patrons.get(.username("administrator")) else {
                throw BenchFailure("the grown library has no administrator")
            }
            let key = PatronKey.id(owner.id)
            let list =
                try session.lists.list(of: key).first
                ?? Self.made(session.lists.make("Rivers", isPublic: true, for: key))
            for title: Int64 in 1...3 { _ = try session.lists.add(.id(title), to: list.id, of: key) }
            let offered = try session.market.listings(ListingQuery(seller: key)).first
            let listing =
                try offered
                ?? Self.made(
                    session.market.publish(
                        ListingRequest(
                            seller: key, title: .id(3), kind: .sell,
                            price: Money(minorUnits: 500, currency: session.fees.currency()))))
            if try session.conversations.list(of: key).isEmpty {
                _ = try Self.made(
                    session.conversations.write("Is it still there?", from: .id(3), about: .listing(listing.id)))
            }
            _ = try session.imports.location(ShelvingLocation(code: "stacks", name: "Stacks"))
            return [
                "branch": SampleLibrary.branches[0], "copy": SampleLibrary.barcode(3), "step": "2",
                // A fine of the third patron.
                "entry": "2",
                "examples/{kind}": "titles", "branches/{code}": SampleLibrary.branches[0],
                "categories/{code}": SampleLibrary.categories[0].0,
                "item-types/{code}": SampleLibrary.itemTypes[0].0, "locations/{code}": "stacks",
                "language/{code}": "en",
                "list": "\(list.id)", "listing": "\(listing.id)",
                "conversation": "\(try session.conversations.list(of: key)[0].id)",
            ]
        }
    }

    /// A path with what stands in the places of its names; 3 where none of the values is meant.
    func path(_ pattern: String) -> String {
        var before = ""
        return pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
            defer { before = String(part) }
            guard part.hasPrefix("{") else { return String(part) }
            return values["\(before)/\(part)"] ?? values[String(part.dropFirst().dropLast())] ?? "3"
        }.joined(separator: "/")
    }

    private static func made<Record>(_ outcome: Outcome<Record>) throws -> Record {
        switch outcome {
        case .done(let record): return record
        case .refused(let refusal): throw BenchFailure("the grown library refuses: \(refusal.message)")
        }
    }
}
