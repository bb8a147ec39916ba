/// The rows of a sheet of an `.xlsx`.
struct XLSXRows: SheetRowSource {
    private let part: XMLPart
    private let values: CellValues
    private var number = 0
    private var isEnded = false

    /// The cell in hand.
    private var column = -1
    private var type = ""
    private var style = 0
    private var written = ""
    private var isValue = false
    private var inline: RichText?

    init(_ part: XMLPart, _ values: CellValues) {
        self.part = part
        self.values = values
    }

    mutating func next() throws(SheetFault) -> SheetRow? {
        guard !isEnded else { return nil }
        var cells: [SheetRow.Cell] = []
        while let node = try part.next() {
            if inline != nil, !(node == .end && part.isNamed("is")) {
                try inline?.take(node, part)
                continue
            }
            switch node {
            case .start: try start()
            case .text: if isValue { try take(part.text) }
            case .end:
                if part.isNamed("c") {
                    if let cell = try cell() { try add(cell, to: &cells) }
                } else if part.isNamed("row") {
                    if !cells.isEmpty { return SheetRow(number: number, cells: SheetRow.ordered(cells)) }
                } else if part.isNamed("is") {
                    try take(inline?.text ?? "")
                    inline = nil
                } else if part.isNamed("sheetData") {
                    isEnded = true
                    return nil
                } else {
                    isValue = false
                }
            }
        }
        isEnded = true
        return nil
    }

    private mutating func start() throws(SheetFault) {
        isValue = false
        if part.isNamed("c") {
            if let reference = part.attribute("r") {
                column = try Self.column(of: reference)
            } else {
                column += 1
            }
            type = part.attribute("t") ?? "n"
            style = part.attribute("s").flatMap { Int($0) } ?? 0
            written = ""
        } else if part.isNamed("v") {
            isValue = true
        } else if part.isNamed("is") {
            inline = RichText()
        } else if part.isNamed("row") {
            let given = part.attribute("r").flatMap { Int($0) }
            number = given ?? number + 1
            column = -1
            guard (1...SheetRow.maximumRows).contains(number) else {
                throw SheetFault(.tooLarge, "the sheet has more than \(SheetRow.maximumRows) rows")
            }
        }
    }

    private mutating func take(_ text: String) throws(SheetFault) {
        written += text
        guard written.utf8.count <= SheetRow.maximumText else {
            throw SheetFault(.tooLarge, "row \(number): a cell holds more than \(SheetRow.maximumText) bytes")
        }
    }

    private mutating func cell() throws(SheetFault) -> SheetRow.Cell? {
        isValue = false
        guard column < SheetRow.maximumColumns else {
            throw SheetFault(.tooLarge, "row \(number) has more than \(SheetRow.maximumColumns) columns")
        }
        guard !written.isEmpty else { return nil }
        let text = try values.text(written, type: type, style: style)
        return text.isEmpty ? nil : SheetRow.Cell(column: column, text: text, isError: type == "e")
    }

    private func add(_ cell: SheetRow.Cell, to cells: inout [SheetRow.Cell]) throws(SheetFault) {
        guard cells.count < SheetRow.maximumColumns else {
            throw SheetFault(.tooLarge, "row \(number) has more than \(SheetRow.maximumColumns) cells")
        }
        cells.append(cell)
    }

    /// How many columns the merged cells of the first rows span, by row and first column.
    static func spans(_ part: XMLPart, rows: Int) throws(SheetFault) -> [Int: [Int: Int]] {
        var spans: [Int: [Int: Int]] = [:]
        while let node = try part.next() {
            guard node == .start, part.isNamed("mergeCell"), let area = part.attribute("ref") else { continue }
            let corners = area.split(separator: ":").map(String.init)
            guard corners.count == 2, let row = Int(corners[0].filter(\.isNumber)), (1...rows).contains(row) else {
                continue
            }
            let (first, last) = (try column(of: corners[0]), try column(of: corners[1]))
            if last > first { spans[row, default: [:]][first] = last - first + 1 }
        }
        return spans
    }

    /// The column of `AB12`, from 0.
    private static func column(of reference: String) throws(SheetFault) -> Int {
        var column = 0
        for byte in reference.utf8 {
            switch byte {
            case 0x41...0x5A: column = column * 26 + Int(byte - 0x40)
            case 0x61...0x7A: column = column * 26 + Int(byte - 0x60)
            case 0x30...0x39, 0x24: continue
            default: column = 0
            }
            if column > SheetRow.maximumColumns { break }
        }
        guard column > 0 else { throw SheetFault(.damaged, "the sheet has a cell at '\(reference.prefix(16))'") }
        return column - 1
    }
}
