/// The rows of a sheet of an `.ods` (OpenDocument 1.3, part 3, 9).
struct ODSRows: SheetRowSource {
    private let part: XMLPart
    private var number = 0
    /// How many more times the row in hand stands there.
    private var repeated: (row: SheetRow, rest: Int)?

    private static let content = "content.xml"

    /// The sheets of a document.
    static func sheets(_ archive: SheetArchive) throws(SheetFault) -> [Workbook.Sheet] {
        if let manifest = try archive.part("META-INF/manifest.xml") {
            while let node = try manifest.next() {
                guard node == .start, manifest.isNamed("encryption-data") else { continue }
                throw SheetFault(.unsupported, "it is a spreadsheet behind a password; save it without one")
            }
        }
        guard let part = try archive.part(content) else { throw SheetFault.damaged(content, "it is not there") }
        var sheets: [Workbook.Sheet] = []
        var isSpreadsheet = false
        while let node = try part.next() {
            guard node == .start else { continue }
            if part.isNamed("spreadsheet") { isSpreadsheet = true }
            guard isSpreadsheet, part.isNamed("table"), sheets.count < 1_024 else { continue }
            sheets.append(
                Workbook.Sheet(
                    name: part.attribute("name") ?? "", isHidden: false, place: .table(sheets.count)))
            try part.skipElement()
        }
        guard isSpreadsheet else {
            throw SheetFault(.unknown, "it is an OpenDocument file without sheets, such as a letter")
        }
        return sheets
    }

    init(_ archive: SheetArchive, table number: Int) throws(SheetFault) {
        guard let part = try archive.part(Self.content) else {
            throw SheetFault.damaged(Self.content, "it is not there")
        }
        self.part = part
        var seen = -1
        while let node = try part.next() {
            guard node == .start, part.isNamed("table") else { continue }
            seen += 1
            if seen == number { return }
            try part.skipElement()
        }
    }

    mutating func next() throws(SheetFault) -> SheetRow? {
        if let (row, rest) = repeated {
            repeated = rest > 1 ? (row, rest - 1) : nil
            number += 1
            return SheetRow(number: number, cells: row.cells)
        }
        while let node = try part.next() {
            if node == .end, part.isNamed("table") { return nil }
            guard node == .start, part.isNamed("table-row") else { continue }
            let times = Self.count(part.attribute("number-rows-repeated"), most: SheetRow.maximumRows)
            let cells = try cells()
            number += 1
            guard !cells.isEmpty else {
                number += times - 1
                continue
            }
            guard number + times <= SheetRow.maximumRows + 1 else {
                throw SheetFault(.tooLarge, "the sheet has more than \(SheetRow.maximumRows) rows")
            }
            let row = SheetRow(number: number, cells: cells)
            if times > 1 { repeated = (row, times - 1) }
            return row
        }
        return nil
    }

    private static func count(_ text: String?, most: Int) -> Int {
        min(most, max(1, text.flatMap { Int($0) } ?? 1))
    }

    private mutating func cells() throws(SheetFault) -> [SheetRow.Cell] {
        var cells: [SheetRow.Cell] = []
        var column = 0
        while let node = try part.next() {
            if node == .end, part.isNamed("table-row") { break }
            guard node == .start, part.isNamed("table-cell") || part.isNamed("covered-table-cell") else { continue }
            let times = Self.count(part.attribute("number-columns-repeated"), most: SheetRow.maximumColumns)
            let span = Self.count(part.attribute("number-columns-spanned"), most: SheetRow.maximumColumns)
            let text = try cell()
            if !text.isEmpty {
                guard column + times <= SheetRow.maximumColumns else {
                    throw SheetFault(.tooLarge, "row \(number + 1) has more than \(SheetRow.maximumColumns) columns")
                }
                for index in column..<(column + times) {
                    cells.append(
                        SheetRow.Cell(
                            column: index, text: text, isError: text.hasPrefix("#") && text.hasSuffix("!"), span: span))
                }
            }
            column += times
        }
        return cells
    }

    /// What the cell that begins here holds; goes on to its end.
    private func cell() throws(SheetFault) -> String {
        let type = part.attribute("value-type")
        let value = part.attribute(Self.valueNames[type ?? ""] ?? "value")
        var shown = ""
        var depth = 1
        var noteDepth: Int?
        var paragraphs = 0
        var paragraphDepth: Int?
        while depth > 0, let node = try part.next() {
            switch node {
            case .start:
                depth += 1
                if part.isNamed("annotation"), noteDepth == nil { noteDepth = depth }
                if noteDepth != nil { continue }
                if part.isNamed("p"), paragraphDepth == nil {
                    if paragraphs > 0 { shown += "\n" }
                    paragraphs += 1
                    paragraphDepth = depth
                } else if part.isNamed("s") {
                    shown += String(repeating: " ", count: Self.count(part.attribute("c"), most: 1_000))
                }
            case .end:
                if noteDepth == depth { noteDepth = nil }
                if paragraphDepth == depth { paragraphDepth = nil }
                depth -= 1
            case .text: if noteDepth == nil, paragraphDepth != nil { shown += part.text }
            }
            guard shown.utf8.count <= SheetRow.maximumText else {
                throw SheetFault(.tooLarge, "row \(number + 1): a cell holds more than \(SheetRow.maximumText) bytes")
            }
        }
        return Self.text(type, value, shown)
    }

    private static let valueNames = ["date": "date-value", "time": "time-value", "boolean": "boolean-value"]

    private static func text(_ type: String?, _ value: String?, _ shown: String) -> String {
        guard let value else { return shown }
        switch type {
        case "date":
            return value.hasSuffix("T00:00:00") ? String(value.dropLast(9)) : value.replacing("T", with: " ")
        case "float", "currency", "percentage":
            // Digits with zeros before them, as they are shown.
            let isDigits = shown.utf8.allSatisfy { (0x30...0x39).contains($0) } && shown.hasPrefix("0")
            if isDigits, let number = Double(value), Double(shown) == number { return shown }
            return CellNumber.text(value, .number, is1904: false)
        case "boolean": return value
        default: return shown
        }
    }
}
