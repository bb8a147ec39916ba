/// A text in English with the values in it, to be said in the language of its reader.
///
/// A literal makes one: of `"Until \(date)"` the identifier is `Until {1}`, by which catalogues know it.
package struct Phrase: Hashable, Sendable {
    /// What stands at a place of the text.
    package enum Value: Hashable, Sendable {
        case text(String)
        indirect case message(Phrase)
    }

    /// The English text, with `{1}`, `{2}` where values stand.
    package let identifier: String
    /// The English text for several, where there are two; its count is the value `{1}`.
    package let severalIdentifier: String?
    package let values: [Value]
    /// What decides between one and several.
    let count: Int64

    init(identifier: String, severalIdentifier: String? = nil, values: [Value] = [], count: Int64 = 1) {
        self.identifier = identifier
        self.severalIdentifier = severalIdentifier
        self.values = values
        self.count = count
    }

    /// `3 copies`: the number and what is counted, kept on one line.
    ///
    /// - Parameters:
    ///   - one: the noun for one, in English.
    ///   - several: the noun for any other number, in English.
    package static func count(_ number: Int64, _ one: String, _ several: String) -> Phrase {
        Phrase(
            identifier: "{1} \(one)", severalIdentifier: "{1} \(several)", values: [.text(String(number))],
            count: number)
    }

    /// A text that a library wrote itself: it is said as it is, unless a catalogue of the library's has it.
    package init(_ text: String) { self.init(identifier: text) }

    /// Two texts, one after the other.
    package static func + (first: Phrase, second: Phrase) -> Phrase {
        guard !first.identifier.isEmpty else { return second }
        let shift = first.values.count
        let pieces = MessageText(second.identifier).pieces.map { piece in
            if case .value(let name) = piece, let number = Int(name) { return "{\(number + shift)}" }
            return piece.written
        }
        return Phrase(identifier: first.identifier + pieces.joined(), values: first.values + second.values)
    }
}

extension Phrase: ExpressibleByStringInterpolation {
    /// A text without values.
    package init(stringLiteral value: String) { self.init(identifier: value) }

    /// A text with its values.
    package init(stringInterpolation: StringInterpolation) {
        self.init(identifier: stringInterpolation.identifier, values: stringInterpolation.values)
    }

    /// Gathers the words and the values of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var identifier = ""
        fileprivate var values: [Value] = []

        /// What the compiler begins a literal with.
        package init(literalCapacity: Int, interpolationCount: Int) {
            identifier.reserveCapacity(literalCapacity + 3 * interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        /// Words as they stand.
        package mutating func appendLiteral(_ literal: String) { identifier += literal }

        /// A phrase, which is said in the same language.
        package mutating func appendInterpolation(_ message: Phrase) { append(.message(message)) }

        /// A value, which is said as it is.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        private mutating func append(_ value: Value) {
            values.append(value)
            identifier += "{\(values.count)}"
        }
    }
}
