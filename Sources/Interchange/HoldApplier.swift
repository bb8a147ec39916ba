import Circulation
import Desk
import TextFormats

/// Puts holds of a file into the store, each under its key.
struct HoldApplier {
    let session: DeskSession
    let settings: DeclaredSettings

    func apply(_ imported: ImportedHold) throws -> ImportChange {
        let patron = try imported.username.map { username in
            guard let patron = try session.patrons.get(.username(username)) else {
                throw RefusedRecord(
                    field: "username", code: "unknown_patron", message: "no patron is called '\(username)'")
            }
            return patron
        }
        try settings.require(branch: imported.hold.pickupBranch)
        var hold = imported.hold
        hold.patron = patron?.id
        hold.copy = try copy(imported.barcode, "barcode")?.id
        hold.heldCopy = try copy(imported.heldBarcode, "held_barcode")?.id
        hold.title = try title(of: imported)
        return try session.imports.hold(hold).change(field: nil).change
    }

    private func copy(_ barcode: String?, _ field: String) throws -> Copy? {
        guard let barcode else { return nil }
        guard let copy = try session.catalogue.copy(barcode: barcode) else {
            throw RefusedRecord(field: field, code: "unknown_copy", message: "there is no copy \(barcode)")
        }
        return copy
    }

    private func title(of imported: ImportedHold) throws -> Int64? {
        switch imported.work {
        case nil: return nil
        case .isbn(let isbn):
            guard let title = try session.catalogue.get(.isbn(isbn)) else {
                throw RefusedRecord(
                    field: "isbn", code: "unknown_title",
                    message: "the catalogue has no title with the ISBN \(isbn.digits13)")
            }
            return title.id
        case .title(let title):
            return try TitleApplier(session: session, settings: settings).put(ImportedTitle(title: title)).title.id
        }
    }
}
