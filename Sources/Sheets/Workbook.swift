/// A spreadsheet file: `.xlsx`, `.xlsm`, `.ods`, or XML as Excel 2003 writes it.
///
/// Used by one thread. Formulas count by the value that was kept of them.
package final class Workbook {
    /// The formats that are read.
    package enum Kind: String, Sendable {
        case xlsx, ods, spreadsheetML = "spreadsheetml"
    }

    /// One of its sheets.
    package struct Sheet: Hashable, Sendable {
        package let name: String
        package let isHidden: Bool
        /// Its part of an `.xlsx`; of all others its number.
        let place: Place
    }

    enum Place: Hashable {
        case part(String)
        case table(Int)
    }

    package let kind: Kind
    package let sheets: [Sheet]
    private let contents: Contents

    private enum Contents {
        case xlsx(SheetArchive, XLSXContents)
        case ods(SheetArchive)
        case spreadsheetML(SpreadsheetMLContents)
    }

    /// Of how many rows it is said what their cells span.
    private static let spannedRows = 1_000

    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - isXML: whether the file is one document of XML instead of an archive.
    /// - Throws: ``SheetFault``: damaged, no spreadsheet, or one of another kind.
    package init(path: String, size: Int, isXML: Bool = false) throws(SheetFault) {
        if isXML {
            kind = .spreadsheetML
            let contents = try SpreadsheetMLContents(path: path, size: size)
            self.contents = .spreadsheetML(contents)
            sheets = contents.sheets
            return
        }
        let archive = try SheetArchive(path: path, size: size)
        if archive.has("[Content_Types].xml") {
            kind = .xlsx
            let contents = try XLSXContents(archive)
            self.contents = .xlsx(archive, contents)
            sheets = contents.sheets
        } else if archive.has("content.xml"), archive.has("META-INF/manifest.xml") {
            kind = .ods
            contents = .ods(archive)
            sheets = try ODSRows.sheets(archive)
        } else {
            throw SheetFault(
                .unknown, "it is a ZIP archive without a spreadsheet; unpack it, and import what is in it")
        }
    }

    /// The rows of a sheet, from its first one on.
    package func rows(of sheet: Sheet) throws(SheetFault) -> any SheetRowSource {
        switch (contents, sheet.place) {
        case (.xlsx(let archive, let contents), .part(let name)):
            guard let part = try archive.part(name) else {
                throw SheetFault.damaged(name, "it is not there")
            }
            return XLSXRows(part, try contents.values(archive))
        case (.ods(let archive), .table(let number)): return try ODSRows(archive, table: number)
        case (.spreadsheetML(let contents), .table(let number)): return try contents.rows(number)
        case (_, .part), (.xlsx, _): return NoRows()
        }
    }

    /// How many columns the cells of the first rows of a sheet span, by row and first column, where the file says so apart from the rows:
    /// that of an `.xlsx` does, at its end.
    package func spans(of sheet: Sheet) throws(SheetFault) -> [Int: [Int: Int]] {
        guard case (.xlsx(let archive, _), .part(let name)) = (contents, sheet.place),
            let part = try archive.part(name)
        else { return [:] }
        return try XLSXRows.spans(part, rows: Self.spannedRows)
    }

    private struct NoRows: SheetRowSource {
        func next() -> SheetRow? { nil }
    }
}
