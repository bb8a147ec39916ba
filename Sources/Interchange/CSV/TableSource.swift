import Circulation
import TextFormats

/// A CSV file whose kind follows from its header or a mapping.
struct TableSource: RecordSource {
    private let bytes: CountingByteSource
    private var reader: CSVReader<CountingByteSource>
    private let header: CSVHeader
    private let profile: any TableProfile
    private let mapping: ColumnMapping?
    private let file: String
    private let fields: CustomFields
    /// Whether an export wrote the table.
    private let isExact: Bool
    /// What is to be said about the header, together with the first record.
    private var warnings: [ImportProblem]

    var bytesRead: Int { bytes.count }

    /// Reads the header.
    ///
    /// - Throws: ``ImportProblem`` if the file cannot be read, is empty, or has an unknown header.
    init(path: String, mapping: ColumnMapping?, fields: CustomFields = .none) throws(ImportProblem) {
        self.fields = fields
        func fail(_ code: String, _ message: String, line: Int = 0) -> ImportProblem {
            ImportProblem(file: path, line: line, code: code, severity: .error, message: message)
        }
        do throws(FileByteSource.Failure) {
            bytes = CountingByteSource(try FileByteSource(path: path))
        } catch {
            throw fail("unreadable", "\(error)")
        }
        file = path
        reader = CSVReader(source: bytes, separator: mapping?.separator)
        self.mapping = mapping
        let first: CSVRecord?
        do throws(TextError) {
            first = try reader.next()
        } catch {
            throw ImportProblem(
                file: path, line: error.line, code: error.code.rawValue, severity: .error, message: error.message)
        }
        guard let first else { throw fail("empty", "the file is empty; a header with names of columns is expected") }
        header = CSVHeader(first)
        if let mapping {
            let missing = mapping.missingColumns(in: header)
            guard missing.isEmpty else {
                throw fail(
                    "missing_columns",
                    "the mapping names columns the file lacks: \(missing.joined(separator: ", "));"
                        + " it has \(header.names.prefix(12).joined(separator: ", "))", line: first.line)
            }
            profile = mapping.profile
        } else {
            guard let found = TableProfiles.profile(for: header) else {
                throw fail(
                    "unknown_table",
                    "no known kind of table has the columns \(header.names.prefix(12).joined(separator: ", "));"
                        + " name the columns with a mapping file", line: first.line)
            }
            profile = found
        }
        isExact = mapping == nil && Exporter.isOurs(header.names, fields)
        let repeated = header.repeatedNames.compactMap(FieldText.nonBlank)
        warnings = repeated.map { name in
            ImportProblem(
                file: path, line: first.line, field: name, code: "repeated_column", severity: .warning,
                message: "the column stands more than once; the first is read")
        }
    }

    mutating func next() throws -> ReadRecord? {
        do throws(TextError) {
            guard let record = try reader.next() else { return nil }
            var result = read(record)
            result.problems.insert(contentsOf: warnings, at: 0)
            warnings = []
            return result
        } catch {
            let problem = ImportProblem(
                file: file, line: error.line, code: error.code.rawValue, severity: .error, message: error.message)
            if error.code == .unreadable { throw problem }
            return ReadRecord(records: [], problems: [problem], isRepaired: false, file: file, line: error.line)
        }
    }

    private func read(_ record: CSVRecord) -> ReadRecord {
        var row: RowReader
        if let mapping {
            let own = mapping.translate(record, header: header)
            row = RowReader(header: own.header, record: own.record, file: file, fields: fields)
        } else {
            row = RowReader(header: header, record: record, file: file, isExact: isExact, fields: fields)
        }
        if record.count > header.names.count {
            row.reject(nil, "too_many_fields", "\(record.count) fields, but the header names \(header.names.count)")
        }
        let records = row.isRejected ? [] : profile.records(of: &row)
        return ReadRecord(
            records: row.isRejected ? [] : records, problems: row.problems, isRepaired: row.isRepaired, file: file,
            line: record.line)
    }
}
