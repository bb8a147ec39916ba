package import Circulation
import TextFormats

/// Makes records at random out of their declarations.
///
/// Each field is drawn by its own seed, so that one more field changes none of the others.
package struct RandomRecords {
    /// Tells one series of records from another.
    private let seed: String
    /// What numbers may be, those of other records among them.
    private let integers: [Int64]
    /// What texts may be, by the name of the field; elsewhere they are made up.
    private let words: [String: [String]]
    /// What amounts may be, in minor units.
    private let amounts: [Int64]

    package init(
        seed: String, integers: [Int64] = [0, 1, 2, 17, -3, .max, .min], words: [String: [String]] = [:],
        amounts: [Int64] = [0, 1, 1_999, -5, .max]
    ) {
        self.seed = seed
        self.integers = integers
        self.words = words
        self.amounts = amounts
    }

    /// The record of a number in the series.
    package func record<Record: DeclaredRecord>(_ number: Int) throws -> Record {
        var record = Record.blank
        // What is like another field comes last.
        let likes = { (field: RecordField<Record>) in if case .like = field.usual { true } else { false } }
        for field in Record.declaration.fields.filter({ !likes($0) }) + Record.declaration.fields.filter(likes) {
            var chance = SplitMix(seed: Self.hash("\(seed) \(Record.self) \(field.name) \(number)"))
            let value: FieldValue
            if field.mayBeAbsent && Int.random(in: 0..<3, using: &chance) == 0 {
                value = .absent
            } else if let usual = field.usual.value(record), Int.random(in: 0..<3, using: &chance) == 0 {
                value = usual
            } else {
                value = try self.value(field, number, &chance)
            }
            guard field.set(&record, value) else { throw WrongKind(field: "\(Record.self).\(field.name)") }
        }
        return record
    }

    /// A declared kind whose values the field does not take.
    package struct WrongKind: Error {
        package let field: String
    }

    private func value<Record>(
        _ field: RecordField<Record>, _ number: Int, _ chance: inout SplitMix
    ) throws -> FieldValue {
        switch field.kind {
        case .integer: .integer(integers[Int.random(in: 0..<integers.count, using: &chance)])
        case .number: .number(2.5)
        case .text: .text(text(field.name, number, &chance))
        case .flag: .flag(Bool.random(using: &chance))
        case .instant: .instant(instant(&chance))
        case .date: .date(try date(&chance))
        case .money: .money(money(&chance))
        case .isbn: .isbn(try ISBN(String(9_780_306_406_157 as Int64)))
        case .period: .period(period(&chance))
        case .texts:
            .texts((0..<Int.random(in: 1...3, using: &chance)).map { text("\(field.name) \($0)", number, &chance) })
        case .integers: .integers((0..<3).map { _ in integers[Int.random(in: 0..<integers.count, using: &chance)] })
        case .object: .object(["shelf": .string(text("", number, &chance)), "deep": ["list": [1, true, .null]]])
        case .choice(let words): .text(words[Int.random(in: 0..<words.count, using: &chance)])
        case .due:
            .due(DueTime(instant: instant(&chance), date: try date(&chance), isExact: Bool.random(using: &chance)))
        case .courses: .courses([Course(code: text("", number, &chance), name: "Worms"), Course(code: "SF2")])
        case .actions: .actions(Set(BlockFacts.Action.allCases.filter { _ in Bool.random(using: &chance) }))
        case .priceLines:
            .priceLines([
                PriceLine(label: text("", number, &chance), amount: money(&chance), item: 1),
                PriceLine(label: "", amount: money(&chance)),
            ])
        case .digest:
            .digest(Bool.random(using: &chance) ? .line(text("", number, &chance)) : .templates(subject: "s", body: ""))
        case .proposal:
            .proposal(
                TitleProposal(
                    isbn: Bool.random(using: &chance) ? try ISBN("9780306406157") : nil,
                    title: text("", number, &chance), authors: ["F", "G"], courses: ["SF1"], college: nil))
        case .items:
            .items(
                try (0..<Int.random(in: 0...2, using: &chance)).map { try record(number * 10 + $0) })
        }
    }

    private func text(_ name: String, _ number: Int, _ chance: inout SplitMix) -> String {
        if let words = words[name] { return words[Int.random(in: 0..<words.count, using: &chance)] }
        let texts = ["O'Brien", "\"x\", y", "Ö\u{301}–雪\u{1F4DA}", "line\nline\\", "a/b", ""]
        return texts[Int.random(in: 0..<texts.count, using: &chance)] + " \(name) \(number)"
    }

    private func instant(_ chance: inout SplitMix) -> Instant {
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: .earliest
        case 1: .latest
        case 2: Instant(microseconds: Int64.random(in: 0..<2_000_000_000_000_000, using: &chance))
        default: Instant(seconds: Int64.random(in: 1_600_000_000..<1_900_000_000, using: &chance))
        }
    }

    private func date(_ chance: inout SplitMix) throws -> CivilDate {
        try CivilDate(dayNumber: Int64.random(in: -700_000..<2_900_000, using: &chance))
    }

    private func money(_ chance: inout SplitMix) -> Money {
        let currencies = ["EUR", "JPY", "KWD"].compactMap { Currency(code: $0) }
        return Money(
            minorUnits: amounts[Int.random(in: 0..<amounts.count, using: &chance)],
            currency: currencies[Int.random(in: 0..<currencies.count, using: &chance)])
    }

    private func period(_ chance: inout SplitMix) -> Period {
        let units = Period.Unit.allCases
        return Period(
            Int64.random(in: 1..<40, using: &chance), units[Int.random(in: 0..<units.count, using: &chance)])
    }

    /// The same in every process (Fowler, Noll and Vo).
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
