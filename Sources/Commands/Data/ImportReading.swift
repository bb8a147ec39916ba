import ArgumentParser
import Interchange
import TextFormats

/// How an import reads what files do not say of themselves.
struct ImportReading: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What texts are encoded in: utf-8, utf-16le, utf-16be, windows-1252 or latin-1; otherwise as they show.",
            valueName: "ENCODING"))
    var encoding: String?

    @Option(
        help: ArgumentHelp(
            "The sheet of a spreadsheet; otherwise the first one whose header is known.", valueName: "NAME"))
    var sheet: String?

    @Option(
        help: ArgumentHelp(
            "How many rows the header of a table has: 1, or 2 with names of groups above the names of columns; otherwise as it shows.",
            valueName: "NUMBER"))
    var headerRows: Int?

    @Option(help: ArgumentHelp("The order of dates that can be read in two ways: dmy, mdy or ymd.", valueName: "ORDER"))
    var dates: DateOrder?

    @Option(help: ArgumentHelp("What stands before the decimals of amounts: point or comma.", valueName: "MARK"))
    var decimals: DecimalMark?

    @Option(
        help: ArgumentHelp(
            "What becomes of a row whose key, such as a username or a barcode, an earlier row of its file has: refuse, or update, which has it change the earlier one.",
            valueName: "WHAT"))
    var repeated = RepeatedRecords.refuse

    func validate() throws {
        if let headerRows, ![1, 2].contains(headerRows) { throw ValidationError("--header-rows must be 1 or 2.") }
    }

    /// - Throws: ``CommandFailure`` for an encoding that there is not.
    var textEncoding: TextEncoding? {
        get throws {
            guard let encoding else { return nil }
            guard let known = TextEncoding(name: encoding) else {
                throw CommandFailure.usage(
                    "There is no encoding '\(SafeText.line(encoding))' here. There are utf-8, utf-16le, utf-16be,"
                        + " windows-1252 and latin-1.")
            }
            return known
        }
    }
}

extension DateOrder: ExpressibleByArgument {}
extension DecimalMark: ExpressibleByArgument {}
extension RepeatedRecords: ExpressibleByArgument {}
