import Circulation
import Desk
import Storage
import TextFormats

extension JSONObject {
    /// With the members of another in place of its own.
    func overlaid(by other: JSONObject) -> JSONObject {
        var object = self
        for entry in other { object[entry.key] = entry.value }
        return object
    }
}

extension MemberReader {
    /// The fields of the library's own that stand beside the others, by their names.
    func own(_ owner: CustomField.Owner) -> JSONObject {
        var own = JSONObject()
        for field in fields[owner] { own[field.name] = value(field.name) }
        return own
    }
}

extension RowReader {
    /// The fields of the library's own that have columns.
    func own(_ owner: CustomField.Owner) -> JSONObject {
        var own = JSONObject()
        for field in fields[owner] { own[field.name] = text(field.name).map(field.json(ofText:)) }
        return own
    }
}

// MARK: - Writing

extension DeskSession {
    /// A record's own fields as exports write them: what declared ones refer to by the keys that another store knows.
    func portable(_ extra: JSONObject, _ owner: CustomField.Owner) throws -> JSONObject {
        var extra = extra
        for field in try settings.customFields()[owner] {
            guard case .integer(let id)? = extra[field.name] else { continue }
            switch field.kind {
            case .patron: extra[field.name] = try patrons.get(.id(id)).map { .string($0.username) }
            case .title:
                if let isbn = try catalogue.get(.id(id))?.isbn { extra[field.name] = .string(isbn.digits13) }
            default: break
            }
        }
        return extra
    }

    /// The declared fields of a record as cells of a table.
    func cells(_ extra: JSONObject, _ owner: CustomField.Owner) throws -> [String] {
        let extra = try portable(extra, owner)
        return try settings.customFields()[owner].map { field in
            switch extra[field.name] {
            case .string(let text)?: text
            case .null?, nil: ""
            case let value?: value.text()
            }
        }
    }
}

extension CustomField.Owner {
    /// The owner whose records these are; nil: they have no such fields.
    init?<Record: DeclaredRecord>(_ record: Record.Type) {
        guard let owner = Self.allCases.first(where: { $0.table == record.declaration.table }) else { return nil }
        self = owner
    }
}

// MARK: - Taking in

/// A field of a record that refers to a patron who comes later in the file.
struct WaitingReference {
    let field: CustomField
    /// The record that has it.
    var id: Int64 = 0
    let value: JSON
    let file: String
    let line: Int
}

extension ImportRun {
    /// A record's own fields with the store's ids in place of the file's. What refers to a patron who is not there yet is
    /// taken out.
    ///
    /// - Returns: also what was taken out, to be handed to ``wait(_:of:)``.
    func settled(
        _ extra: JSONObject, _ owner: CustomField.Owner, in session: DeskSession
    ) throws -> (extra: JSONObject, waiting: [WaitingReference]) {
        var (extra, waiting) = (extra, [WaitingReference]())
        for field in try session.settings.customFields()[owner] {
            switch (field.kind, extra[field.name]) {
            case (.patron, .integer(let id)?): extra[field.name] = .integer(stored(.patron, id))
            case (.title, .integer(let id)?): extra[field.name] = .integer(stored(.title, id))
            case (.patron, .string(let name)?):
                guard try session.patrons.get(.username(name)) == nil else { continue }
                waiting.append(WaitingReference(field: field, value: .string(name), file: file, line: line))
                extra[field.name] = nil
            default: continue
            }
        }
        return (extra, waiting)
    }

    /// Has references set at the end of the file.
    func wait(_ references: [WaitingReference], of id: Int64) {
        for var reference in references {
            reference.id = id
            waitingReferences.append(reference)
        }
    }
}

extension RecordApplier {
    /// Sets what waited for patrons to come; who did not come is the fault of the record that names them.
    func setReferences(in session: DeskSession) throws -> ImportReport {
        var report = ImportReport()
        for reference in run.waitingReferences {
            do {
                _ = try session.imports.set(reference.field, of: reference.id, to: reference.value).change(field: nil)
            } catch let refused as RefusedRecord {
                report.note(
                    ImportProblem(
                        file: reference.file, line: reference.line, field: refused.field, code: refused.code,
                        severity: .warning, message: "\(refused.message) It is left out."))
            }
        }
        run.waitingReferences = []
        return report
    }
}
