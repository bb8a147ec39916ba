/// The types of the Lua API, as arguments and as results.
package indirect enum APIType: Hashable, Sendable {
    /// Any Lua value.
    case any
    case boolean
    /// A whole number within the range; a float without a fraction counts.
    case integer(ClosedRange<Int64>)
    /// A finite number.
    case number
    /// UTF-8 text without NUL, of at most so many bytes.
    case text(maximum: Int)
    /// One of these words.
    case choice([String])
    /// The name of a declared event.
    case event
    /// A date value, or its text `2026-12-24`.
    case date
    /// An instant or date value, or its text `2026-12-24T18:00:00Z`.
    case instant
    case money
    case percent
    case period
    /// A value that has a form in JSON.
    case json
    case function
    /// An iterator function, as `each` gives.
    case iterator
    /// A sequence.
    case list(APIType)
    /// A record of a declared type.
    case record(String)
    /// A record or what identifies one: its id, or its own key (ISBN, username, barcode, code).
    case reference(APIReference)
    /// A table of named fields.
    case fields([APIParameter])
    /// Nil is a value as well.
    case optional(APIType)

    package static let text = APIType.text(maximum: 10_000)
    package static let longText = APIType.text(maximum: 100_000)
    /// The file of a picture in base64: somewhat more than the largest that is read.
    package static let picture = APIType.text(maximum: 12 << 20)
    package static let integer = APIType.integer(Int64.min...Int64.max)
    package static let count = APIType.integer(0...1_000_000_000)
    package static let id = APIType.integer(1...Int64.max)

    /// One of the words of an enumeration.
    package static func words<Words>(_ words: Words.Type) -> APIType
    where Words: CaseIterable & RawRepresentable<String> {
        .choice(words.allCases.map(\.rawValue))
    }
}

/// A kind of record that arguments may identify instead of giving it.
package enum APIReference: String, Hashable, Sendable, CaseIterable {
    case title, copy, patron, loan, hold, notice, branch, category
    case itemType = "item_type"
    case location, block
    case ledgerEntry = "ledger_entry"
    case listing, order, rental, suggestion
    case cartLine = "cart_line"
    case favourite, conversation, rating
    case titleList = "title_list"

    /// How a person says what identifies one.
    var keys: String {
        switch self {
        case .title: "an ISBN, an id or a title"
        case .copy: "a barcode, an id or a copy"
        case .patron: "a username, an id or a patron"
        case .loan: "an id or a loan"
        case .hold: "an id or a hold"
        case .notice: "an id or a notice"
        case .branch: "a branch's code or a branch"
        case .category: "a category's code or a category"
        case .itemType: "an item type's code or an item type"
        case .location: "a location's code or a location"
        case .block: "an id or a block"
        case .ledgerEntry: "an id or a ledger_entry"
        case .listing: "an id or a listing"
        case .order: "an id or an order"
        case .rental: "an id or a rental"
        case .suggestion: "an id or a suggestion"
        case .cartLine: "an id or a cart_line"
        case .favourite: "an id or a favourite"
        case .conversation: "an id or a conversation"
        case .rating: "an id or a rating"
        case .titleList: "an id or a title_list"
        }
    }

    /// Whether a number identifies one.
    package var identifiesByNumber: Bool { hasID }
    /// Whether a text of its own does, such as a barcode.
    package var identifiesByText: Bool { textKey != nil }

    /// Whether a number identifies one.
    var hasID: Bool {
        switch self {
        case .title, .copy, .patron, .loan, .hold, .notice, .block, .ledgerEntry, .listing, .order, .rental,
            .suggestion, .cartLine, .favourite, .conversation, .rating, .titleList:
            true
        case .branch, .category, .itemType, .location: false
        }
    }

    /// The field of a record that identifies it by text, nil where only its id does.
    var textKey: String? {
        switch self {
        case .title: "isbn"
        case .copy: "barcode"
        case .patron: "username"
        case .branch, .category, .itemType, .location: "code"
        case .loan, .hold, .notice, .block, .ledgerEntry, .listing, .order, .rental, .suggestion, .cartLine,
            .favourite, .conversation, .rating, .titleList:
            nil
        }
    }

    /// How Lua's type annotations write it.
    var annotation: String {
        let parts = [textKey == nil ? nil : "string", hasID ? "integer" : nil, rawValue]
        return parts.compactMap { $0 }.joined(separator: "|")
    }
}

extension APIType {
    /// What an error says was expected.
    var expectation: String {
        switch self {
        case .any: "a value"
        case .boolean: "a boolean"
        case .integer(let range): APIType.expectation(of: range)
        case .number: "a finite number"
        case .text(let maximum): maximum < 10_000 ? "text of at most \(maximum) bytes" : "text"
        case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .event: "the name of an event, such as \"loan.made\""
        case .date: "a date or text like \"2026-12-24\""
        case .instant: "an instant, a date or text like \"2026-12-24T18:00:00Z\""
        case .money: "money or text like \"1.50\""
        case .percent: "a percentage"
        case .period: "a period like days(14)"
        case .json: "a value that JSON can hold"
        case .function: "a function"
        case .iterator: "an iterator"
        case .list(let element): "a list, each element " + element.expectation
        case .record(let name): "a \(name)"
        case .reference(let reference): reference.keys
        case .fields: "a table of named arguments"
        case .optional(let type): type.expectation + " or nil"
        }
    }

    private static func expectation(of range: ClosedRange<Int64>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "an integer"
        case (1, .max): "a positive integer"
        case (0, .max): "an integer that is not negative"
        default: "an integer from \(range.lowerBound) to \(range.upperBound)"
        }
    }

    /// The short name of documentation: `text`, `list of loan`.
    package var name: String {
        switch self {
        case .any: "any"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .text: "text"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .event: "name of an event"
        case .date: "date"
        case .instant: "instant"
        case .money: "money"
        case .percent: "percent"
        case .period: "period"
        case .json: "json value"
        case .function: "function"
        case .iterator: "iterator"
        case .list(let element): "list of \(element.name)"
        case .record(let name): name
        case .reference(let reference): reference.keys
        case .fields: "table"
        case .optional(let type): type.name + " or nil"
        }
    }

    /// The type as an annotation of LuaCATS (the language server's).
    var annotation: String {
        switch self {
        case .any, .json: "any"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .text: "string"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: "|")
        case .event: "event_name"
        case .date: "date|string"
        case .instant: "instant|date|string"
        case .money: "money|string"
        case .percent: "percent"
        case .period: "period"
        case .function: "function"
        case .iterator: "fun(): any"
        case .list(let element): element.isUnion ? "(\(element.annotation))[]" : element.annotation + "[]"
        case .record(let name): name
        case .reference(let reference): reference.annotation
        case .fields(let fields):
            "{ " + fields.map { "\($0.name)\($0.isRequired ? "" : "?"): \($0.type.annotation)" }.joined(separator: ", ")
                + " }"
        case .optional(let type): type.isUnion ? "(\(type.annotation))?" : type.annotation + "?"
        }
    }

    private var isUnion: Bool { annotation.contains("|") }
}
