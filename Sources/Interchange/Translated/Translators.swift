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
    func source(of path: String, _ kind: FileKind, _ options: ImportOptions) throws -> TranslatedSource? {
        if let name = options.translator { return try named(name, path, kind) }
        guard options.format == .auto, options.mapping == nil, !all.isEmpty else { return nil }
        let file = (path as NSString).lastPathComponent
        var candidates = all.map { ($0, $0.tables.filter { $0.mayBe(inFile: file) }) }.filter { !$0.1.isEmpty }
        guard !candidates.isEmpty, let head = try? Head(path, kind, isNamed: false, fields), head.isKnown != .own
        else {
            return nil
        }
        if head.isKnown == .alike { candidates = candidates.map { ($0, $1.filter(\.isFirst)) } }
        for (translator, tables) in candidates {
            let own = try tables.filter { table in
                try table.claims(head.columns)
                    && (!table.isAsked || asking(path) { try translator.recognises(head.json, as: table) })
            }
            if !own.isEmpty { return try source(path, kind, translator, own) }
        }
        return nil
    }

    private func named(_ name: String, _ path: String, _ kind: FileKind) throws -> TranslatedSource {
        for translator in all {
            var tables = translator.name == name ? translator.tables : translator.tables.filter { $0.name == name }
            guard !tables.isEmpty else { continue }
            if tables.count > 1, tables.contains(where: \.isAsked) {
                let head = try Head(path, kind, isNamed: true, fields)
                tables = try tables.filter { table in
                    try !table.isAsked || asking(path) { try translator.recognises(head.json, as: table) }
                }
            }
            return try source(path, kind, translator, tables)
        }
        let names = all.map(\.name).joined(separator: ", ")
        throw ImportProblem(
            file: path, line: 0, code: "unknown_format", severity: .error,
            message: "no plugin in force imports '\(name)'" + (names.isEmpty ? "" : "; there are \(names)"))
    }

    private func source(
        _ path: String, _ kind: FileKind, _ translator: any TableTranslator, _ tables: [TranslatedTable]
    ) throws -> TranslatedSource {
        TranslatedSource(
            try TranslatedRows(path: path, kind: kind, translator, tables, tally: tally), file: path,
            currency: translator.currency, fields: fields)
    }

    private func asking(_ path: String, _ body: () throws -> Bool) throws -> Bool {
        do {
            return try body()
        } catch let fault as TranslationFault {
            throw ImportProblem(file: path, line: 0, code: fault.code, severity: .error, message: fault.message)
        }
    }

    /// The beginning of a file.
    private struct Head {
        let json: JSON
        let columns: Set<String>
        let isKnown: Known

        /// Whether it is of a kind that is known without translators.
        enum Known {
            case no
            /// Its columns are alike.
            case alike
            /// An export wrote it.
            case own
        }

        init(_ path: String, _ kind: FileKind, isNamed: Bool, _ fields: CustomFields) throws {
            var source = try RawRows(path: path, kind: kind, within: ["results", "Items"])
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
            let names = source.header?.names ?? rows.first?.keys ?? []
            columns = Set(names.compactMap { FieldText.nonBlank($0)?.lowercased() })
            json = [
                "file": .string((path as NSString).lastPathComponent), "kind": .string(kind.rawValue),
                "columns": .array(names.map { .string($0) }), "rows": .array(rows.map { .object($0) }),
                "named": .bool(isNamed),
            ]
            if let header = source.header {
                isKnown =
                    Exporter.isOurs(header.names, fields)
                    ? .own : TableProfiles.profile(for: header) == nil ? .no : .alike
            } else if kind.isMARC {
                isKnown = .no
            } else if let first = rows.first {
                var reader = MemberReader(object: first, file: path, line: 1, fields: fields)
                let isOurs = first.count == 1 && first["moonshelf"] != nil
                let isAlike = BitBooksTables.records(of: &reader) != nil || NativeRecords.records(of: &reader) != nil
                isKnown = isOurs ? .own : isAlike ? .alike : .no
            } else {
                isKnown = .own
            }
        }
    }
}
