import ArgumentParser
import Foundation
import Reports

/// What the ending of a file's name says of what it holds.
enum FileEnding {
    /// In small letters, without the point; nil of a name that has none.
    static func of(_ path: String) -> String? {
        let ending = ((path as NSString).lastPathComponent as NSString).pathExtension.lowercased()
        return ending.isEmpty ? nil : ending
    }

    static let reports: [String: ReportOutput] = [
        "txt": .table, "text": .table, "json": .json, "csv": .csv, "md": .md, "markdown": .md, "html": .html,
        "htm": .html,
        "pdf": .pdf,
    ]

    /// Endings that promise something of their own, and which a file of another kind must not have.
    private static let known: Set<String> = Set(reports.keys).union([
        "jsonl", "ndjson", "xml", "tsv", "xls", "xlsx", "ods", "doc", "docx", "odt", "png", "svg", "jpg", "zip", "gz",
        "tar",
        "lua", "toml", "sql",
    ])

    /// The form in which a file is written: the one that was asked for, or that of its name.
    ///
    /// - Parameters:
    ///   - path: the file; nil, `-`: none.
    ///   - chosen: what the user asked for.
    ///   - endings: the forms that there are, by the ending of a name.
    /// - Throws: `ValidationError` if the name promises another form, or one that there is not.
    static func form<Form: RawRepresentable<String>>(
        of path: String?, chosen: Form?, endings: [String: Form]
    ) throws -> Form? {
        guard let path, path != "-", let ending = of(path) else { return chosen }
        guard let named = endings[ending] else {
            if let chosen, !known.contains(ending) { return chosen }
            // What is there already says better what it is: a store, for one, is never written over.
            let isBesideStore = ["-wal", "-shm", "-journal"].contains { ending.hasSuffix($0) }
            if !known.contains(ending), isBesideStore || FileManager.default.fileExists(atPath: path) { return chosen }
            let words = Set(endings.keys).sorted().map { ".\($0)" }.joined(separator: ", ")
            let way = known.contains(ending) ? "" : "; --format chooses one whatever the name is"
            throw ValidationError("\(path): what ends in .\(ending) cannot be written here. There are \(words)\(way).")
        }
        if let chosen, chosen.rawValue != named.rawValue {
            throw ValidationError(
                "\(path) promises \(named.rawValue) by its name, and --format asks for \(chosen.rawValue).")
        }
        return named
    }

    /// - Throws: `ValidationError` if a page would stand in a file whose name promises something else.
    static func checkPage(_ path: String?) throws {
        guard let path, let ending = of(path), !["html", "htm", "xhtml"].contains(ending) else { return }
        if !known.contains(ending) && FileManager.default.fileExists(atPath: path) { return }
        throw ValidationError("--html writes a page, and \(path) ends in .\(ending); name it .html.")
    }

    /// - Throws: `ValidationError` if a store would stand in a file whose name promises something else.
    static func checkBackup(_ path: String) throws {
        // A file that is there is looked at, and its name says less than what it holds.
        guard let ending = of(path), known.contains(ending), !FileManager.default.fileExists(atPath: path) else {
            return
        }
        throw ValidationError(
            "A backup is a store in one file, and \(path) ends in .\(ending); name it .db. 'moonshelf export' writes texts."
        )
    }
}

/// Whether the files are there that a command is to read.
enum GivenFile {
    /// - Parameter what: what it should be, such as `policy`.
    /// - Throws: ``CommandFailure``: wrong usage, as for every file that a command is given.
    static func require(_ path: String, _ what: String, orFolder: Bool = false) throws {
        guard path != "-" else { return }
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isThere || isFolder.boolValue && !orFolder else { return }
        let why = isThere ? "it is a folder, not a file" : "there is no such \(what)"
        throw CommandFailure(.wrongUsage, code: "not_found", message: why, file: path)
    }
}
