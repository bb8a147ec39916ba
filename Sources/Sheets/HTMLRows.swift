import CSheets
package import TextFormats

/// The rows of the tables of an HTML document, as programs write it that call it a spreadsheet.
package struct HTMLRows<Source: ByteSource>: SheetRowSource {
    private let reader: Handle
    private var source: Source
    private var waiting: [SheetRow] = []
    private var isAtEnd = false
    private var bytesTaken = 0

    private var number = 0
    private var cells: [SheetRow.Cell] = []
    private var column = 0
    private var span = 1
    /// The text of the cell in hand; nil outside of one.
    private var text: String?
    /// Within a script or a style.
    private var isHidden = false

    private static var maximumBytes: Int { 256 << 20 }

    private final class Handle {
        let reader: UnsafeMutableRawPointer

        init() throws(SheetFault) {
            try SheetFault.check()
            guard let reader = moonshelf_html_make() else { throw SheetFault(.unavailable, "there is no memory") }
            self.reader = reader
        }

        deinit { moonshelf_html_free(reader) }
    }

    /// - Parameter source: gives UTF-8.
    package init(_ source: Source) throws(SheetFault) {
        self.source = source
        reader = try Handle()
    }

    package mutating func next() throws(SheetFault) -> SheetRow? {
        while waiting.isEmpty && !isAtEnd { try fill() }
        return waiting.popLast()
    }

    private mutating func fill() throws(SheetFault) {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count: Int
        do {
            count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
        } catch {
            throw SheetFault(.damaged, "\(error)")
        }
        bytesTaken += count
        guard bytesTaken <= Self.maximumBytes else {
            throw SheetFault(.tooLarge, "the HTML is longer than \(Self.maximumBytes) bytes")
        }
        isAtEnd = count == 0
        var (events, length): (UnsafePointer<CChar>?, Int) = (nil, 0)
        let isReadable = buffer.withUnsafeBytes { bytes in
            moonshelf_html_take(
                reader.reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count, isAtEnd ? 1 : 0, &events,
                &length)
        }
        let found = Array(UnsafeRawBufferPointer(start: events, count: length))
        try take(found)
        guard isReadable == 1 else { throw SheetFault(.damaged, "the elements of the HTML are nested too deeply") }
        if isAtEnd { endRow() }
        waiting.reverse()
    }

    private mutating func take(_ events: [UInt8]) throws(SheetFault) {
        var start = 0
        while start < events.count {
            let end = events[(start + 1)...].firstIndex { $0 < 0x20 } ?? events.count
            let piece = String(decoding: events[(start + 1)..<end], as: UTF8.self)
            switch Int(events[start]) {
            case moonshelf_html_start_of_element: try startElement(piece.split(separator: " "))
            case moonshelf_html_end_of_element: endElement(piece)
            default: if !isHidden, text != nil { try take(piece) }
            }
            start = end
        }
    }

    private mutating func take(_ piece: String) throws(SheetFault) {
        text? += piece
        guard (text?.utf8.count ?? 0) <= SheetRow.maximumText else {
            throw SheetFault(.tooLarge, "a cell holds more than \(SheetRow.maximumText) bytes")
        }
    }

    private mutating func startElement(_ words: [Substring]) throws(SheetFault) {
        switch words.first {
        case "tr": endRow()
        case "td", "th":
            endCell()
            text = ""
            span = words.dropFirst().first.flatMap { Int($0) } ?? 1
            guard column < SheetRow.maximumColumns else {
                throw SheetFault(.tooLarge, "row \(number + 1) has more than \(SheetRow.maximumColumns) columns")
            }
        case "br", "p", "div", "li": text? += " "
        case "script", "style": isHidden = true
        default: break
        }
    }

    private mutating func endElement(_ name: String) {
        switch name {
        case "tr", "table": endRow()
        case "td", "th": endCell()
        case "script", "style": isHidden = false
        default: break
        }
    }

    private mutating func endCell() {
        guard let written = text else { return }
        text = nil
        let words = written.split { $0.isWhitespace || $0 == "\u{A0}" }
        let span = min(max(1, span), SheetRow.maximumColumns)
        if !words.isEmpty {
            cells.append(SheetRow.Cell(column: column, text: words.joined(separator: " "), span: span))
        }
        column += span
    }

    private mutating func endRow() {
        endCell()
        if column > 0 { number += 1 }
        if !cells.isEmpty { waiting.append(SheetRow(number: number, cells: cells)) }
        cells = []
        column = 0
    }
}
