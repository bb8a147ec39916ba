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

    /// Changes what is given. Refused with `currency_fixed` once the ledger has a row.
    package func setLibrary(
        name: String? = nil, zone: Zone? = nil, currency: Currency? = nil
    ) throws -> Outcome<LibrarySettings> {
        try session.request("settings.library") {
            var library = try library()
            if let currency, currency != library.currency, try !session.transaction.ledger.isEmpty() {
                throw Refused(
                    "currency_fixed", "The currency is \(library.currency), since accounts have been kept in it.")
            }
            library.name = name ?? library.name
            library.zone = zone ?? library.zone
            library.currency = currency ?? library.currency
            try session.record(.libraryChanged, library)
            return library
        }
    }
}
