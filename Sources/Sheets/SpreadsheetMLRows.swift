/// The rows of a sheet of a spreadsheet that is one document of XML.
struct SpreadsheetMLRows: SheetRowSource {
    private let part: XMLPart
    private let contents: SpreadsheetMLContents
    private var number = 0
    private var isEnded = false
    /// The styles of columns, for cells that have none.
    private var columnStyles: [Int: String] = [:]
    private var nextColumn = 0

    init(_ part: XMLPart, _ contents: SpreadsheetMLContents, sheet number: Int) throws(SheetFault) {
        self.part = part
        self.contents = contents
        var seen = -1
        while let node = try part.next() {
            guard node == .start, part.isNamed("Worksheet") else { continue }
            seen += 1
            if seen == number { return }
            try part.skipElement()
        }
    }

    mutating func next() throws(SheetFault) -> SheetRow? {
        guard !isEnded else { return nil }
        while let node = try part.next() {
            if node == .end, part.isNamed("Table") || part.isNamed("Worksheet") { break }
            guard node == .start else { continue }
            if part.isNamed("Column") {
                takeColumn()
            } else if part.isNamed("Row"), let row = try row() {
                return row
            }
        }
        isEnded = true
        return nil
    }

    /// A number of an attribute, held to what a sheet can have.
    private func count(_ attribute: String, most: Int) -> Int {
        min(most, max(0, part.attribute(attribute).flatMap { Int($0) } ?? 0))
    }

    private mutating func takeColumn() {
        let given = part.attribute("Index").flatMap { Int($0) }.map { $0 - 1 } ?? nextColumn
        let first = min(SheetRow.maximumColumns, max(0, given))
        nextColumn = min(SheetRow.maximumColumns, first + 1 + count("Span", most: SheetRow.maximumColumns))
        guard let style = part.attribute("StyleID") else { return }
        for column in first..<max(first, nextColumn) { columnStyles[column] = style }
    }

    /// The row that begins here; nil if nothing stands in it.
    private mutating func row() throws(SheetFault) -> SheetRow? {
        number = part.attribute("Index").flatMap { Int($0) } ?? number + 1
        guard (1...SheetRow.maximumRows).contains(number) else {
            throw SheetFault(.tooLarge, "the sheet has more than \(SheetRow.maximumRows) rows")
        }
        let here = number
        // So many rows more look like this one, and are empty.
        number += count("Span", most: SheetRow.maximumRows)
        let rowStyle = part.attribute("StyleID")
        var cells: [SheetRow.Cell] = []
        var column = 0
        while let node = try part.next() {
            if node == .end, part.isNamed("Row") { break }
            guard node == .start, part.isNamed("Cell") else { continue }
            if let index = part.attribute("Index").flatMap({ Int($0) }) { column = index - 1 }
            guard column >= 0 else {
                throw SheetFault(.damaged, "row \(here) of the spreadsheet has a cell before its first column")
            }
            guard column < SheetRow.maximumColumns, cells.count < SheetRow.maximumColumns else {
                throw SheetFault(.tooLarge, "row \(here) has more than \(SheetRow.maximumColumns) columns")
            }
            let span = 1 + count("MergeAcross", most: SheetRow.maximumColumns)
            let style = part.attribute("StyleID") ?? rowStyle ?? columnStyles[column] ?? "Default"
            if let (text, isError) = try cell(contents.formats[style] ?? .number, row: here), !text.isEmpty {
                cells.append(SheetRow.Cell(column: column, text: text, isError: isError, span: span))
            }
            column += span
        }
        return cells.isEmpty ? nil : SheetRow(number: here, cells: SheetRow.ordered(cells))
    }

    /// What the cell that begins here holds; goes on to its end. Notes of people have data too.
    private func cell(_ format: NumberFormat, row: Int) throws(SheetFault) -> (text: String, isError: Bool)? {
        var type: String?
        var written = ""
        var isData = false
        var depth = 1
        while depth > 0, let node = try part.next() {
            switch node {
            case .start:
                depth += 1
                if depth == 2, part.isNamed("Data") {
                    type = part.attribute("Type") ?? "String"
                    isData = true
                }
            case .end:
                if depth == 2 { isData = false }
                depth -= 1
            case .text: if isData { written += part.text }
            }
            guard written.utf8.count <= SheetRow.maximumText else {
                throw SheetFault(.tooLarge, "row \(row): a cell holds more than \(SheetRow.maximumText) bytes")
            }
        }
        guard let type, !written.isEmpty else { return nil }
        switch type {
        case "Number": return (CellNumber.text(written, format, is1904: contents.is1904), false)
        case "DateTime": return (Self.moment(written, format), false)
        case "Boolean": return (written == "1" || written == "true" ? "true" : "false", false)
        default: return (written, type == "Error")
        }
    }

    /// `2018-10-24`, `2018-10-24 18:00:00`; of the day that stands for none, `18:00:00`.
    private static func moment(_ written: String, _ format: NumberFormat) -> String {
        let halves = written.split(separator: "T", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { return written }
        let time = String(halves[1].prefix { $0 != "." && $0 != "Z" })
        if halves[0] == "1899-12-31" { return time }
        if format == .year { return String(halves[0].prefix(4)) }
        return time == "00:00:00" ? halves[0] : "\(halves[0]) \(time)"
    }
}
