import Foundation
import MARC
import Sheets
import TextFormats

/// What a file to be imported holds, as its content shows.
enum FileKind: String {
    case csv, json, marc, marcXML = "marcxml", xlsx, ods, spreadsheetML = "spreadsheetml", html

    var isMARC: Bool { self == .marc || self == .marcXML }
    /// Whether it is a table with a header.
    var isTable: Bool { isSpreadsheet || self == .csv || self == .html }
    var isSpreadsheet: Bool { [.xlsx, .ods, .spreadsheetML].contains(self) }

    /// The kind that the options name, or that of the first bytes; where these leave it open, of the end of the name.
    ///
    /// - Parameters:
    ///   - name: what the file is called.
    ///   - path: where it can be read from its beginning.
    ///   - encoding: of its text, where that is known.
    /// - Throws: ``ImportProblem`` where the file cannot be read, or is of a kind that is known and not read.
    static func of(
        _ name: String, at path: String, size: Int, _ encoding: TextEncoding?, _ options: ImportOptions
    ) throws(ImportProblem) -> FileKind {
        func unreadable(_ code: String, _ message: String) -> ImportProblem {
            ImportProblem(file: name, line: 0, code: code, severity: .error, message: message)
        }
        let beginning: ArraySlice<UInt8>
        do {
            let raw = try bytes(of: path, from: .utf8)
            let start = Magic(raw)
            if let what = start.refusal(at: path) { throw unreadable("unknown_kind", what) }
            if start.isArchive { return try Workbook(path: path, size: size).kind == .xlsx ? .xlsx : .ods }
            let wide = encoding ?? TextEncoding.ofBeginning(raw) ?? .utf8
            beginning = wide == .utf8 ? raw : try bytes(of: path, from: wide)
        } catch let problem as ImportProblem {
            throw problem
        } catch let fault as SheetFault {
            throw unreadable(fault.problemCode, "\(fault)")
        } catch {
            throw unreadable("unreadable", "\(error)")
        }
        let isTable = options.format == .csv || options.mapping != nil
        if options.format == .json || options.format == .bitbooks { return .json }
        let text = Beginning(beginning)
        if text.isHTML { return .html }
        if text.isSpreadsheetXML { return .spreadsheetML }
        if isTable { return .csv }
        switch MARCForm(beginning: beginning) {
        case .binary: return .marc
        case .xml: return .marcXML
        case nil: break
        }
        let ending = (name as NSString).pathExtension.lowercased()
        if text.isBinary, !["mrc", "marc", "marc21", "iso2709"].contains(ending) {
            throw unreadable("unknown_kind", "it is no text, no spreadsheet and no MARC file, but something binary")
        }
        switch ending {
        case "json", "jsonl", "ndjson": return text.isHeader ? .csv : .json
        case "csv", "tsv": return text.isJSON ? .json : .csv
        // Records may be damaged from the first one on.
        case "mrc", "marc", "marc21", "iso2709": return .marc
        default: break
        }
        if text.first == UInt8(ascii: "<") {
            throw unreadable("unknown_xml", "it is XML without MARC records; of XML, MARCXML is read")
        }
        return text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "{") ? .json : .csv
    }

    /// A few thousand bytes, as UTF-8.
    private static func bytes(of path: String, from encoding: TextEncoding) throws -> ArraySlice<UInt8> {
        var source = DecodedByteSource(try FileByteSource(path: path), from: encoding)
        var filled = 0
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while filled < buffer.count {
            let count = try buffer.withUnsafeMutableBytes { bytes in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
            }
            if count == 0 { break }
            filled += count
        }
        return buffer[..<filled]
    }
}

extension FileKind {
    /// What the first bytes of files say that are no text.
    private struct Magic {
        let bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
        }

        var isArchive: Bool { bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) }

        /// Why a file that begins so is not read; nil: it may be.
        func refusal(at path: String) -> String? {
            if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
                if Self.holds("EncryptedPackage", path) {
                    return "it is a spreadsheet behind a password; save it without one"
                }
                if Self.holds("Workbook", path) || Self.holds("Book\0", path) { return Self.oldWorkbook }
                return
                    "it is an old Excel workbook (.xls), or another document of old Office programs; save it as .xlsx"
            }
            if isBareWorkbook { return Self.oldWorkbook }
            if bytes.starts(with: [0x1F, 0x8B]) {
                return "it is compressed by gzip; unpack it, and import what is in it"
            }
            let pictures: [[UInt8]] = [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8)]
            if pictures.contains(where: { bytes.starts(with: $0) }) {
                return "it is a picture, which has no rows and columns"
            }
            if bytes.starts(with: Array("%PDF-".utf8)) { return "it is a PDF, which has no rows and columns" }
            return nil
        }

        private static let oldWorkbook =
            "it is an old Excel workbook (.xls, of Excel 2003 or before); open it in Excel or LibreOffice, save it as .xlsx,"
            + " .ods or CSV, and import that"

        /// Whether it begins as workbooks of Excel 2 to 4 do, and those of programs that leave out the compound file around: with
        /// the record of a beginning, its length, its version and that it begins a workbook or a sheet.
        private var isBareWorkbook: Bool {
            let start = Array(bytes.prefix(8))
            return start.count == 8 && start[0] == 9 && [0, 2, 4, 8].contains(start[1])
                && [4, 6, 8, 16].contains(start[2]) && start[3] == 0 && start[7] <= 1
                && [0x05, 0x10, 0x20, 0x40].contains(start[6])
        }

        /// Whether the directory of a compound file names a stream so: it stands in UTF-16 in one of its sectors.
        private static func holds(_ name: String, _ path: String) -> Bool {
            guard let source = try? FileByteSource(path: path) else { return false }
            let wanted = name.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var kept = 0
            while true {
                let read = try? buffer.withUnsafeMutableBytes { bytes in
                    try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
                }
                guard let read, read > 0 else { return false }
                let filled = kept + read
                if buffer[..<filled].firstRange(of: wanted) != nil { return true }
                kept = min(filled, wanted.count)
                buffer.replaceSubrange(..<kept, with: Array(buffer[(filled - kept)..<filled]))
            }
        }
    }

    /// What the beginning of a text says, in UTF-8.
    private struct Beginning {
        let first: UInt8?
        private let text: ArraySlice<UInt8>
        /// Whether it is for the most part bytes that stand in no text.
        let isBinary: Bool

        init(_ bytes: ArraySlice<UInt8>) {
            text = bytes.drop(while: \.isFiller)
            first = text.first
            // One may stand in a text by mistake.
            let others = bytes.count { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
            isBinary = others > 16 && others * 3 > bytes.count
        }

        private var words: String { String(decoding: text, as: UTF8.self).lowercased() }

        var isHTML: Bool {
            guard first == UInt8(ascii: "<") else { return false }
            let words = words
            if ["<!doctype html", "<html", "<table", "<head", "<body", "<meta"].contains(where: words.hasPrefix) {
                return true
            }
            return words.hasPrefix("<!--") && words.contains("<table")
        }

        var isSpreadsheetXML: Bool {
            guard first == UInt8(ascii: "<") else { return false }
            let words = words
            return words.contains("urn:schemas-microsoft-com:office:spreadsheet")
                || words.contains("<?mso-application progid=\"excel.sheet\"")
        }

        /// Whether it begins as no table does.
        var isJSON: Bool {
            guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return false }
            let second = text.dropFirst().first { $0 > 0x20 }
            return second.map { "\"{[]}".utf8.contains($0) } ?? false
        }

        /// Whether the first line has names with separators between them, and nothing of JSON.
        var isHeader: Bool {
            let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
            guard line.count < text.count, let first, first == UInt8(ascii: "\"") || first >= UInt8(ascii: "A") else {
                return false
            }
            return line.contains { ",;\t".utf8.contains($0) } && !line.contains { "[]{}:".utf8.contains($0) }
        }
    }
}

extension SheetFault {
    /// What reports call it.
    var problemCode: String {
        switch code {
        case .unavailable: "unreadable"
        case .unknown, .unsupported: "unknown_kind"
        case .damaged: "damaged"
        case .tooLarge: "too_large"
        }
    }
}
