/// Which members of a JSON object are wanted, so that the others need not be kept.
///
/// ```swift
/// let wanted: JSONSelection = ["answer": .whole, "fields": ["loan": .whole]]
/// ```
package struct JSONSelection: Sendable, ExpressibleByDictionaryLiteral {
    struct Member: Sendable {
        let key: String
        let bytes: [UInt8]
        let selection: JSONSelection
    }

    /// Nil: all of the value, whatever it is.
    let members: [Member]?

    /// A value with all that is in it.
    package static let whole = JSONSelection(members: nil)

    private init(members: [Member]?) {
        self.members = members
    }

    /// The members of an object by their keys; a value that is not an object is taken whole.
    package init(dictionaryLiteral elements: (String, JSONSelection)...) {
        members = elements.map { Member(key: $0.0, bytes: Array($0.0.utf8), selection: $0.1) }
    }
}

extension JSONParser {
    /// Parses one whole JSON text, keeping only the members that are wanted.
    ///
    /// The text is read as strictly as by ``parse(_:maximumDepth:)``, but that a key which is not wanted may stand
    /// twice.
    ///
    /// - Throws: ``TextError`` at the first fault.
    package static func parse(_ text: String, only selection: JSONSelection) throws(TextError) -> JSON {
        var text = text
        return try text.withUTF8 { bytes in
            Result { () throws(TextError) in
                var scanner = JSONScanner(bytes, maximumDepth: defaultMaximumDepth)
                do throws(JSONFault) {
                    return try scanner.document(selection)
                } catch {
                    throw TextError.located(error.code, error.message, at: error.offset, in: bytes)
                }
            }
        }.get()
    }
}
