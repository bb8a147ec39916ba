import Foundation
import Sheets
import TextFormats

/// A file that an import reads, as often as it wants to, and what it was found to be.
final class InputFile {
    /// As it was given; `-` is standard input.
    let name: String
    /// Where it is opened.
    let path: String
    let size: Int
    let kind: FileKind
    let encoding: TextEncoding
    /// What cannot be read twice, such as a pipe, as it was until its end.
    private let copy: UnnamedFile?
    /// What cells of a sheet span, where that stands apart from its rows, once it was looked up.
    private var spans: [Workbook.Sheet: [Int: [Int: Int]]] = [:]
    /// Whether it could be read once only, and is a copy.
    var isRead: Bool { copy != nil }

    /// - Throws: ``ImportProblem`` where it cannot be read, or is of a kind that is not.
    init(_ name: String, _ options: ImportOptions) throws(ImportProblem) {
        self.name = name
        do {
            copy = try Self.copy(of: name)
            path = copy?.path ?? name
            size = try copy?.size ?? Self.size(of: name)
            kind = try FileKind.of(name, at: path, size: size, options.encoding, options)
            encoding = try Self.encoding(of: kind, at: path, options)
        } catch let problem as ImportProblem {
            throw problem
        } catch {
            throw ImportProblem(file: name, line: 0, code: "unreadable", severity: .error, message: "\(error)")
        }
    }

    /// The endings that tables have where they are no CSV.
    private static let tableEndings: Set<String> = ["xlsx", "xlsm", "xls", "xml", "ods", "html", "htm"]

    /// The name by which tables are recognised, and what a spreadsheet would be called as CSV; none where it has no name.
    var names: [String] {
        guard copy == nil else { return [] }
        let name = (name as NSString).lastPathComponent
        let ending = (name as NSString).pathExtension.lowercased()
        guard kind.isTable, Self.tableEndings.contains(ending) else { return [name] }
        return [name, "\((name as NSString).deletingPathExtension).csv"]
    }

    private static func copy(of name: String) throws -> UnnamedFile? {
        let source =
            name == "-" ? FileByteSource(takingOver: dup(STDIN_FILENO), name: name) : try FileByteSource(path: name)
        if name != "-", source.isRegular { return nil }
        let copy = try UnnamedFile()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
            if count == 0 { return copy }
            try buffer.withUnsafeBytes { try copy.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    private static func size(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Of tables by all that they hold; of documents, which have to be Unicode, by their beginning.
    private static func encoding(of kind: FileKind, at path: String, _ options: ImportOptions) throws -> TextEncoding {
        switch kind {
        case .xlsx, .ods, .spreadsheetML, .marc, .marcXML: return .utf8
        case .csv, .html: return try options.encoding ?? TextEncoding.of(file: path)
        case .json:
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let source = try FileByteSource(path: path)
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
            return options.encoding ?? TextEncoding.ofBeginning(buffer[..<count]) ?? .utf8
        }
    }

    /// Its text as UTF-8, from the beginning.
    func text() throws(FileByteSource.Failure) -> (
        text: DecodedByteSource<CountingByteSource>, count: CountingByteSource
    ) {
        let bytes = CountingByteSource(try FileByteSource(path: path))
        return (DecodedByteSource(bytes, from: encoding), bytes)
    }

    /// How many columns the cells of a row span, by the first of them, where they are several.
    func spans(of row: Int, _ sheet: Workbook.Sheet, in workbook: Workbook) throws(SheetFault) -> [Int: Int] {
        if let known = spans[sheet] { return known[row] ?? [:] }
        let found = try workbook.spans(of: sheet)
        spans[sheet] = found
        return found[row] ?? [:]
    }

    func problem(_ code: String, _ message: String, line: Int = 0) -> ImportProblem {
        ImportProblem(file: name, line: line, code: code, severity: .error, message: message)
    }

    func remark(_ code: String, _ message: String, line: Int = 0, field: String? = nil) -> ImportProblem {
        ImportProblem(file: name, line: line, field: field, code: code, severity: .warning, message: message)
    }

    /// What is to be said of how the text is encoded; nil: it is as it should be.
    var encodingRemark: ImportProblem? {
        switch encoding {
        case .utf8: nil
        case .windows1252, .latin1:
            remark("encoding", "the file is not UTF-8; it is read as \(encoding.rawValue)", line: 1)
        case .utf16LittleEndian, .utf16BigEndian:
            remark("encoding", "the file is read as \(encoding.rawValue)", line: 1)
        }
    }
}
