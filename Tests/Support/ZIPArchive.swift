/// A ZIP archive made part by part, without compression.
package struct ZIPArchive {
    private var body: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    package init() {}

    package mutating func add(_ name: String, _ content: some Sequence<UInt8>) {
        let content = Array(content)
        let name = Array(name.utf8)
        let sizes = Self.word(Self.checksum(content)) + Self.word(content.count) + Self.word(content.count)
        let lengths = Self.half(name.count) + Self.half(0)
        let start = body.count
        body += [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + sizes + lengths + name + content
        directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + sizes + lengths
        directory += [UInt8](repeating: 0, count: 10) + Self.word(start) + name
        count += 1
    }

    package mutating func add(_ name: String, _ content: String) { add(name, content.utf8) }

    package var bytes: [UInt8] {
        body + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.half(count) + Self.half(count)
            + Self.word(directory.count) + Self.word(body.count) + [0, 0]
    }

    private static func half(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
    private static func word(_ value: Int) -> [UInt8] { half(value & 0xFFFF) + half(value >> 16) }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }
}

/// An `.xlsx` with the parts that a spreadsheet program writes.
package struct WorkbookFile {
    /// What a cell holds.
    package enum Cell: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
        case empty
        /// Among the shared texts.
        case text(String)
        case inline(String)
        /// As it stands in the file, with the code of its format.
        case number(String, format: String? = nil)
        case boolean(Bool)
        case formula(String, value: String)
        case error(String)

        package init(stringLiteral value: String) { self = value.isEmpty ? .empty : .text(value) }
        package init(integerLiteral value: Int) { self = .number(String(value)) }
        package init(floatLiteral value: Double) { self = .number(String(value)) }
    }

    package var sheets: [(name: String, rows: [[Cell]])] = []
    package var is1904 = false
    /// What stands before the root of each sheet.
    package var prologue = ""
    private var texts: [String] = []
    private var formats: [String] = []

    package init(_ rows: [[Cell]], named name: String = "Sheet1") { sheets = [(name, rows)] }

    private static let head = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006"

    package var bytes: [UInt8] {
        var copy = self
        return copy.made()
    }

    private mutating func made() -> [UInt8] {
        var archive = ZIPArchive()
        archive.add("[Content_Types].xml", Self.head + #"<Types xmlns="\#(Self.package)/content-types"/>"#)
        archive.add("_rels/.rels", Self.relations([("rId1", "officeDocument", "xl/workbook.xml")]))
        var relations: [(String, String, String)] = []
        var names = ""
        for (index, sheet) in sheets.enumerated() {
            archive.add("xl/worksheets/sheet\(index + 1).xml", part(sheet.rows))
            relations.append(("rId\(index + 1)", "worksheet", "worksheets/sheet\(index + 1).xml"))
            let name = Self.escaped(sheet.name)
            names += #"<sheet name="\#(name)" sheetId="\#(index + 1)" r:id="rId\#(index + 1)"/>"#
        }
        relations += [("rId98", "sharedStrings", "sharedStrings.xml"), ("rId99", "styles", "styles.xml")]
        archive.add(
            "xl/workbook.xml",
            Self.head
                + #"<workbook xmlns="\#(Self.main)" xmlns:r="\#(Self.office)"><workbookPr date1904="\#(is1904)"/>"#
                + "<sheets>\(names)</sheets></workbook>")
        archive.add("xl/_rels/workbook.xml.rels", Self.relations(relations))
        let items = texts.map { "<si><t>\(Self.escaped($0))</t><rPh><t>spoken</t></rPh></si>" }.joined()
        archive.add("xl/sharedStrings.xml", Self.head + #"<sst xmlns="\#(Self.main)">\#(items)</sst>"#)
        let codes = formats.enumerated().map { #"<numFmt numFmtId="\#($0 + 164)" formatCode="\#(Self.escaped($1))"/>"# }
        let styles = formats.indices.map { #"<xf numFmtId="\#($0 + 164)"/>"# }
        archive.add(
            "xl/styles.xml",
            Self.head + #"<styleSheet xmlns="\#(Self.main)"><numFmts>\#(codes.joined())</numFmts>"#
                + #"<cellXfs><xf numFmtId="0"/>\#(styles.joined())</cellXfs></styleSheet>"#)
        return archive.bytes
    }

    private static func relations(_ all: [(String, String, String)]) -> String {
        let entries = all.map { #"<Relationship Id="\#($0.0)" Type="\#(office)/\#($0.1)" Target="\#($0.2)"/>"# }
        return head + #"<Relationships xmlns="\#(package)/relationships">\#(entries.joined())</Relationships>"#
    }

    private mutating func part(_ rows: [[Cell]]) -> String {
        var body = ""
        for (number, row) in rows.enumerated() where !row.isEmpty {
            body += #"<row r="\#(number + 1)">"#
            for (column, cell) in row.enumerated() { body += xml(cell, at: Self.name(column) + String(number + 1)) }
            body += "</row>"
        }
        return Self.head + prologue + #"<worksheet xmlns="\#(Self.main)"><sheetData>\#(body)</sheetData></worksheet>"#
    }

    /// `AB` for column 27.
    package static func name(_ column: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(0x41 + column % 26)))
        return column < 26 ? letter : name(column / 26 - 1) + letter
    }

    private mutating func xml(_ cell: Cell, at place: String) -> String {
        switch cell {
        case .empty: return #"<c r="\#(place)" s="0"/>"#
        case .text(let text):
            texts.append(text)
            return #"<c r="\#(place)" t="s"><v>\#(texts.count - 1)</v></c>"#
        case .inline(let text):
            return #"<c r="\#(place)" t="inlineStr"><is><t xml:space="preserve">\#(Self.escaped(text))</t></is></c>"#
        case .number(let text, let format):
            if let format, !formats.contains(format) { formats.append(format) }
            let style = format.flatMap { formats.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            return #"<c r="\#(place)" s="\#(style)"><v>\#(text)</v></c>"#
        case .boolean(let truth): return #"<c r="\#(place)" t="b"><v>\#(truth ? 1 : 0)</v></c>"#
        case .formula(let formula, let value):
            return #"<c r="\#(place)" t="str"><f>\#(Self.escaped(formula))</f><v>\#(Self.escaped(value))</v></c>"#
        case .error(let text): return #"<c r="\#(place)" t="e"><v>\#(text)</v></c>"#
        }
    }

    private static func escaped(_ text: String) -> String {
        let words = text.replacing("_x", with: "_x005F_x").unicodeScalars.map { scalar -> String in
            let code = String(scalar.value, radix: 16, uppercase: true)
            return scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
                ? "_x\(String(repeating: "0", count: 4 - code.count))\(code)_" : String(scalar)
        }
        return words.joined().replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing("\"", with: "&quot;")
    }
}
