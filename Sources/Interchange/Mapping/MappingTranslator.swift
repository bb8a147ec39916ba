package import Circulation
package import Desk
import Foundation
package import MARC
package import TextFormats

/// Makes records of rows as a mapping file says.
package final class MappingTranslator: TableTranslator {
    package let name: String
    package let tables: [TranslatedTable]
    package let currency: Currency
    package let dateOrder: DateOrder?
    /// What stands before the decimals of amounts that can be read in two ways; nil: these end the import.
    let decimals: DecimalMark?
    package var recordEncoding: MARCEncoding? { nil }
    package var separator: UInt8? { mapping.separator }
    package var headerRows: Int? { mapping.headerRows }
    let mapping: RecordMapping
    /// Of times that name no zone.
    let zone: Zone
    private let fields: CustomFields
    private let records: [Mapped]

    /// A record of the mapping, with what its fields hold.
    private struct Mapped {
        let record: MappedRecord
        let members: [(field: MappedField, reader: CellReader)]
        let constants: [(name: String, value: JSON, reader: CellReader)]
        /// Whether it stands within the title of its row.
        let isNested: Bool
        let needsKey: Bool
    }

    /// - Parameters:
    ///   - currency: of amounts.
    ///   - zone: of times that name none.
    ///   - conventions: of dates where the mapping says none, and of amounts.
    ///   - fields: the library's own.
    package init(
        _ mapping: RecordMapping, currency: Currency, zone: Zone, conventions: Conventions = Conventions(),
        fields: CustomFields
    ) {
        self.mapping = mapping
        self.currency = currency
        self.zone = zone
        self.fields = fields
        name = (mapping.file as NSString).lastPathComponent
        tables = [TranslatedTable(name: name)]
        dateOrder = mapping.dates ?? conventions.dates
        decimals = conventions.decimals
        let hasTitle = mapping.records.contains { $0.kind == "title" }
        records = mapping.records.map { record in
            let kind = NativeRecords.kinds[record.kind]
            func reader(_ name: String, _ source: MappedSource?) -> CellReader {
                CellReader(kind?.cellMember(name) ?? RecordMember(name, .text), source)
            }
            return Mapped(
                record: record, members: record.fields.map { ($0, reader($0.name, $0.source)) },
                constants: record.constants.map { ($0.name, $0.value, reader($0.name, nil)) },
                isNested: record.kind == "copy" && hasTitle && !record.namesTitle,
                needsKey: kind?.cellMembers.contains { $0.name == "key" && $0.isRequired } ?? false
                    && !record.names.contains("key"))
        }
    }

    /// With the currency, the zone and the fields of the session's library.
    package convenience init(
        _ mapping: RecordMapping, in session: DeskSession, conventions: Conventions = Conventions()
    ) throws {
        let library = try session.settings.library()
        self.init(
            mapping, currency: library.currency, zone: library.zone, conventions: conventions,
            fields: try session.settings.customFields())
    }

    package var dateOrderAdvice: String {
        "\"dates\": \"dmy\" (or mdy) in \(name), for the column or for the whole file, says which"
    }

    /// A mapping file is always named.
    package func recognises(_ head: JSON, as table: TranslatedTable) -> Bool { true }

    /// Whether it has all columns that the mapping names.
    package func isHeader(_ header: CSVHeader) -> Bool { mapping.columns.allSatisfy { header.index(of: $0) != nil } }

    /// Which columns it says nothing of.
    ///
    /// - Throws: ``ImportProblem`` where the file lacks columns that it names.
    package func remarks(
        on header: CSVHeader, in file: String, line: Int
    ) throws(ImportProblem) -> [ImportProblem] {
        let missing = mapping.columns.filter { header.index(of: $0) == nil }
        guard missing.isEmpty else {
            let named = missing.map { name in
                let near = NameSuggestion.nearest(to: name, among: header.names).map { " (did you mean '\($0)'?)" }
                return "'\(name)'\(near ?? "")"
            }
            throw ImportProblem(
                file: file, line: line, code: "missing_columns", severity: .error,
                message: "\(name) names columns that the file lacks: \(named.joined(separator: ", "));"
                    + " it has \(header.names.prefix(40).joined(separator: ", "))")
        }
        let known = Set((mapping.columns + mapping.ignored).map(CSVHeader.normalized))
        let others = header.names.filter { !known.contains(CSVHeader.normalized($0)) && FieldText.nonBlank($0) != nil }
        guard !others.isEmpty else { return [] }
        return [
            ImportProblem(
                file: file, line: line, code: "unmapped_columns", severity: .warning,
                message: "\(name) says nothing of \(others.map { "'\($0)'" }.joined(separator: ", "));"
                    + " left out (\"ignore\" lists columns that are meant to be)")
        ]
    }

    /// The records of a row, each with the columns that its members come from.
    package func records(of row: JSONObject, in table: TranslatedTable) throws -> [JSON] {
        let cells = Cells(row)
        var made: [(kind: String, members: JSONObject, columns: JSONObject)] = []
        var problems: [JSON] = []
        var copies: [JSONObject] = []
        var copyColumns = JSONObject()
        for mapped in records where mapped.record.condition?.holds(cells) ?? true {
            let (members, columns) = try self.members(mapped, cells, &problems)
            if mapped.isNested {
                copies.append(members)
                copyColumns = copyColumns.overlaid(by: columns)
            } else {
                made.append((mapped.record.kind, members, columns))
            }
        }
        if !copies.isEmpty {
            if let title = made.firstIndex(where: { $0.kind == "title" }) {
                made[title].members["copies"] = .array(copies.map { .object($0) })
                made[title].columns = copyColumns.overlaid(by: made[title].columns)
            } else {
                problems.append(["error": ["message": "the row has a copy, and by 'when' no title that it is of"]])
            }
        }
        return problems
            + made.map { record in
                var object: JSONObject = [record.kind: .object(record.members)]
                object[TranslatedSource.columnsMember] = .object(record.columns)
                return .object(object)
            }
    }

    /// The members of a record, and the columns that they come from.
    private func members(
        _ mapped: Mapped, _ cells: Cells, _ problems: inout [JSON]
    ) throws -> (members: JSONObject, columns: JSONObject) {
        var members = JSONObject()
        var columns = JSONObject()
        var given: [JSON] = []
        for (field, reader) in mapped.members {
            let column = cells.name(of: field.source, named: field.source.columns[0])
            columns[String(field.name.split(separator: ".").last ?? "")] = .string(column)
            given.append(.string(field.source.columns.map { cells.text($0) ?? "" }.joined(separator: "\u{1E}")))
            do throws(ColumnFault) {
                let (value, warnings) = try reader.value(cells, for: self)
                for warning in warnings { problems.append(Self.problem("warning", column, warning)) }
                if let value { put(value, as: field.name, of: mapped.record.kind, in: &members) }
            } catch {
                if error.endsImport {
                    throw TranslationFault(
                        code: error.code, message: error.message, endsImport: true, column: column)
                }
                problems.append(Self.problem(error.isWarning ? "warning" : "error", column, error))
            }
        }
        for (name, value, reader) in mapped.constants where !has(name, members) {
            do throws(ColumnFault) {
                guard let value = try reader.constant(value, for: self) else { continue }
                put(value, as: name, of: mapped.record.kind, in: &members)
            } catch {
                throw TranslationFault(
                    code: error.code, message: "the constant '\(name)': \(error.message)", endsImport: true)
            }
        }
        if mapped.needsKey { members["key"] = .array(["row"] + given) }
        if mapped.record.kind == "loan", members["key"] == nil { members["content"] = .array(given) }
        return (members, columns)
    }

    private static func problem(_ severity: String, _ column: String, _ fault: ColumnFault) -> JSON {
        .object([
            severity: ["column": .string(column), "code": .string(fault.code), "message": .string(fault.message)]
        ])
    }

    private func has(_ name: String, _ members: JSONObject) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return members[name] != nil }
        return members[parts[0]]?[parts[1]] != nil || parts[0] == "extra" && members[parts[1]] != nil
    }

    /// Sets a member, one within an object by its path; a declared field of the library's own stands beside the others.
    private func put(_ value: JSON, as name: String, of kind: String, in members: inout JSONObject) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return members[name] = value }
        if parts[0] == "extra", let text = value.stringValue, let owner = CustomField.Owner(rawValue: kind),
            let field = fields.field(owner, parts[1])
        {
            members[parts[1]] = field.json(ofText: text)
            return
        }
        var inner = members[parts[0]]?.objectValue ?? [:]
        inner[parts[1]] = value
        members[parts[0]] = .object(inner)
    }
}

/// The cells of a row by the names of their columns, whatever the capitals.
struct Cells {
    private let cells: [String: (name: String, text: String)]

    init(_ row: JSONObject) {
        cells = Dictionary(
            row.entries.map { entry in
                (CSVHeader.normalized(entry.key), (entry.key, entry.value.stringValue ?? entry.value.text()))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for a blank one.
    func text(_ column: String) -> String? {
        cells[CSVHeader.normalized(column)].flatMap { FieldText.nonBlank($0.text) }
    }

    /// The file's name of the column that gives a field.
    func name(of source: MappedSource, named usual: String) -> String {
        source.columns.lazy.compactMap { cells[CSVHeader.normalized($0)]?.name }.first ?? usual
    }
}

extension MappedCondition {
    func holds(_ cells: Cells) -> Bool {
        guard let values else { return cells.text(column) != nil }
        return values.contains(MappedSource.folded(cells.text(column) ?? ""))
    }
}
