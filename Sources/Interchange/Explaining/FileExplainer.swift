import Circulation
package import Desk
import Foundation
package import Storage
import TextFormats

/// Says what an import would take a file for, column by column, with its first rows as records. It reads, and changes nothing.
package struct FileExplainer {
    private let options: ImportOptions
    private let translators: [any TableTranslator]
    private let tally: RowCounter
    private let fields: CustomFields
    private let currency: Currency

    /// How many rows are shown as records.
    package static let shownRows = 10
    /// How many rows are looked at.
    private static let readRows = 500

    /// - Parameters:
    ///   - translators: as an import has them.
    ///   - fields: the library's own.
    package init(
        _ options: ImportOptions, translators: [any TableTranslator], tally: RowCounter, in session: DeskSession
    ) throws {
        self.options = options
        self.translators = translators
        self.tally = tally
        fields = try session.settings.customFields()
        currency = try session.settings.library().currency
    }

    /// The files that arguments stand for.
    package static func files(_ paths: [String]) throws -> [String] { try ImportFiles.expand(paths).map(\.path) }

    /// - Throws: ``ImportProblem`` if the file cannot be read.
    package func explain(_ path: String) throws -> FileExplanation {
        try tally.reset()
        let file = try inputFile(path)
        let head = file.kind.isTable ? try TableHead(rows(of: file), most: Self.readRows) : nil
        do {
            let source = try ImportFiles.source(
                of: file, options, translators, tally: tally, fields: fields, currency: currency)
            return try explain(path, file.kind, source, head)
        } catch let problem as ImportProblem where problem.code == "unknown_table" {
            guard let head else { throw problem }
            return proposal(path, file.kind, head, problem)
        }
    }

    /// A file that is read more than once.
    func inputFile(_ path: String) throws(ImportProblem) -> InputFile {
        let file = try InputFile(path, options)
        guard !file.isRead else {
            throw file.problem(
                "read_once", "it can be read only once, and what explains it reads it more than once; save it as a file"
            )
        }
        return file
    }

    /// The rows of a table below the header that an import would find.
    func rows(of file: InputFile) throws(ImportProblem) -> TableRows {
        let mapping = options.mapping
        let translator = translators.first { $0.name == options.translator }
        return try TableRows(
            file, separator: mapping?.separator ?? translator?.separator, sheet: options.sheet,
            headerRows: options.headerRows ?? translator?.headerRows
        ) { [translators] header in
            if let mapping { return mapping.missingColumns(in: header).isEmpty }
            return TableProfiles.profile(for: header) != nil
                || translators.contains { $0.tables.claim(header) || $0.isHeader(header) }
        }
    }

    private func explain(
        _ path: String, _ kind: FileKind, _ source: any RecordSource, _ head: TableHead?
    ) throws -> FileExplanation {
        let (recogniser, name, why) = recogniser(source, kind)
        var explanation = FileExplanation(
            file: path, kind: kind.rawValue, recogniser: recogniser, name: name, why: why)
        explanation.problems = head?.remarks ?? []
        var source = source
        var read: [ReadRecord] = []
        while read.count < Self.readRows, let record = try next(&source, &explanation) {
            for problem in record.problems where record.line <= (head?.headerLine ?? 0) || read.isEmpty {
                // What is said of the header comes with the first record.
                if problem.line == head?.headerLine, !explanation.problems.contains(problem) {
                    explanation.problems.append(problem)
                }
            }
            read.append(record)
        }
        explanation.rows = read.prefix(Self.shownRows).map { record in
            FileExplanation.Row(
                line: record.line, records: record.plainRecords,
                problems: record.problems.filter { !explanation.problems.contains($0) })
        }
        guard let head else { return explanation }
        let tracer = ColumnTracer(
            head, read, mapping: mapping, columns: (source as? any ExplainedSource)?.columns ?? [])
        explanation.columns = tracer.columns
        explanation.mapping = mapping == nil ? tracer.mapping : nil
        explanation.head = head
        return explanation
    }

    /// The next record; where the file cannot be read on, that is among the problems.
    private func next(_ source: inout any RecordSource, _ explanation: inout FileExplanation) throws -> ReadRecord? {
        do {
            return try source.next()
        } catch let problem as ImportProblem {
            explanation.problems.append(problem)
            return nil
        }
    }

    private var mapping: RecordMapping? {
        translators.lazy.filter { $0.name == options.translator }.compactMap { $0 as? MappingTranslator }.first?.mapping
    }

    private func recogniser(
        _ source: any RecordSource, _ kind: FileKind
    ) -> (FileExplanation.Recogniser, String?, String) {
        if let source = source as? TranslatedSource {
            let names = source.tableNames.joined(separator: ", ")
            if mapping != nil { return (.mapping, names, why("the mapping file names its columns")) }
            let has = source.has.isEmpty ? "" : ", which looks for \(source.has.joined(separator: ", "))"
            return (.plugin, names, why("the plugin \(source.translatorName) knows it") + has)
        }
        if let source = source as? TableSource {
            if options.mapping != nil {
                return (.mapping, source.profileName, why("the mapping file names its columns"))
            }
            if source.isExact { return (.export, source.profileName, why("its columns are those that export writes")) }
            return (
                .table, source.profileName, why("its columns have the usual names of a table of \(source.profileName)")
            )
        }
        return kind.isMARC ? (.marc, nil, why("it holds MARC records")) : (.json, nil, why("it holds JSON"))
    }

    private func proposal(
        _ path: String, _ kind: FileKind, _ head: TableHead, _ problem: ImportProblem
    ) -> FileExplanation {
        let proposal = MappingProposal(head)
        var explanation = FileExplanation(
            file: path, kind: kind.rawValue, recogniser: .none, name: nil,
            why: why("no known kind of table and no plugin in force has these columns; what follows is a proposal"))
        explanation.columns = proposal.explained
        explanation.head = head
        explanation.mapping = proposal.mapping
        explanation.problems =
            head.remarks
            + proposal.problems.map { message in
                ImportProblem(
                    file: path, line: head.headerLine, code: "undecided", severity: .warning, message: message)
            }
        if let name = head.names.first(where: { ColumnContent([$0]).isValue }) {
            explanation.problems.append(
                ImportProblem(
                    file: path, line: head.headerLine, code: "no_header", severity: .warning,
                    message: "'\(name)' looks like a value: the first row has to have the names of the columns"))
        }
        if proposal.mapping == nil {
            explanation.problems.append(
                ImportProblem(
                    file: path, line: head.headerLine, code: "undecided", severity: .warning,
                    message: "nothing says what its rows are; write a mapping file by hand"))
        }
        return explanation
    }

    /// Shows the first rows as records under a mapping that was proposed.
    package func rows(
        of path: String, under translator: MappingTranslator
    ) throws -> (rows: [FileExplanation.Row], problems: [ImportProblem]) {
        var options = options
        options.translator = translator.name
        let explainer = FileExplainer(
            options, translators: [translator], tally: tally, fields: fields, currency: currency)
        let explained = try explainer.explain(path)
        return (explained.rows, explained.problems.filter { $0.severity == .error })
    }

    private init(
        _ options: ImportOptions, translators: [any TableTranslator], tally: RowCounter, fields: CustomFields,
        currency: Currency
    ) {
        self.options = options
        self.translators = translators
        self.tally = tally
        self.fields = fields
        self.currency = currency
    }
}

/// A source of a table that can say which columns it reads.
protocol ExplainedSource {
    /// The file's names of the columns that it reads, each with what it calls it; nil where a name says it itself.
    var columns: [(column: String, name: String?)] { get }
}

/// The beginning of a table as it stands in the file.
struct TableHead {
    let names: [String]
    let rows: [[String]]
    /// The lines on which the rows begin.
    let lines: [Int]
    let headerLine: Int
    /// The names in the second row of the header, of columns that both of its rows name.
    let ownNames: [String?]
    let headerRows: Int
    let remarks: [ImportProblem]
    /// What stands in the columns.
    let contents: [ColumnContent]

    /// - Parameter most: how many rows are looked at.
    init(_ source: TableRows, most: Int) {
        var source = source
        var rows: [[String]] = []
        var lines: [Int] = []
        while rows.count < most {
            do throws(TextError) {
                guard let row = try source.next() else { break }
                rows.append(row.record.fields)
                lines.append(row.record.line)
            } catch {
                if error.code == .unreadable { break }
            }
        }
        names = source.header.names
        headerLine = source.headerLine
        ownNames = source.ownNames
        headerRows = source.description.headerRows ?? 1
        remarks = source.remarks
        self.rows = rows
        self.lines = lines
        contents = names.indices.map { index in
            ColumnContent(rows.map { index < $0.count ? $0[index] : "" })
        }
    }
}
