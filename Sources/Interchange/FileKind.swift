import Foundation
import MARC
import TextFormats

/// What a file to be imported holds, as its content shows.
enum FileKind: String {
    case csv, json, marc, marcXML = "marcxml"

    var isMARC: Bool { self == .marc || self == .marcXML }

    /// The kind that the options name, or that of the first bytes; a table or JSON also by the end of the name.
    ///
    /// - Throws: ``ImportProblem`` where the file cannot be read, or is XML that holds no MARC records.
    static func of(_ path: String, _ options: ImportOptions) throws(ImportProblem) -> FileKind {
        switch options.format {
        case .csv: return .csv
        case .json, .bitbooks: return .json
        case .auto: if options.mapping != nil { return .csv }
        }
        let ending = (path as NSString).pathExtension.lowercased()
        let beginning = try beginning(of: path)
        switch MARCForm(beginning: beginning) {
        case .binary: return .marc
        case .xml: return .marcXML
        case nil: break
        }
        let first = beginning.first { !$0.isFiller }
        switch ending {
        case "json", "jsonl", "ndjson": return .json
        case "csv", "tsv": return .csv
        // Records may be damaged from the first one on.
        case "mrc", "marc", "marc21", "iso2709": return .marc
        default: break
        }
        if first == UInt8(ascii: "<") {
            throw ImportProblem(
                file: path, line: 0, code: "unknown_xml", severity: .error,
                message: "it is XML or HTML without MARC records; of XML, MARCXML is read")
        }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? .json : .csv
    }

    /// A few thousand bytes; none of what can be read only once, such as a pipe.
    private static func beginning(of path: String) throws(ImportProblem) -> ArraySlice<UInt8> {
        do {
            let source = try FileByteSource(path: path)
            guard source.isRegular else { return [] }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
            return buffer[..<count]
        } catch {
            throw ImportProblem(file: path, line: 0, code: "unreadable", severity: .error, message: "\(error)")
        }
    }
}
