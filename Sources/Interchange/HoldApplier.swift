import Circulation
import Desk
import TextFormats

/// Puts holds of a file into the store, each under its key.
struct HoldApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

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
        hold.title = try TitleApplier(session: session, settings: settings, run: run).id(of: imported.work)
        hold.loan = try imported.loan.flatMap { try session.imports.loan(called: $0)?.id }
        let (stored, change) = try session.imports.hold(hold).change(field: nil)
        run.note(.hold, imported.hold.id, isNow: stored.id)
        return change
    }

    private func copy(_ barcode: String?, _ field: String) throws -> Copy? {
        guard let barcode else { return nil }
        guard let copy = try session.catalogue.copy(barcode: barcode) else {
            throw RefusedRecord(field: field, code: "unknown_copy", message: "there is no copy \(barcode)")
        }
        return copy
    }
}
