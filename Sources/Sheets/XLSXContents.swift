/// What an `.xlsx` says of its parts (ECMA-376, transitional and strict).
final class XLSXContents {
    private(set) var sheets: [Workbook.Sheet] = []
    private var is1904 = false
    private var relations: [String: Relation] = [:]
    private var values: CellValues?

    private struct Relation {
        /// The last word of its type: `worksheet`.
        let type: Substring
        let target: String
    }

    init(_ archive: SheetArchive) throws(SheetFault) {
        let roots = try Self.relations(archive, of: "")
        guard let workbook = roots.values.first(where: { $0.type == "officeDocument" })?.target else {
            throw SheetFault(.unknown, "it is an Office document without a workbook")
        }
        guard !workbook.hasSuffix(".bin") else {
            throw SheetFault(.unsupported, "it is a binary workbook (.xlsb); save it as .xlsx")
        }
        guard let part = try archive.part(workbook) else {
            throw SheetFault(.unknown, "it is an Office document without a workbook")
        }
        relations = try Self.relations(archive, of: workbook)
        var isWorkbook = false
        while let node = try part.next() {
            guard node == .start else { continue }
            if part.isNamed("workbook") { isWorkbook = true }
            if part.isNamed("workbookPr") { is1904 = ["1", "true"].contains(part.attribute("date1904") ?? "") }
            if part.isNamed("sheet") { try take(part) }
        }
        guard isWorkbook else {
            throw SheetFault(.unknown, "it is an Office document without a workbook, such as a letter")
        }
    }

    private func take(_ part: XMLPart) throws(SheetFault) {
        // Charts and dialogs stand among the sheets too.
        guard let relation = part.attribute("id").flatMap({ relations[$0] }), relation.type == "worksheet",
            sheets.count < 1_024
        else { return }
        sheets.append(
            Workbook.Sheet(
                name: part.attribute("name") ?? "", isHidden: !["visible", nil].contains(part.attribute("state")),
                place: .part(relation.target)))
    }

    /// The relations of a part by their ids; of the whole file, if it is called nothing.
    private static func relations(_ archive: SheetArchive, of name: String) throws(SheetFault) -> [String: Relation] {
        let slash = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
        let folder = name[..<slash]
        guard let part = try archive.part("\(folder)_rels/\(name[slash...]).rels") else { return [:] }
        var relations: [String: Relation] = [:]
        while let node = try part.next() {
            guard node == .start, part.isNamed("Relationship"), let id = part.attribute("Id"),
                let target = part.attribute("Target"), let type = part.attribute("Type"), relations.count < 10_000
            else { continue }
            relations[id] = Relation(
                type: type.split(separator: "/").last ?? "", target: resolved(target, in: folder))
        }
        return relations
    }

    private static func resolved(_ target: String, in folder: Substring) -> String {
        let whole = target.hasPrefix("/") ? target : "\(folder)\(target)"
        var steps: [Substring] = []
        for step in whole.split(separator: "/") where step != "." {
            if step == ".." { _ = steps.popLast() } else { steps.append(step) }
        }
        return steps.joined(separator: "/")
    }

    /// What cells refer to, read once.
    func values(_ archive: SheetArchive) throws(SheetFault) -> CellValues {
        if let values { return values }
        func part(_ type: String) throws(SheetFault) -> XMLPart? {
            guard let name = relations.values.first(where: { $0.type == type })?.target else { return nil }
            return try archive.part(name)
        }
        var texts = SharedTexts()
        if let part = try part("sharedStrings") { texts = try SharedTexts(part) }
        let formats = try part("styles").map(XLSXContents.formats) ?? []
        let made = CellValues(texts: texts, formats: formats, is1904: is1904)
        values = made
        return made
    }

    /// The formats of numbers by the number of the style.
    private static func formats(_ part: XMLPart) throws(SheetFault) -> [NumberFormat] {
        var own: [Int: NumberFormat] = [:]
        var styles: [Int] = []
        var isInStyles = false
        while let node = try part.next() {
            if node == .end, part.isNamed("cellXfs") { isInStyles = false }
            guard node == .start else { continue }
            if part.isNamed("cellXfs") {
                isInStyles = true
            } else if part.isNamed("numFmt"), let id = part.attribute("numFmtId").flatMap({ Int($0) }),
                let code = part.attribute("formatCode"), own.count < 100_000
            {
                own[id] = NumberFormat(code: code)
            } else if isInStyles, part.isNamed("xf"), styles.count < 100_000 {
                styles.append(part.attribute("numFmtId").flatMap { Int($0) } ?? 0)
            }
        }
        return styles.map { own[$0] ?? NumberFormat(builtIn: $0) }
    }
}

/// What the cells of an `.xlsx` refer to.
final class CellValues {
    private var texts: SharedTexts
    private let formats: [NumberFormat]
    private let is1904: Bool

    init(texts: SharedTexts, formats: [NumberFormat], is1904: Bool) {
        self.texts = texts
        self.formats = formats
        self.is1904 = is1904
    }

    /// - Parameters:
    ///   - type: what the cell says it holds (ECMA-376, 18.18.11).
    ///   - style: the number of its style.
    func text(_ written: String, type: String, style: Int) throws(SheetFault) -> String {
        switch type {
        case "s":
            guard let index = Int(written), let text = try texts.text(index) else {
                throw SheetFault(.damaged, "a cell of the spreadsheet refers to a text that is not there")
            }
            return text
        case "str": return RichText.unescaped(written)
        case "inlineStr", "e": return written
        case "b": return written == "1" || written == "true" ? "true" : "false"
        case "d":
            return written.hasSuffix("T00:00:00") ? String(written.dropLast(9)) : written.replacing("T", with: " ")
        default:
            let format = formats.indices.contains(style) ? formats[style] : .number
            return CellNumber.text(written, format, is1904: is1904)
        }
    }
}
