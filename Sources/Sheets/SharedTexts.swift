import TextFormats

/// The texts to which cells of a workbook refer by number: in memory as long as they are few, else in a file.
struct SharedTexts {
    private var ends: [Int] = []
    private var bytes: [UInt8] = []
    private var file: UnnamedFile?
    /// The text that was asked for last: columns often repeat one.
    private var last: (index: Int, text: String)?

    private static let keptInMemory = 8 << 20
    private static let maximumCount = 8 << 20

    init() {}

    /// Reads `sharedStrings.xml`.
    init(_ part: XMLPart) throws(SheetFault) {
        var reader = RichText()
        while let node = try part.next() {
            switch node {
            case .start where part.isNamed("si"): reader.begin()
            case .end where part.isNamed("si"): try append(reader.text)
            default: try reader.take(node, part)
            }
        }
        try flush(isLast: true)
    }

    private mutating func append(_ text: String) throws(SheetFault) {
        guard ends.count < Self.maximumCount else {
            throw SheetFault(.tooLarge, "the spreadsheet has more than \(Self.maximumCount) texts")
        }
        bytes += text.utf8
        ends.append((file?.size ?? 0) + bytes.count)
        if bytes.count > Self.keptInMemory { try flush(isLast: false) }
    }

    private mutating func flush(isLast: Bool) throws(SheetFault) {
        if isLast && file == nil { return }
        do throws(FileByteSource.Failure) {
            let file: UnnamedFile
            if let open = self.file { file = open } else { file = try UnnamedFile() }
            try file.append(bytes)
            bytes.removeAll(keepingCapacity: !isLast)
            self.file = file
        } catch {
            throw SheetFault(.damaged, "\(error)")
        }
    }

    /// The text of a number; nil where there is none.
    mutating func text(_ index: Int) throws(SheetFault) -> String? {
        guard ends.indices.contains(index) else { return nil }
        if let last, last.index == index { return last.text }
        let start = index == 0 ? 0 : ends[index - 1]
        let text: String
        if let file {
            do throws(FileByteSource.Failure) {
                text = String(decoding: try file.bytes(at: start, count: ends[index] - start), as: UTF8.self)
            } catch {
                throw SheetFault(.damaged, "\(error)")
            }
        } else {
            text = String(decoding: bytes[start..<ends[index]], as: UTF8.self)
        }
        last = (index, text)
        return text
    }
}

/// Puts the pieces of a text together, without what says how it is spoken.
struct RichText {
    private(set) var text = ""
    private var isInText = false

    mutating func begin() {
        text = ""
        isInText = false
    }

    mutating func take(_ node: XMLPart.Node, _ part: XMLPart) throws(SheetFault) {
        switch node {
        case .start where part.isNamed("rPh"): try part.skipElement()
        case .start: isInText = part.isNamed("t")
        case .end: isInText = false
        case .text where isInText:
            text += Self.unescaped(part.text)
            guard text.utf8.count <= SheetRow.maximumText else {
                throw SheetFault(.tooLarge, "a cell holds more than \(SheetRow.maximumText) bytes")
            }
        case .text: break
        }
    }

    /// `_x000D_` stands for a character that XML has none of; `_x005F_` for the first bar of such a word that is meant.
    static func unescaped(_ text: String) -> String {
        guard text.contains("_x") else { return text }
        var result = ""
        var rest = text[...]
        while let place = rest.firstRange(of: "_x") {
            result += rest[..<place.lowerBound]
            let word = rest[place.upperBound...].prefix(5)
            if word.count == 5, word.last == "_",
                let scalar = UInt32(word.dropLast(), radix: 16).flatMap(UnicodeScalar.init)
            {
                result.unicodeScalars.append(scalar)
                rest = rest[word.endIndex...]
            } else {
                result += "_x"
                rest = rest[place.upperBound...]
            }
        }
        return result + rest
    }
}
