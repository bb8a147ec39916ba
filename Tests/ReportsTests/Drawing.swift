import Foundation
import FoundationXML
import Reports
import Testing

/// The drawings of a page, read as XML: what their texts say and where they stand.
final class Drawing: NSObject, XMLParserDelegate {
    struct Text {
        var words: String
        var x: Double
        var y: Double
        var anchor: String
        var classes: String

        /// What the text may take of the drawing.
        var box: (left: Double, right: Double, top: Double, bottom: Double) {
            let width = TextMeasure.width(of: words)
            let left = anchor == "end" ? x - width : anchor == "middle" ? x - width / 2 : x
            return (left, left + width, y - TextMeasure.size * 0.8, y + TextMeasure.size * 0.2)
        }
    }

    struct Shape {
        var name: String
        var attributes: [String: String]

        func number(_ name: String) -> Double? { attributes[name].flatMap(Double.init) }
    }

    private(set) var texts: [Text] = []
    private(set) var shapes: [Shape] = []
    private(set) var title = ""
    private(set) var summary = ""
    private(set) var width = 0.0
    private(set) var height = 0.0
    private var open: [String] = []
    private var words = ""
    private var isWellFormed = true

    /// - Throws: an issue if the text is not XML.
    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        let isRead = parser.parse()
        try #require(isRead, "\(parser.parserError.map { "\($0)" } ?? "")\n\(text)")
    }

    /// The drawings of charts in a page, without those of legends.
    static func all(in page: String) throws -> [Drawing] {
        try page.split(separator: "<svg class=\"chart\"").dropFirst().map { part in
            let end = try #require(part.range(of: "</svg>"))
            return try Drawing("<svg class=\"chart\"" + part[..<end.upperBound])
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(name)
        words = ""
        switch name {
        case "svg":
            let box = (attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
            if box.count == 4 { (width, height) = (box[2], box[3]) }
        case "text":
            func number(_ name: String) -> Double { attributes[name].flatMap(Double.init) ?? .nan }
            texts.append(
                Text(
                    words: "", x: number("x"), y: number("y"), anchor: attributes["text-anchor"] ?? "start",
                    classes: attributes["class"] ?? ""))
        case "title", "desc": break
        default: shapes.append(Shape(name: name, attributes: attributes))
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        words += string
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
        switch (name, open.last) {
        case ("title", "svg"?): title = words
        case ("desc", "svg"?): summary = words
        case ("text", _): texts[texts.count - 1].words = words
        default: break
        }
        words = ""
    }
}
