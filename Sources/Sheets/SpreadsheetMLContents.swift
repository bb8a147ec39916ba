/// What a spreadsheet says of its sheets and styles that is one document of XML ("XML Spreadsheet 2003").
final class SpreadsheetMLContents {
    private(set) var sheets: [Workbook.Sheet] = []
    /// How numbers are shown, by the names of styles.
    private(set) var formats: [String: NumberFormat] = [:]
    private(set) var is1904 = false
    private let path: String
    private let size: Int

    /// Goes through the whole document once: which sheets are hidden stands behind their rows.
    init(path: String, size: Int) throws(SheetFault) {
        (self.path, self.size) = (path, size)
        let part = try XMLPart(path: path, size: size)
        var names: [(name: String, isHidden: Bool)] = []
        var isWorkbook = false
        var isVisibility = false
        var style = ""
        while let node = try part.next() {
            switch node {
            case .start:
                isVisibility = part.isNamed("Visible")
                if part.isNamed("Workbook") {
                    isWorkbook = true
                } else if part.isNamed("Worksheet"), names.count < 1_024 {
                    names.append((part.attribute("Name") ?? "", false))
                } else if part.isNamed("Style"), formats.count < 100_000 {
                    style = part.attribute("ID") ?? ""
                    if let parent = part.attribute("Parent") { formats[style] = formats[parent] }
                } else if part.isNamed("NumberFormat"), !style.isEmpty {
                    formats[style] = Self.format(part.attribute("Format") ?? "General")
                } else if part.isNamed("Date1904") {
                    is1904 = true
                }
            case .text:
                if isVisibility, !names.isEmpty { names[names.count - 1].isHidden = part.text != "SheetVisible" }
            case .end:
                isVisibility = false
                if part.isNamed("Style") { style = "" }
            }
        }
        guard isWorkbook, !names.isEmpty else {
            throw SheetFault(.unknown, "it is XML for Excel without a sheet in it")
        }
        sheets = names.enumerated().map { number, sheet in
            Workbook.Sheet(name: sheet.name, isHidden: sheet.isHidden, place: .table(number))
        }
    }

    func rows(_ number: Int) throws(SheetFault) -> SpreadsheetMLRows {
        try SpreadsheetMLRows(XMLPart(path: path, size: size), self, sheet: number)
    }

    /// Some formats have names.
    private static func format(_ code: String) -> NumberFormat {
        switch code {
        case "General Date", "Long Date", "Medium Date", "Short Date": .date
        case "Long Time", "Medium Time", "Short Time": .time
        case "General", "General Number", "Currency", "Euro Currency", "Fixed", "Standard", "Percent", "Scientific",
            "Yes/No", "True/False", "On/Off":
            .number
        default: NumberFormat(code: code)
        }
    }
}
