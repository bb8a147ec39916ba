import ArgumentParser
import Foundation
import Reports

/// What a file extension says about the content.
enum FileEnding {
    /// In lower case, without the dot; nil without an extension.
    static func of(_ path: String) -> String? {
        let ending = ((path as NSString).lastPathComponent as NSString).pathExtension.lowercased()
        return ending.isEmpty ? nil : ending
    }

    static let reports: [String: ReportOutput] = [
        "txt": .table, "text": .table, "json": .json, "csv": .csv, "md": .md, "markdown": .md, "html": .html,
        "htm": .html,
        "pdf": .pdf,
    ]

    /// Extensions that stand for a format, and which a file of another format must not have.
    private static let known: Set<String> = Set(reports.keys).union([
        "jsonl", "ndjson", "xml", "tsv", "xls", "xlsx", "ods", "doc", "docx", "odt", "png", "svg", "jpg", "zip", "gz",
        "tar",
        "lua", "toml", "sql",
    ])

    /// The format of a file to be written: the chosen one, or that of its extension.
    ///
    /// - Parameters:
    ///   - path: the file; nil, `-`: none.
    ///   - chosen: the format that the user chose.
    ///   - endings: the known formats, by extension.
    /// - Throws: `ValidationError` if the extension stands for another format, or for an unknown one.
    static func form<Form: RawRepresentable<String>>(
        of path: String?, chosen: Form?, endings: [String: Form]
    ) throws -> Form? {
        guard let path, path != "-", let ending = of(path) else { return chosen }
        guard let named = endings[ending] else {
            if let chosen, !known.contains(ending) { return chosen }
            // The content of an existing file is what counts: a store, for example, is never overwritten.
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

    /// - Throws: `ValidationError` if the extension does not stand for a page.
    static func checkPage(_ path: String?) throws {
        guard let path, let ending = of(path), !["html", "htm", "xhtml"].contains(ending) else { return }
        if !known.contains(ending) && FileManager.default.fileExists(atPath: path) { return }
        throw ValidationError("--html writes a page, and \(path) ends in .\(ending); name it .html.")
    }

    /// - Throws: `ValidationError` if the extension does not stand for a store.
    static func checkBackup(_ path: String) throws {
        // The content of an existing file counts more than its name.
        guard let ending = of(path), known.contains(ending), !FileManager.default.fileExists(atPath: path) else {
            return
        }
        throw ValidationError(
            "A backup is a store in one file, and \(path) ends in .\(ending); name it .db. 'moonshelf export' writes texts."
        )
    }
}

/// Whether the files that a command reads exist.
enum GivenFile {
    /// - Parameter what: the kind of file, such as `policy`.
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
