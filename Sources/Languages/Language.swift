/// A language in which pages, letters and refusals are said.
package final class Language: Sendable {
    /// How its lines run.
    package enum Direction: String, Hashable, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// `de`, `pt-BR`
    package let code: String
    /// Its own name for itself.
    package let name: String
    package let direction: Direction
    package let catalogue: MessageCatalogue
    private let isPseudo: Bool

    /// - Parameter isPseudo: whether it is the language for tests.
    init(
        code: String, name: String, direction: Direction = .leftToRight, catalogue: MessageCatalogue = .init(),
        isPseudo: Bool = false
    ) {
        self.code = code
        self.name = name
        self.direction = direction
        self.catalogue = catalogue
        self.isPseudo = isPseudo
    }

    /// The language in which the program is written.
    package static let english = Language(code: "en", name: "English")

    /// A language for tests: whatever goes through a catalogue stands in double brackets, so that a text that does not is seen.
    package static let pseudo = Language(code: "en-XA", name: "Pseudo", isPseudo: true)

    /// The language of the reader who is answered; English where nothing else is said.
    @TaskLocal package static var spoken = Language.english

    /// A message in this language.
    package func text(of message: Phrase) -> String {
        let values = message.values.map { value in
            switch value {
            case .text(let text): text
            case .message(let inner): text(of: inner)
            }
        }
        if catalogue.count == 0, !isPseudo, direction == .leftToRight { return Self.filled(message, values) }
        return joined(translation(of: message)) { name in
            guard let number = Int(name), values.indices.contains(number - 1) else { return nil }
            return isolated(values[number - 1])
        }
    }

    /// The English text with its values.
    private static func filled(_ message: Phrase, _ values: [String]) -> String {
        let text = message.count == 1 ? message.identifier : message.severalIdentifier ?? message.identifier
        if values.isEmpty { return text }
        var filled = ""
        var rest = Substring(text)
        while let brace = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            let after = rest[rest.index(after: brace)...]
            let digits = after.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), values.indices.contains(number - 1), after[digits.endIndex...].first == "}"
            else {
                filled += rest[...brace]
                rest = after
                continue
            }
            filled += rest[..<brace] + values[number - 1]
            rest = after[digits.endIndex...].dropFirst()
        }
        return filled + rest
    }

    private func translation(of message: Phrase) -> MessageText {
        if let several = message.severalIdentifier {
            return catalogue.text(message.identifier, message.count)
                ?? MessageText(message.count == 1 ? message.identifier : several)
        }
        return catalogue.text(message.identifier) ?? MessageText(message.identifier)
    }

    /// A finished English sentence - a refusal of the desk, an error, a notice's standard wording - in this language; as it is where no
    /// catalogue knows it. Its values stay as they are, names of titles among them, but for dates and amounts.
    package func sentence(_ english: String) -> String {
        if isPseudo { return marked(english) }
        if catalogue.has(english) { return text(of: Phrase(identifier: english)) }
        guard let message = catalogue.patterns.message(of: english) else { return withDates(english) }
        // A mail may end with a further sentence; anywhere else what looks like one is a name.
        let isLetter = message.identifier.hasPrefix("Dear {1},")
        let values = message.values.enumerated().map { place, value -> Phrase.Value in
            guard case .text(let text) = value else { return value }
            let isSentence = isLetter && place == message.values.count - 1 && text.hasSuffix(".")
            return .text(isSentence ? sentence(text) : local(text))
        }
        return text(of: Phrase(identifier: message.identifier, values: values))
    }

    /// A sentence with its dates as the language writes them, but for those that show how one is typed in.
    private func withDates(_ text: String) -> String {
        guard text.contains("-") else { return text }
        return text.replacing(/(such as |for example, )?\b(\d{4}-\d{2}-\d{2})\b(?![T:\d-])/.ignoresCase()) { match in
            match.output.1 == nil ? local(String(match.output.2)) : String(match.output.0)
        }
    }

    /// A text of a template: its English words with `{name}` and `<1>`; nil: it stays as it is.
    func template(_ identifier: String) -> MessageText? {
        isPseudo ? MessageText(marked(identifier)) : catalogue.text(identifier)
    }

    /// A value within a text: where lines run from the right, it keeps its own direction.
    ///
    /// Digits have none of their own, and are to form one number with those beside them, as the two parts of an amount do
    /// (UAX #9, rules W4 and W7): they are not set apart; a sign before them stays before them by a mark.
    func isolated(_ value: String) -> String {
        guard direction == .rightToLeft, !value.isEmpty else { return value }
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return "\u{2068}\(value)\u{2069}"
        }
        return digits.count == value.count ? value : "\u{200E}\(value)"
    }

    private func joined(_ text: MessageText, value: (String) -> String?) -> String {
        let whole = text.pieces.map { piece in
            if case .value(let name) = piece { return value(name) ?? piece.written }
            return piece.written
        }.joined()
        return isPseudo ? marked(whole) : whole
    }

    private func marked(_ text: String) -> String { text.isEmpty ? text : "\u{27E6}\(text)\u{27E7}" }
}

/// A message in the language of the reader who is answered.
package func say(_ message: Phrase) -> String { Language.spoken.text(of: message) }
