/// A spreadsheet file: `.xlsx`, `.xlsm` or `.ods`.
///
/// Used by one thread. Formulas count by the value that was kept of them.
package final class Workbook {
    /// The formats that are read.
    package enum Kind: String, Sendable {
        case xlsx, ods
    }

    /// One of its sheets.
    package struct Sheet: Hashable, Sendable {
        package let name: String
        package let isHidden: Bool
        /// Its part of an `.xlsx`; of an `.ods` its number.
        let place: Place
    }

    enum Place: Hashable {
        case part(String)
        case table(Int)
    }

    package let kind: Kind
    package let sheets: [Sheet]
    private let archive: SheetArchive
    private let contents: Contents

    private enum Contents {
        case xlsx(XLSXContents)
        case ods
    }

    /// - Parameter size: of the file, in bytes.
    /// - Throws: ``SheetFault``: damaged, no spreadsheet, or one of another kind.
    package init(path: String, size: Int) throws(SheetFault) {
        archive = try SheetArchive(path: path, size: size)
        if archive.has("[Content_Types].xml") {
            kind = .xlsx
            let contents = try XLSXContents(archive)
            self.contents = .xlsx(contents)
            sheets = contents.sheets
        } else if archive.has("content.xml"), archive.has("META-INF/manifest.xml") {
            kind = .ods
            contents = .ods
            sheets = try ODSRows.sheets(archive)
        } else {
            throw SheetFault(
                .unknown, "it is a ZIP archive without a spreadsheet; unpack it, and import what is in it")
        }
    }

    /// The rows of a sheet, from its first one on.
    package func rows(of sheet: Sheet) throws(SheetFault) -> any SheetRowSource {
        switch (contents, sheet.place) {
        case (.xlsx(let contents), .part(let name)):
            guard let part = try archive.part(name) else {
                throw SheetFault.damaged(name, "it is not there")
            }
            return XLSXRows(part, try contents.values(archive))
        case (_, .table(let number)): return try ODSRows(archive, table: number)
        case (.ods, .part): return NoRows()
        }
    }

    private struct NoRows: SheetRowSource {
        func next() -> SheetRow? { nil }
    }
}
