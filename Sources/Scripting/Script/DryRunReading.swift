import Circulation
import Desk
import TextFormats

/// The events of a dry run for a person: a line for each field, with the names of whom and what they are about.
struct DryRunReading {
    private let session: DeskSession
    private(set) var table = ReportTable(
        title: "What would change",
        columns: [ReportColumn(name: "change"), ReportColumn(name: "field"), ReportColumn(name: "value")])

    /// Letters to a line of a value.
    private static let width = 44
    /// Lines to a value, such as the source of a policy.
    private static let longest = 4

    init(session: DeskSession) {
        self.session = session
    }

    mutating func add(_ event: Event) throws {
        var fields: [(name: String, value: String)] = []
        if let patron = event.patron {
            let name = try session.patrons.get(.id(patron))?.username
            fields.append(("patron", name.map { "\($0) (\(patron))" } ?? "\(patron)"))
        }
        if let copy = event.copy {
            let barcode = try session.catalogue.copy(id: copy)?.barcode
            fields.append(("copy", barcode.map { "\($0) (\(copy))" } ?? "\(copy)"))
        }
        if let loan = event.loan { fields.append(("loan", "\(loan)")) }
        if case .object(let object)? = try? JSONParser.parse(event.payload) {
            let said = Set(fields.map(\.name))
            for entry in object where !said.contains(entry.key) { Self.flatten(entry.value, entry.key, into: &fields) }
        }
        if fields.isEmpty { fields.append(("", "")) }
        var change = event.kind
        for field in fields {
            var name = field.name
            for line in Self.lines(field.value) {
                table.append([.text(change), .text(name), .text(line)])
                (change, name) = ("", "")
            }
        }
    }

    /// `refusal.code`, `refusal.message`: one field for each value; what is null says nothing.
    private static func flatten(_ json: JSON, _ path: String, into fields: inout [(name: String, value: String)]) {
        switch json {
        case .null: return
        case .object(let object):
            for entry in object { flatten(entry.value, "\(path).\(entry.key)", into: &fields) }
        case .array(let values):
            let texts = values.compactMap(plain)
            if texts.count == values.count {
                if !texts.isEmpty { fields.append((path, texts.joined(separator: ", "))) }
            } else {
                for (index, value) in values.enumerated() { flatten(value, "\(path)[\(index + 1)]", into: &fields) }
            }
        default: fields.append((path, plain(json) ?? ""))
        }
    }

    private static func plain(_ json: JSON) -> String? {
        switch json {
        case .string(let text): text
        case .object, .array, .null: nil
        default: json.text()
        }
    }

    /// The value over as many lines as it takes, broken between words.
    private static func lines(_ value: String) -> [String] {
        var lines: [String] = [""]
        for word in value.split(whereSeparator: \.isWhitespace) {
            var rest = word
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + 1 + rest.count <= width {
                lines[lines.count - 1] += " " + rest
                continue
            }
            if !last.isEmpty { lines.append("") }
            while rest.count > width {
                lines[lines.count - 1] = String(rest.prefix(width))
                rest = rest.dropFirst(width)
                lines.append("")
            }
            lines[lines.count - 1] = String(rest)
            if lines.count > longest { return lines.prefix(longest) + ["…"] }
        }
        return lines
    }
}
