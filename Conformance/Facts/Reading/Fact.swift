package import TextFormats

/// One published fact about what a library system does: what is given, what is asked, what that system answers.
package struct Fact: Hashable, Sendable {
    /// The fact's name; nothing but reports ever look at it.
    package var id: String
    /// The system and file that the fact was found in.
    package var source: String
    package var area: String
    package var given: JSONObject
    package var when: JSONObject
    package var expect: JSONObject
    /// The line of the file, from 1.
    package var line: Int
    /// The fact in the neutral schema; nil for one in another system's words.
    package var neutral: SchemaFact?

    package init(
        id: String, source: String, area: String, given: JSONObject, when: JSONObject, expect: JSONObject, line: Int = 0
    ) {
        self.id = id
        self.source = source
        self.area = area
        self.given = given
        self.when = when
        self.expect = expect
        self.line = line
    }

    /// What is done, in the fact's own words.
    package var operation: String { when["op"]?.stringValue ?? "" }
}

extension Fact {
    /// Reads facts, one JSON object a line; blank lines do not count.
    ///
    /// - Throws: ``FactFileError`` for the first line that is no fact.
    package static func reading(_ bytes: [UInt8]) throws(FactFileError) -> [Fact] {
        var facts: [Fact] = []
        var lines: [String: Int] = [:]
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }) {
                continue
            }
            let fact = try Fact(line: Array(line), number: index + 1)
            if let first = lines.updateValue(index + 1, forKey: fact.id) {
                throw FactFileError(line: index + 1, message: "the id \(fact.id) stands in line \(first) already")
            }
            facts.append(fact)
        }
        return facts
    }

    /// A fact in the neutral schema.
    private init(neutral object: JSONObject, number: Int) throws(FactFileError) {
        do {
            let neutral = try SchemaFact(object)
            guard let id = object["id"]?.stringValue, !id.isEmpty, let area = object["area"]?.stringValue else {
                throw FactFileError(line: number, message: "a fact needs the texts \"id\" and \"area\"")
            }
            self.init(
                id: id, source: object["source"]?.stringValue ?? "", area: area, given: neutral.given,
                when: ["steps": object["steps"] ?? .null], expect: neutral.expect, line: number)
            self.neutral = neutral
        } catch let complaint as SchemaComplaint {
            throw FactFileError(line: number, message: complaint.message)
        } catch let error as FactFileError {
            throw error
        } catch {
            throw FactFileError(line: number, message: "\(error)")
        }
    }

    private init(line bytes: [UInt8], number: Int) throws(FactFileError) {
        let json: JSON
        do {
            json = try JSONParser.parse(bytes)
        } catch {
            throw FactFileError(line: number, message: "column \(error.column): \(error.message)")
        }
        if let object = json.objectValue, object["schema"] != nil {
            try self.init(neutral: object, number: number)
            return
        }
        func text(_ key: String) throws(FactFileError) -> String {
            guard let text = json[key]?.stringValue, !text.isEmpty else {
                throw FactFileError(line: number, message: "a fact needs the text \"\(key)\"")
            }
            return text
        }
        func object(_ key: String) throws(FactFileError) -> JSONObject {
            guard let object = json[key]?.objectValue else {
                throw FactFileError(line: number, message: "a fact needs the object \"\(key)\"")
            }
            return object
        }
        self.init(
            id: try text("id"), source: json["source"]?.stringValue ?? "", area: try text("area"),
            given: try object("given"), when: try object("when"), expect: try object("expect"), line: number)
        guard !operation.isEmpty else {
            throw FactFileError(line: number, message: "a fact needs the text \"op\" in its \"when\"")
        }
        guard !expect.isEmpty else {
            throw FactFileError(line: number, message: "a fact that expects nothing proves nothing")
        }
    }
}

/// A file that does not hold facts, and where.
package struct FactFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var message: String

    package var description: String { "line \(line): \(message)" }
}

/// Why a fact cannot be put to the desk, in a librarian's words.
package struct NotExpressed: Error, Hashable, Sendable {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}
