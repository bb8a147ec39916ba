package import Circulation
import Storage

/// The settings of the library: they live in the store, so that two machines never decide differently.
package struct SettingsService {
    let session: DeskSession

    /// Name, zone and currency.
    package func library() throws -> LibrarySettings {
        try session.settingsSnapshot().library
    }

    /// The fields of the library's own that are in force.
    package func customFields() throws -> CustomFields { try session.settingsSnapshot().customFields }

    /// How many words may be reserved, and how long one is.
    private static let most = (words: 100, letters: 40)

    /// Changes what is given. Refused with `currency_fixed` once the ledger has a row.
    ///
    /// - Parameters:
    ///   - reservedNames: the words that no display name begins with; names that patrons have already stay.
    ///   - hasRatings: whether patrons rate titles; ratings that there are stay, unseen as long as it is not so.
    ///   - gatheredKinds: notices of which kinds one patron gets in one message; what was tried before goes as it was tried.
    package func setLibrary(
        name: String? = nil, zone: Zone? = nil, currency: Currency? = nil, reservedNames: [String]? = nil,
        hasRatings: Bool? = nil, gatheredKinds: Set<GatheredKind>? = nil
    ) throws -> Outcome<LibrarySettings> {
        try session.request("settings.library") {
            var library = try library()
            if let currency, currency != library.currency, try !session.transaction.ledger.isEmpty() {
                throw Refused(
                    "currency_fixed",
                    "The currency has to stay \(library.currency), because accounts have been kept in it.")
            }
            library.name = name ?? library.name
            library.zone = zone ?? library.zone
            library.currency = currency ?? library.currency
            library.reservedNames = try reservedNames.map(Self.words) ?? library.reservedNames
            library.hasRatings = hasRatings ?? library.hasRatings
            library.gatheredKinds = gatheredKinds ?? library.gatheredKinds
            try session.record(.libraryChanged, library)
            return library
        }
    }

    private static func words(_ given: [String]) throws -> [String] {
        guard given.count <= most.words,
            given.allSatisfy({
                1...most.letters ~= $0.count && !$0.contains(where: \.isNewline) && $0.contains(where: \.isLetter)
            })
        else {
            throw DeskError.input(
                "reserved_names",
                "At most \(most.words) words can be reserved, each of at most \(most.letters) letters.")
        }
        return given
    }
}
