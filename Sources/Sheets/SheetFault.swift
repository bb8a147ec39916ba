import CSheets

/// Why a file of tables cannot be read.
package struct SheetFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of fault, for programs; people read ``description``.
    package enum Code: String, Hashable, Sendable {
        /// The libraries that read it are not installed.
        case unavailable
        /// It is no spreadsheet.
        case unknown
        /// It is a spreadsheet that cannot be read: an old one, or one behind a password.
        case unsupported
        case damaged
        /// It holds more than any spreadsheet, or unfolds to more.
        case tooLarge
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func damaged(_ part: String, _ why: String) -> SheetFault {
        SheetFault(.damaged, "\(part) of the spreadsheet cannot be read: \(why)")
    }

    /// - Throws: ``Code/unavailable`` where libzip or libxml2 are not installed.
    static func check() throws(SheetFault) {
        guard let why = moonshelf_sheets_load() else { return }
        throw SheetFault(
            .unavailable,
            "spreadsheets and HTML are read by libzip and libxml2, on Debian the packages libzip4 and libxml2: "
                + String(cString: why))
    }
}
