import Circulation
import LuaRuntime
import Scripting
import TextFormats

/// What a route of a plugin answers, checked: nothing in it can break out of its place.
package struct PluginAnswer: Sendable {
    package var status: Int
    package var type: String?
    package var body: [UInt8] = []
    package var fields: [String: String] = [:]

    /// Why an answer cannot be given.
    struct Malformed: Error {
        let message: String
    }

    /// The longest body, in bytes.
    private static let longestBody = 8 << 20
    private static let mostFields = 50
    private static let longestField = 8 << 10

    private static let contents = ["json", "text", "html", "body", "redirect"]
    private static let keys = ["status", "type", "headers"] + contents

    /// Fields that are the server's alone to write.
    private static let reserved: Set = [
        "connection", "content-length", "content-security-policy", "content-type", "cross-origin-opener-policy", "date",
        "keep-alive", "proxy-authenticate", "referrer-policy", "server", "set-cookie", "strict-transport-security",
        "te", "trailer", "transfer-encoding", "upgrade", "x-content-type-options", "x-frame-options", "x-request-id",
    ]

    /// Reads what a function has returned.
    ///
    /// - Throws: ``Problem`` where there is nothing: it is not there; ``Malformed``.
    init(_ value: LuaValue) throws {
        if value.isNil { throw Problem.notFound }
        guard let table = value.tableValue else {
            throw Malformed(message: "a route answers with a table, or nil, not with a \(value.typeName)")
        }
        for entry in table.entries where !Self.keys.contains(entry.key.stringValue ?? "") {
            let name = entry.key.stringValue ?? "\(entry.key)"
            let hint = NameSuggestion.nearest(to: name, among: Self.keys).map { " (did you mean '\($0)'?)" } ?? ""
            throw Malformed(message: "an answer has no '\(SafeText.line(String(name.prefix(40))))'\(hint)")
        }
        let given = Self.contents.filter { !table[$0].isNil }
        guard given.count <= 1 else {
            throw Malformed(message: "an answer has one of \(given.joined(separator: " and ")), not both")
        }
        guard given.count == 1 || !table["status"].isNil else {
            throw Malformed(message: "an answer has a status, or one of \(Self.contents.joined(separator: ", "))")
        }
        status = table["redirect"].isNil ? 200 : 303
        if !table["status"].isNil {
            guard let number = table["status"].integerValue, (200...599).contains(number) else {
                throw Malformed(message: "'status' is a number from 200 to 599")
            }
            status = Int(number)
        }
        if !table["headers"].isNil { try readFields(table["headers"]) }
        if let name = given.first { try readContent(name, table[name], type: table["type"]) }
        guard body.count <= Self.longestBody else {
            throw Malformed(message: "an answer has at most \(Self.longestBody >> 20) MB, this has \(body.count) bytes")
        }
    }

    private mutating func readContent(_ name: String, _ value: LuaValue, type given: LuaValue) throws {
        guard name == "body" || given.isNil else {
            throw Malformed(message: "'type' is what 'body' is, and goes with nothing else")
        }
        switch (name, value) {
        case ("json", _):
            guard let json = JSON(plain: value) else { throw Malformed(message: "'json' has a function in it") }
            (type, body) = ("application/json", Array(json.text().utf8))
        case ("text", .string(let text)): (type, body) = ("text/plain; charset=utf-8", Array(text.utf8))
        case ("html", .string(let text)): (type, body) = ("text/html; charset=utf-8", Array(text.utf8))
        case ("body", .string(let text)): (type, body) = (try Self.media(given), Array(text.utf8))
        case ("body", .bytes(let bytes)): (type, body) = (try Self.media(given), bytes)
        case ("redirect", .string(let address)):
            guard (300...399).contains(status) else {
                throw Malformed(message: "a redirect has a status from 300 to 399")
            }
            let isAddress = address.hasPrefix("/") && !address.hasPrefix("//") || address.hasPrefix("https://")
            guard isAddress, address.utf8.count <= 2_000,
                address.utf8.allSatisfy({ (33...126).contains($0) && $0 != 92 })
            else { throw Malformed(message: "'redirect' is a path of this server, or an https address") }
            fields["Location"] = address
        default: throw Malformed(message: "'\(name)' is a text, not a \(value.typeName)")
        }
        if !body.isEmpty, status == 204 || status == 304 {
            throw Malformed(message: "an answer of status \(status) has no content")
        }
    }

    private static func media(_ value: LuaValue) throws(Malformed) -> String {
        guard let type = value.stringValue, type.utf8.count <= 200, type.contains("/"),
            type.utf8.allSatisfy({ (32...126).contains($0) })
        else { throw Malformed(message: "'body' goes with its 'type', such as \"text/csv; charset=utf-8\"") }
        return type
    }

    private mutating func readFields(_ value: LuaValue) throws(Malformed) {
        guard let table = value.tableValue, table.entries.count <= Self.mostFields else {
            throw Malformed(message: "'headers' is a table of at most \(Self.mostFields) names with their texts")
        }
        for entry in table.entries {
            let isToken = { (byte: UInt8) in
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
            guard let name = entry.key.stringValue, !name.isEmpty, name.utf8.count <= 100, name.utf8.allSatisfy(isToken)
            else { throw Malformed(message: "a header has a name of letters, digits and -") }
            guard !Self.reserved.contains(name.lowercased()) else {
                throw Malformed(message: "the header '\(name)' is the server's to write")
            }
            let text = entry.value.stringValue ?? entry.value.integerValue.map { String($0) }
            guard let text, text.utf8.count <= Self.longestField, text.utf8.allSatisfy({ (32...126).contains($0) })
            else {
                throw Malformed(message: "the header '\(name)' is a text of one line of ASCII")
            }
            fields[name] = text
        }
    }
}
