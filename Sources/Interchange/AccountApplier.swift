import Circulation
import Desk
import Storage
import TextFormats

/// Puts blocks, lines of accounts, messages and uses in the house into the store.
struct AccountApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

    func apply(_ imported: ImportedBlock) throws -> ImportChange {
        var block = imported.block
        block.patron = try patron(imported.username)
        return try session.imports.block(block).change(field: "blocks").change
    }

    func apply(_ imported: ImportedPatronLink) throws -> ImportChange {
        var link = imported.link
        link.patron = try patron(imported.username)
        link.other = try patron(imported.other, "other")
        if link.addedAt == PatronLink.blank.addedAt { link.addedAt = session.now }
        return try session.imports.patronLink(link).change(field: "kind").change
    }

    /// Links a patron to guardians; those who are not there yet may come later in the file. One who cannot be it is left out,
    /// and the patron stays.
    func apply(_ imported: ImportedGuardians) throws -> ImportChange {
        let patron = try patron(imported.username)
        var change = ImportChange.unchanged
        for name in imported.guardians {
            guard let guardian = try session.patrons.get(.username(name)) else {
                run.waitingGuardians.append(
                    WaitingGuardian(patron: patron, guardian: name, file: run.file, line: run.line))
                continue
            }
            do {
                if try link(patron, to: guardian.id) == .added { change = .added }
            } catch let refused as RefusedRecord {
                run.warn("guardians", refused.code, "\(refused.message) \(Self.leftOut(name))")
            }
        }
        return change
    }

    /// Links patrons to the guardians who came behind them; who did not come is reported with the row that names them.
    func linkWaiting() throws -> ImportReport {
        var report = ImportReport()
        for one in run.waitingGuardians {
            do {
                guard let guardian = try session.patrons.get(.username(one.guardian)) else {
                    throw RefusedRecord(
                        field: "guardians", code: "unknown_patron", message: "no patron is called '\(one.guardian)'.")
                }
                let change = try link(one.patron, to: guardian.id)
                report.kinds.count(.guardians(ImportedGuardians(username: "", guardians: [one.guardian])), change)
            } catch let refused as RefusedRecord {
                report.note(
                    ImportProblem(
                        file: one.file, line: one.line, field: "guardians", code: refused.code, severity: .warning,
                        message: "\(refused.message) \(Self.leftOut(one.guardian))"))
            }
        }
        run.waitingGuardians = []
        return report
    }

    private static func leftOut(_ name: String) -> String { "The guardian '\(name)' is left out." }

    private func link(_ patron: Int64, to guardian: Int64) throws -> ImportChange {
        let link = PatronLink(patron: patron, other: guardian, kind: .guardian, addedAt: session.now)
        return try session.imports.patronLink(link).change(field: "guardians").change
    }

    func apply(_ imported: ImportedLedgerEntry) throws -> ImportChange {
        var entry = imported.entry
        entry.patron = try imported.username.map { try patron($0) } ?? 0
        entry.loan = try imported.loan.map(loan)
        entry.key = run.rewritten(entry.key)
        let (stored, change) = try session.imports.ledgerEntry(entry).change(field: "amount")
        run.note(.entry, imported.entry.id, isNow: stored.id)
        return change
    }

    func apply(_ imported: ImportedStoredNotice) throws -> ImportChange {
        var notice = imported.notice
        notice.patron = try patron(imported.username)
        notice.loan = try imported.loan.map(loan)
        notice.subjectKey = run.rewritten(notice.subjectKey)
        notice.carriedBy = notice.carriedBy.map { run.stored(.notice, $0) }
        let (stored, change) = try session.imports.notice(notice).change(field: nil)
        run.note(.notice, imported.notice.id, isNow: stored.id)
        return change
    }

    func apply(_ imported: ImportedInHouseUse) throws -> ImportChange {
        var use = imported.use
        use.copy = try imported.barcode.flatMap { try session.catalogue.copy(barcode: $0)?.id }
        use.title = try TitleApplier(session: session, settings: settings, run: run).id(of: imported.work)
        let content = [use.copy, use.title, use.usedAt.microseconds].map { String($0 ?? 0) }.joined(separator: ":")
        let whole = "\(content):\(use.itemType ?? ""):\(use.branch ?? "")"
        let ordinal = try run.tally.ordinals(of: ["use:" + SHA256.hexadecimal(of: whole.utf8)]).first ?? 1
        return try session.imports.inHouseUse(use, ordinal: ordinal).change(field: nil).change
    }

    private func patron(_ username: String, _ field: String = "username") throws -> Int64 {
        guard let patron = try session.patrons.get(.username(username)) else {
            throw RefusedRecord(
                field: field, code: "unknown_patron", message: "no patron is called '\(username)'")
        }
        return patron.id
    }

    private func loan(_ key: String) throws -> Int64 {
        guard let loan = try session.imports.loan(called: key) else {
            throw RefusedRecord(field: "loan", code: "unknown_loan", message: "there is no loan with the key '\(key)'")
        }
        return loan.id
    }
}
