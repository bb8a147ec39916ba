import Circulation
import Foundation
import Storage
import TextFormats

/// The files that the arguments of an import stand for.
enum ImportFiles {
    struct File {
        var path: String
        var size: Int?

        /// Opens the file as the kind that the options or its name and first byte tell.
        ///
        /// - Parameters:
        ///   - translators: are asked where the options name one, or the file is of no kind that is known without them.
        ///   - fields: those of the library's own, which stand there by their names.
        func open(
            _ options: ImportOptions, _ translators: [any TableTranslator], tally: RowCounter,
            fields: CustomFields, currency: Currency
        ) throws -> any RecordSource {
            try ImportFiles.source(
                of: InputFile(path, options), options, translators, tally: tally, fields: fields, currency: currency)
        }
    }

    /// What reads a file, as ``File/open(_:_:tally:fields:currency:)`` finds it.
    static func source(
        of file: InputFile, _ options: ImportOptions, _ translators: [any TableTranslator], tally: RowCounter,
        fields: CustomFields, currency: Currency
    ) throws -> any RecordSource {
        let translators = Translators(all: translators, tally: tally, fields: fields)
        if let source = try translators.source(of: file, options) { return source }
        switch file.kind {
        case .csv, .xlsx, .ods, .spreadsheetML, .html:
            return try TableSource(file, options, fields: fields, currency: currency)
        case .json: return try DocumentSource(file, options.conventions, fields: fields, currency: currency)
        case .marc, .marcXML:
            throw file.problem(
                "no_translator",
                "it holds MARC records, which a plugin makes titles of: `moonshelf plugin use marc`")
        }
    }

    /// The order in which the tables of a folder refer to each other.
    private static let order = [
        "settings", "branches", "users", "user", "patrons", "books", "titles", "coursebooks", "courses", "userbooks",
        "items", "copies", "loans", "checkouts", "rented", "notifications",
    ]

    /// The ends of the names of those files in a folder that an import reads.
    private static let endings: Set<String> = [
        "json", "jsonl", "ndjson", "csv", "tsv", "mrc", "marc", "xml", "xlsx", "xlsm", "xls", "ods",
    ]

    /// The files themselves; of folders the files in them that an import reads, in an order that lets loans find their
    /// titles.
    static func expand(_ paths: [String]) throws(ImportProblem) -> [File] {
        var files: [File] = []
        for path in paths {
            if path == "-" {
                files.append(File(path: path))
                continue
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw ImportProblem(
                    file: path, line: 0, code: "unreadable", severity: .error, message: "there is no such file")
            }
            if isFolder.boolValue {
                files += try folder(path)
            } else {
                files.append(file(path))
            }
        }
        return files
    }

    private static func folder(_ path: String) throws(ImportProblem) -> [File] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { name in
            endings.contains((name as NSString).pathExtension.lowercased())
        }
        guard !names.isEmpty else {
            throw ImportProblem(
                file: path, line: 0, code: "empty_folder", severity: .error,
                message: "the folder holds no JSON, CSV, MARC file or spreadsheet")
        }
        return names.sorted { (rank($0), $0) < (rank($1), $1) }.map {
            file((path as NSString).appendingPathComponent($0))
        }
    }

    private static func rank(_ name: String) -> Int {
        let stem = (name as NSString).deletingPathExtension.lowercased()
        return order.firstIndex(of: stem) ?? order.count
    }

    /// The files in the order in which the tables of a folder come; those of one place as they were given.
    static func inOrder(_ files: [File]) -> [File] {
        files.enumerated().map { (rank: rank(($1.path as NSString).lastPathComponent), place: $0, file: $1) }
            .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.file)
    }

    private static func file(_ path: String) -> File {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return File(path: path, size: (attributes?[.size] as? NSNumber)?.intValue)
    }
}
