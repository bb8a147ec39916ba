package import TextFormats

/// Reads what requests carry: queries, forms, JSON.
package enum RequestText {
    /// The members of a query or of a form, each once, in their order.
    ///
    /// - Parameter boxes: the names of boxes, of which several may be ticked: each of these members may occur several times.
    /// - Throws: ``Problem`` for values that are not text, and for a name that occurs twice.
    package static func members(
        of text: String, boxes: Set<String> = []
    ) throws(Problem) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentEncoding.checked(pair[0], plusIsSpace: true)
            let value = try PercentEncoding.checked(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            guard boxes.contains(name) || !members.contains(where: { $0.name == name }) else {
                throw Problem.input("'\(name)' is given twice.")
            }
            members.append((name, value))
        }
        return members
    }

    /// The JSON object that a body is; an empty one for an empty body.
    ///
    /// - Parameter type: the field `Content-Type`.
    /// - Throws: ``Problem`` for a body that is not a JSON object, or is declared to be something else.
    package static func jsonObject(_ body: [UInt8], type: String?) throws(Problem) -> JSONObject {
        guard !body.isEmpty else { return [:] }
        guard media(type) == "application/json" else {
            throw Problem(
                415, "media_type", "The body must be JSON: 'Content-Type: application/json'.",
                fields: ["Accept": "application/json"])
        }
        do throws(TextError) {
            guard case .object(let object) = try JSONParser.parse(body, maximumDepth: 64) else {
                throw TextError(.syntax, "an object is expected", line: 1, column: 1, offset: 0)
            }
            return object
        } catch {
            throw Problem.input("The body is not a JSON object: line \(error.line), \(error.message).")
        }
    }

    /// A media type without its parameters, in small letters.
    package static func media(_ type: String?) -> String? {
        type?.split(separator: ";").first.map { $0.lowercased().trimmingSpaces() }
    }
}

extension PercentEncoding {
    /// - Throws: ``Problem`` where it cannot be decoded.
    package static func checked(_ text: Substring, plusIsSpace: Bool = false) throws(Problem) -> String {
        do {
            return try decoded(text, plusIsSpace: plusIsSpace)
        } catch {
            switch error {
            case .digits: throw .input("This is not correctly encoded: a '%' is not followed by two digits.")
            case .text: throw .input("This is not UTF-8 text.")
            }
        }
    }
}

extension String {
    /// Without spaces and tabs at its ends.
    package func trimmingSpaces() -> String {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
