import Circulation
import LuaSyntax

/// A value of a policy's Lua where the case is not one but all there can be.
enum Value {
    case null
    case flag(Condition)
    case integer(Number)
    case float(Double)
    case text(Text)
    case money(Number)
    case percent(Percent)
    case period(Number, Period.Unit)
    case date(Number)
    case instant(Number, InstantNature)
    case unlimited
    /// The word `none`.
    case nothing
    case table(Table)
    case function(Closure)
    case word(Word)
    case record(Record)
    case list(List)
    case calendar
    /// A number with a fraction, or what is reckoned from one: only what it was made of is known.
    case opaque(String)

    static func flag(_ value: Bool) -> Value { .flag(.constant(value)) }
    static func integer(_ value: Int64) -> Value { .integer(.constant(value)) }
    static func text(_ text: String) -> Value { .text(.known(text)) }

    /// What `type` answers.
    var kind: String {
        switch self {
        case .null: "nil"
        case .flag: "boolean"
        case .integer, .float, .opaque: "number"
        case .text: "string"
        case .money: "money"
        case .percent: "percent"
        case .period: "period"
        case .date: "date"
        case .instant: "instant"
        case .unlimited: "unlimited"
        case .nothing: "none"
        // Records and lists of the case are tables to policies.
        case .table, .record, .list, .calendar: "table"
        case .function, .word: "function"
        }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether several of it can be put together.
    var isPlain: Bool {
        switch self {
        case .null, .flag, .integer, .text, .money, .date, .instant: true
        default: false
        }
    }

    /// The variables in a plain value.
    var variables: Set<String> {
        var variables: Set<String> = []
        switch self {
        case .flag(let condition): condition.collect(into: &variables)
        case .integer(let number), .money(let number), .date(let number), .instant(let number, _),
            .text(.symbol(let number)):
            number.collect(into: &variables)
        default: break
        }
        return variables
    }

    /// Whether it is the same whatever the case, as far as that is seen.
    func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null), (.unlimited, .unlimited), (.nothing, .nothing), (.calendar, .calendar): true
        case (.flag(let one), .flag(let other)): one == other
        case (.integer(let one), .integer(let other)), (.money(let one), .money(let other)),
            (.date(let one), .date(let other)):
            one == other
        case (.instant(let one, let nature), .instant(let other, let another)): one == other && nature == another
        case (.period(let one, let unit), .period(let other, let another)): one == other && unit == another
        case (.float(let one), .float(let other)): one.bitPattern == other.bitPattern
        case (.text(let one), .text(let other)): one == other
        case (.opaque(let one), .opaque(let other)): one == other
        case (.table(let one), .table(let other)): one === other
        case (.record(let one), .record(let other)): one === other
        case (.list(let one), .list(let other)): one === other
        case (.function(let one), .function(let other)): one === other
        default: false
        }
    }

    /// The place of an element of which it is known only that it stands behind those that are looked at one by one.
    static func place(of element: String) -> Value { .opaque("\(placeName)\(element)") }

    /// Begins what such a place is called; behind it stands which element it is.
    static let placeName = "the place of "

    /// What `math.type` answers, empty for nothing; nil where that is not known.
    var numberKind: String? {
        switch self {
        case .integer: "integer"
        case .float: "float"
        case .opaque(let name):
            if name.hasPrefix(Self.placeName) {
                "integer"
            } else if !name.hasPrefix("(") || name.hasPrefix("(/ ") || name.hasPrefix("(^ ") {
                // A number of the case that is no whole one, a quotient or a power.
                "float"
            } else {
                nil
            }
        default: ""
        }
    }
}

/// Whether an instant stands for a date or for a moment, as in policies.
enum InstantNature: Hashable, Sendable { case plain, dateLike, exact }

/// A text: one that is known, or one of a case.
enum Text: Hashable {
    case known(String)
    /// Its place among the texts that occur; one that has none there is another text than all of them.
    case symbol(Number)
}

/// The texts that occur, each with a number.
final class Texts {
    private(set) var words: [String] = []
    private var numbers: [String: Int64] = [:]

    /// Smaller numbers are of texts that do not occur: the solver tries small ones first, and of these nothing is to be known.
    static let first: Int64 = 1_000

    func number(of word: String) -> Int64 {
        if let number = numbers[word] { return number }
        words.append(word)
        let number = Self.first + Int64(words.count - 1)
        numbers[word] = number
        return number
    }

    /// Whether a word stands in the sources.
    func isKnown(_ word: String) -> Bool { numbers[word] != nil }

    func number(of text: Text) -> Number {
        switch text {
        case .known(let word): .constant(number(of: word))
        case .symbol(let number): number
        }
    }

    /// The short texts that stand in the sources: what functions give of these is reckoned, so that a text of the case that is
    /// one of them is known by it.
    private(set) var literals: [String] = []

    private static let mostLiterals = 80

    func add(literalsOf chunk: Chunk) {
        var finder = LiteralFinder()
        chunk.walk(&finder)
        for text in finder.texts where !literals.contains(text) && literals.count < Self.mostLiterals {
            literals.append(text)
            _ = number(of: text)
        }
        for number in finder.numbers where places.count < Self.mostLiterals {
            places.formUnion((number - 1)...(number + 1))
        }
    }

    /// The whole numbers that stand in the sources, with those beside them: what is known only as it compares with some numbers is
    /// known as it compares with these.
    private(set) var places: Set<Int64> = [0, 1]

    /// The text of a number that a text has.
    func known(_ number: Int64) -> Text? {
        let index = Int(clamping: number - Self.first)
        return words.indices.contains(index) ? .known(words[index]) : nil
    }

    /// The text of a number; of one that no text has another text, a different one for each.
    func word(_ number: Int64) -> String {
        let index = Int(clamping: number - Self.first)
        return words.indices.contains(index) ? words[index] : "other\(number)"
    }
}

/// A function of a policy, with the variables around it.
final class Closure {
    let body: FunctionBody
    let file: String
    var captured: [Int: Box]
    /// Whether it was made when the policy was loaded, and so depends on no case.
    var isFrozen = false

    init(_ body: FunctionBody, file: String, captured: [Int: Box]) {
        self.body = body
        self.file = file
        self.captured = captured
    }

    var site: Site { Site(file: file, line: body.start.line) }
}

/// A local variable.
final class Box {
    var value: Value { didSet { writes += 1 } }
    /// How often it was changed.
    private(set) var writes = 0
    /// After so many rounds of loops that stand for all rounds it was made.
    let age: Int
    /// Within how many conditions of several ways it was made.
    fileprivate(set) var depth: Int
    /// Whether it outlives the case.
    var isFrozen = false

    init(_ value: Value, depth: Int = 0, age: Int = 0) { (self.value, self.depth, self.age) = (value, depth, age) }
}

/// A function that policies find ready.
struct Word {
    let name: String
    let call: (Interpreter, [Value], Site) throws -> [Value]
}

/// A place in the source.
struct Site: Hashable {
    let file: String
    let line: Int

    func unsettled(_ message: String) -> Unsettled { Unsettled(file: file, line: line, message: message) }

    /// That a loop goes round as often as a list of the case is long, and does what is not followed.
    var openLoop: Unsettled { unsettled("a loop over a list of which the length is not known") }
}

/// An error that Lua raises. It stays in the thread that carries Lua out.
struct Raised: Error, @unchecked Sendable {
    let value: Value
    let site: Site

    init(_ message: String, at site: Site) {
        value = .text(message)
        self.site = site
    }

    init(_ value: Value, at site: Site) {
        self.value = value
        self.site = site
    }
}

/// Finds short texts of a source.
private struct LiteralFinder: LuaVisitor {
    var texts: [String] = [""]
    var numbers: [Int64] = []
    private static let places: ClosedRange<Int64> = -10_000...10_000

    mutating func enter(_ expression: Expression) {
        if case .integer(let number) = expression.kind, Self.places.contains(number) { numbers.append(number) }
        guard let text = expression.stringLiteral, text.utf8.count <= 20, !text.contains(" ") else { return }
        texts.append(text)
    }
}

extension Value {
    /// Has it, with all that is reached from it, as if it were made where the way at hand is, which it outlives.
    ///
    /// - Parameter depth: within how many conditions of several ways that is.
    func rise(to depth: Int) {
        switch self {
        case .table(let table):
            guard table.depth > depth else { return }
            table.depth = depth
            for value in table.fields.values { value.rise(to: depth) }
        case .function(let closure):
            for box in closure.captured.values where box.depth > depth {
                box.depth = depth
                box.value.rise(to: depth)
            }
        default: break
        }
    }
}

extension Interpreter.Flow {
    /// It, with what it answers outliving the ways that it was found on.
    func risen(to depth: Int) -> Interpreter.Flow {
        if case .answer(let values) = self { for value in values { value.rise(to: depth) } }
        return self
    }
}
