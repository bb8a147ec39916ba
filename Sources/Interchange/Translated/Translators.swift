import Circulation
import Foundation
import Storage
import TextFormats

/// Finds the translator of a file.
struct Translators {
    let all: [any TableTranslator]
    let tally: RowCounter
    /// Those of the library's own.
    let fields: CustomFields

    /// How many rows a translator is shown that is to say whether a file is its own.
    private static let shownRows = 5

    /// The file as a translator reads it: the one that the options name, or one that knows a file that is of no known kind.
    ///
    /// - Returns: nil: no translator has to do with it.
    /// - Throws: ``ImportProblem`` where there is no translator of the name, or the file cannot be read; ``TranslationFault``.
    func source(of file: InputFile, _ options: ImportOptions) throws -> TranslatedSource? {
        if let name = options.translator { return try named(name, file, options) }
        return try best(for: file, options).map { try source(file, $0.translator, $0.tables, options) }
    }

    /// The translator that knows a file, and the tables that it is; nil: none does.
    ///
    /// - Throws: as ``source(of:_:)``.
    func best(
        for file: InputFile, _ options: ImportOptions
    ) throws -> (translator: any TableTranslator, tables: [TranslatedTable])? {
        guard options.format == .auto, options.mapping == nil, !all.isEmpty else { return nil }
        var candidates = all.map { ($0, $0.tables.filter { $0.mayBe(inFile: file.names) }) }.filter { !$0.1.isEmpty }
        guard !candidates.isEmpty,
            let head = try? Head(file, candidates.flatMap(\.1), isNamed: false, fields, options),
            head.isKnown != .own
        else {
            return nil
        }
        if head.isKnown == .alike { candidates = candidates.map { ($0, $1.filter(\.isFirst)) } }
        var best: (translator: any TableTranslator, tables: [TranslatedTable], read: Int)?
        for (translator, tables) in candidates {
            let own = try tables.filter { table in
                try table.claims(head.columns) && head.hasRequired(table)
                    && (!table.isAsked || asking(file) { try translator.recognises(head.json, as: table) })
            }
            // Of several that know the file, the one that reads most of its columns.
            guard let first = own.first else { continue }
            let read = head.read(by: first)
            if best.map({ $0.read < read }) ?? true { best = (translator, own, read) }
        }
        return best.map { ($0.translator, $0.tables) }
    }

    private func named(_ name: String, _ file: InputFile, _ options: ImportOptions) throws -> TranslatedSource {
        for translator in all {
            var tables = translator.name == name ? translator.tables : translator.tables.filter { $0.name == name }
            guard !tables.isEmpty else { continue }
            if tables.count > 1, tables.contains(where: \.isAsked) {
                let head = try Head(file, tables, isNamed: true, fields, options)
                tables = try tables.filter { table in
                    try !table.isAsked || asking(file) { try translator.recognises(head.json, as: table) }
                }
            }
            return try source(file, translator, tables, options)
        }
        let names = all.map(\.name).joined(separator: ", ")
        throw file.problem(
            "unknown_format", "no plugin in force imports '\(name)'" + (names.isEmpty ? "" : "; there are \(names)"))
    }

    private func source(
        _ file: InputFile, _ translator: any TableTranslator, _ tables: [TranslatedTable], _ options: ImportOptions
    ) throws -> TranslatedSource {
        TranslatedSource(
            try TranslatedRows(file, translator, tables, tally: tally, options), file: file.name,
            currency: translator.currency, fields: fields)
    }

    private func asking(_ file: InputFile, _ body: () throws -> Bool) throws -> Bool {
        do {
            return try body()
        } catch let fault as TranslationFault {
            throw file.problem(fault.code, fault.message)
        }
    }

    /// The beginning of a file.
    private struct Head {
        let json: JSON
        let columns: Set<String>
        let isKnown: Known
        private let header: CSVHeader?

        /// Whether it is of a kind that is known without translators.
        enum Known {
            case no
            /// Its columns are alike.
            case alike
            /// An export wrote it.
            case own
        }

        init(
            _ file: InputFile, _ tables: [TranslatedTable], isNamed: Bool, _ fields: CustomFields,
            _ options: ImportOptions
        ) throws {
            var source = try RawRows(
                file, within: ["results", "Items"], sheet: options.sheet, headerRows: options.headerRows
            ) { header in
                tables.claim(header) || TableProfiles.profile(for: header) != nil
            }
            var rows: [JSONObject] = []
            while rows.count < Translators.shownRows, let row = try source.next() {
                switch row.content {
                case .fields(let fields)?:
                    var object = JSONObject()
                    for (name, field) in zip(source.header?.names ?? [], fields) { object[name] = .string(field) }
                    rows.append(object)
                case .object(let object)?: rows.append(object)
                case nil: break
                }
            }
            header = source.header
            let names = source.header?.names ?? rows.first?.keys ?? []
            columns = Set(names.compactMap { FieldText.nonBlank($0)?.lowercased() })
            json = [
                "file": .string((file.name as NSString).lastPathComponent),
                "kind": .string(file.kind.isTable ? FileKind.csv.rawValue : file.kind.rawValue),
                "columns": .array(names.map { .string($0) }), "rows": .array(rows.map { .object($0) }),
                "named": .bool(isNamed),
            ]
            if let header = source.header {
                isKnown =
                    Exporter.isOurs(header.names, fields)
                    ? .own : TableProfiles.profile(for: header) == nil ? .no : .alike
            } else if file.kind.isMARC {
                isKnown = .no
            } else if let first = rows.first {
                var reader = MemberReader(object: first, file: file.name, line: 1, fields: fields)
                let isOurs = first.count == 1 && first["moonshelf"] != nil
                let isAlike = BitBooksTables.records(of: &reader) != nil || NativeRecords.records(of: &reader) != nil
                isKnown = isOurs ? .own : isAlike ? .alike : .no
            } else {
                isKnown = .own
            }
        }

        /// Whether no column is missing without which a table has no record.
        func hasRequired(_ table: TranslatedTable) -> Bool {
            guard let header else { return true }
            return table.columns.allSatisfy { !$0.isRequired || header.hasAny($0.sources) }
        }

        /// How many columns of the file a table reads.
        func read(by table: TranslatedTable) -> Int {
            guard let header else { return 0 }
            return table.columns.isEmpty ? table.has.count : table.columns.count { header.hasAny($0.sources) }
        }
    }
}
