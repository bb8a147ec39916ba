package import Circulation
import TextFormats

/// A case, with what variables of the proofs about one policy are in it. Used by one thread.
package final class KnownCase {
    typealias Value = (number: Int64?, condition: Bool?)

    let question: Case
    private var values: [String: Value] = [:]

    package init(_ question: Case) { self.question = question }

    fileprivate func value(of name: String, _ read: () -> Value) -> Value {
        if let value = values[name] { return value }
        let value = read()
        values[name] = value
        return value
    }
}

/// What the variables of a proof are in a case at hand: the reverse of what writes a case of their values.
///
/// What a function of Lua's libraries makes of texts and numbers of the case is reckoned; a day on which the branch is
/// open has no value here.
struct CaseReading {
    private let question: Case
    private let records: LibraryCase
    private let texts: Texts
    private let limits: [LimitRow]
    private let library: Library
    private let known: KnownCase

    init(_ question: Case, _ records: LibraryCase, _ texts: Texts, _ limits: [LimitRow], _ library: Library) {
        self.init(KnownCase(question), records, texts, limits, library)
    }

    /// - Parameter known: what was read of it for the same policy before.
    init(_ known: KnownCase, _ records: LibraryCase, _ texts: Texts, _ limits: [LimitRow], _ library: Library) {
        (self.known, self.question) = (known, known.question)
        (self.records, self.texts, self.limits, self.library) = (records, texts, limits, library)
    }

    /// Values of variables, of those that have one.
    func assignment(of names: Set<String>) -> Assignment {
        var assignment = Assignment()
        for name in names {
            let value = known.value(of: name) { (number(name), condition(name)) }
            assignment.numbers[name] = value.number
            assignment.conditions[name] = value.condition
        }
        return assignment
    }

    // MARK: - Variables

    private func number(_ name: String) -> Int64? {
        if let counted = library.gathered.counts[name] { return count(counted) }
        if let extreme = library.gathered.extremes[name] { return value(extreme) }
        if let made = made(name) { return made.first?.number(texts) }
        if let read = name.without(Interpreter.great), let made = made(read), made.first?.isGreat == true {
            return made.first?.number(texts)
        }
        if let day = library.years[name] {
            return value(day).flatMap { try? CivilDate(dayNumber: $0) }.map { Int64($0.year) }
        }
        if let rest = name.after("capture "), let split = rest.firstRange(of: " of "),
            let place = Int(rest[..<split.lowerBound])
        {
            let found = made(String(rest[split.upperBound...])) ?? []
            return found.indices.contains(place - 1) ? found[place - 1].number(texts) : nil
        }
        if let name = name.after("end of ") ?? name.after("changes of "), let made = made(name) {
            return made.count > 1 ? made[1].number(texts) : nil
        }
        if let moment = name.without(" on day") {
            return number(moment).map { $0.floorDivided(by: ProofDomain.microsecondsPerDay) }
        }
        if let moment = name.without(" at"), let instant = number(moment) {
            let day = ProofDomain.microsecondsPerDay
            return instant - instant.floorDivided(by: day) * day
        }
        if let count = HeldTypes.count(name, in: question) { return count }
        if let factors = CaseModel.factors(ofProduct: name) { return product(of: factors) }
        if let kind = LoanCounts.kind(of: name) { return loans(of: kind) }
        if name.hasPrefix("#") { return length(of: String(name.dropFirst())) }
        if let number = name.without(Fraction.suffix) { return self.fraction(number).flatMap(Fraction.place) }
        if let path = name.without(" as a number") { return find(path)?.json?.whole }
        if let bracket = name.lastIndex(of: "["), let code = String(name[..<bracket]).without(Chain.above),
            let place = Int(name[bracket...].dropFirst().dropLast()), let chain = chain(code)
        {
            return chain.indices.contains(place - 1) ? texts.number(of: chain[place - 1]) : nil
        }
        return find(name)?.number(texts)
    }

    private func fraction(_ name: String) -> Double? {
        if let made = made(name) { return made.first?.fraction }
        return if case .number(let number)? = find(name)?.json { number } else { nil }
    }

    private func length(of list: String) -> Int64? {
        if let code = list.without(Chain.above) { return chain(code).map { Int64($0.count) } }
        return find(list)?.count.map { Int64($0) }
    }

    /// How many elements behind those that are looked at one by one meet a condition.
    private func count(_ counted: Path.Counted) -> Int64? {
        guard let length = length(of: counted.list) else { return nil }
        var count: Int64 = 0
        for place in stride(from: List.rounds(of: counted.list) + 1, through: length, by: 1) {
            let assignment = assignment(of: counted.condition.variables, at: place, of: counted.list)
            guard let isMet = assignment.value(counted.condition) else { return nil }
            if isMet { count += 1 }
        }
        return count
    }

    private func value(_ extreme: Extreme) -> Int64? {
        guard let length = length(of: extreme.list) else { return nil }
        var found = extreme.start.flatMap(value)
        if extreme.start != nil, found == nil { return nil }
        for place in stride(from: 1, through: length, by: 1) {
            guard let element = extreme.elements[place] ?? extreme.elements[List.any] else { return nil }
            let names = element.isMeant.variables.union(element.number.variables)
            let assignment = assignment(of: names, at: place, of: extreme.list)
            guard let isMeant = assignment.value(element.isMeant) else { return nil }
            guard isMeant else { continue }
            guard let number = assignment.value(element.number) else { return nil }
            found = found.map { extreme.direction == .greatest ? max($0, number) : min($0, number) } ?? number
        }
        return found
    }

    /// Values of variables where those of the element of a list that stands for all are those of the one at a place.
    private func assignment(of names: Set<String>, at place: Int64, of list: String) -> Assignment {
        var assignment = Assignment()
        for name in names {
            let isOfElement = Path.isOfElement(name, of: list)
            let own = isOfElement ? name.replacing("\(list)\(List.standing)", with: "\(list)[\(place)]") : name
            assignment.numbers[name] = number(own)
            assignment.conditions[name] = condition(own)
        }
        return assignment
    }

    private func product(of factors: [String]) -> Int64? {
        factors.reduce(1) { product, factor in
            guard let product, let number = number(factor) else { return nil }
            let (value, overflow) = product.multipliedReportingOverflow(by: number)
            return overflow ? nil : value
        }
    }

    private func condition(_ name: String) -> Bool? {
        if let made = name.without(" is there").flatMap(made) { return made.first.map { !$0.isNull } ?? false }
        if let made = name.without(" is whole").flatMap(made) { return made.first?.isGreat == false }
        if let made = name.without(" is whole and great").flatMap(made) { return made.first?.isGreat == true }
        if name.hasPrefix("patron.blocks has a") {
            return isStopped(by: name.hasSuffix("block") ? "blocked" : "suspended")
        }
        if name == "patron.loans have the title" { return question.hasSameTitle }
        if let path = name.without(" is there") { return find(path).map { !$0.isAbsent } }
        if let path = name.without(" is a text") { return find(path).map { $0.json?.stringValue != nil } }
        if let path = name.without(" is a whole number") { return find(path).map { $0.json?.whole != nil } }
        if let path = name.without(" is true or false") { return find(path).map { $0.json?.boolValue != nil } }
        if let path = name.without(" is a number") {
            return find(path).map { if case .number? = $0.json { true } else { false } }
        }
        if let path = name.without(" is true") { return find(path)?.json?.boolValue }
        if let split = name.firstRange(of: " below ") {
            let word = name[split.upperBound...]
            return word.hasPrefix("|") ? nil : chain(String(name[..<split.lowerBound]))?.contains(String(word))
        }
        if let split = name.firstRange(of: " has ") {
            let word = name[split.upperBound...]
            return word.hasPrefix("|") ? nil : find(String(name[..<split.lowerBound]))?.texts?.contains(String(word))
        }
        return find(name)?.flag
    }

    /// What a function of Lua's libraries makes of the case; nil where that is not known.
    private func made(_ name: String) -> [PlainValue]? {
        guard let call = library.calls[name] else { return nil }
        let arguments = call.arguments.compactMap(plain)
        guard arguments.count == call.arguments.count else { return nil }
        return try? library.reckon(call.function, arguments)
    }

    private func plain(_ value: Value) -> PlainValue? {
        switch value {
        case .text(.symbol(let number)):
            self.value(number).flatMap { PlainValue(.text(texts.word($0))) }
        case .integer(let number): self.value(number).flatMap { PlainValue(.integer($0)) }
        default: PlainValue(value)
        }
    }

    private func value(_ number: Number) -> Int64? {
        var names: Set<String> = []
        number.collect(into: &names)
        return assignment(of: names).value(number)
    }

    /// How many loans just these rows of `limits` count, of those that look at item types or leave out claimed loans.
    private func loans(of kind: (rows: Set<Int>, isClaimed: Bool)) -> Int64 {
        let loans = question.patron.loans + (question.request?.granted ?? [])
        let asksClaims = limits.contains { $0.countsOpenLoans && !$0.countsClaimed }
        return Int64(
            loans.count { loan in
                if asksClaims, loan.isClaimed != kind.isClaimed { return false }
                let met = limits.indices.filter { row in
                    let types = limits[row].conditions.itemTypes
                    guard limits[row].countsOpenLoans, types != nil || !limits[row].countsClaimed else { return false }
                    let isOfType = types.map { !Set($0).isDisjoint(with: loan.itemTypes) } ?? true
                    return isOfType && (limits[row].countsClaimed || !loan.isClaimed)
                }
                return Set(met.map { $0 + 1 }) == kind.rows
            })
    }

    private func isStopped(by code: String) -> Bool? {
        guard let action = question.point.blockableAction else { return nil }
        var patron = question.patron
        patron.suspendedUntil = nil
        let standing = patron.standing(for: action, askedBy: question.actor, on: question.today)
        return standing.contains { $0.code == code }
    }

    /// A code with those above it.
    private func chain(_ path: String) -> [String]? {
        for (one, several) in ["y": "ies", "h": "hes", "e": "es"] where path.hasSuffix(one) {
            if let codes = find(String(path.dropLast()) + several)?.texts { return codes }
        }
        guard case .value(.text(let code))? = find(path) else { return nil }
        return [code]
    }

    // MARK: - Places

    /// What stands at a place of the case.
    private enum Found {
        case absent, record
        case list(Int)
        case value(FieldValue)
        case json(JSON)

        var isAbsent: Bool {
            switch self {
            case .absent, .value(.absent), .json(.null): true
            default: false
            }
        }

        var json: JSON? { if case .json(let json) = self { json } else { nil } }

        var count: Int? { if case .list(let count) = self { count } else { texts?.count ?? integers?.count } }

        var texts: [String]? {
            switch self {
            case .value(.texts(let texts)): texts
            case .value(.actions(let actions)): actions.map(\.rawValue)
            case .json(.array(let values)): values.compactMap(\.stringValue)
            default: nil
            }
        }

        var integers: [Int64]? { if case .value(.integers(let values)) = self { values } else { nil } }

        var flag: Bool? {
            switch self {
            case .value(.flag(let value)): value
            case .json(let json): json.boolValue
            default: nil
            }
        }

        func number(_ texts: Texts) -> Int64? {
            switch self {
            case .value(.integer(let value)): value
            case .value(.text(let text)), .json(.string(let text)): texts.number(of: text)
            case .value(.instant(let instant)): instant.microseconds
            case .value(.date(let date)): Int64(date.dayNumber)
            case .value(.money(let money)): money.minorUnits
            case .value(.period(let period)): period.count
            default: nil
            }
        }
    }

    private struct Step {
        let name: String
        let index: Int?
    }

    private func find(_ path: String) -> Found? {
        var steps: [Step] = []
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard let bracket = part.firstIndex(of: "["), part.last == "]" else {
                steps.append(Step(name: String(part), index: nil))
                continue
            }
            let index = Int(part[part.index(after: bracket)...].dropLast())
            steps.append(Step(name: String(part[..<bracket]), index: index))
        }
        return find(steps[...], in: records.question, question)
    }

    private func find<Part>(_ steps: ArraySlice<Step>, in record: CaseRecord<Part>, _ part: Part) -> Found? {
        guard let step = steps.first else { return .record }
        guard let field = record.fields.first(where: { $0.name == step.name }) else { return nil }
        switch field.content {
        case .calendar: return .record
        case .value(_, let value): return find(steps.dropFirst(), step.index, value(part))
        case .nested(let nesting): return find(steps.dropFirst(), step.index, nesting, part)
        }
    }

    private func find<Nesting: CaseNesting>(
        _ steps: ArraySlice<Step>, _ index: Int?, _ nesting: Nesting, _ part: Nesting.Part
    ) -> Found? {
        guard let count = nesting.count(part) else { return .absent }
        if nesting.isList, index == nil { return steps.isEmpty ? .list(count) : nil }
        var (place, found) = (0, Found?.none)
        nesting.visit(part) { inner in
            place += 1
            if place == index ?? 1 { found = find(steps, in: nesting.record, inner) }
        }
        return found
    }

    private func find(_ steps: ArraySlice<Step>, _ index: Int?, _ value: FieldValue) -> Found? {
        if case .object(let object) = value, let step = steps.first {
            guard steps.count == 1 else { return nil }
            let json = object[step.name] ?? .null
            return element(step.index, of: .json(json))
        }
        return steps.isEmpty ? element(index, of: .value(value)) : nil
    }

    private func element(_ index: Int?, of found: Found) -> Found? {
        guard let index else { return found }
        if let texts = found.texts { return texts.indices.contains(index - 1) ? .value(.text(texts[index - 1])) : nil }
        guard let values = found.integers else { return nil }
        return values.indices.contains(index - 1) ? .value(.integer(values[index - 1])) : nil
    }
}

extension PlainValue {
    fileprivate var isNull: Bool { value.isNull }

    /// Whether a whole number is too great to be told from others; nil for what is none.
    var isGreat: Bool? {
        guard case .integer(.constant(let number)) = value else { return nil }
        return !Interpreter.readNumbers.contains(number)
    }

    /// A number that a proof does not take for a whole one.
    var fraction: Double? {
        switch value {
        case .float(let number): number
        case .integer(.constant(let number)) where isGreat == true: Double(number)
        default: nil
        }
    }

    fileprivate func number(_ texts: Texts) -> Int64? {
        switch value {
        case .integer(let number): number.constant
        case .text(let text): texts.number(of: text).constant
        default: nil
        }
    }
}

extension String {
    fileprivate func after(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }

    fileprivate func without(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}

extension JSON {
    /// A number that Lua has as a whole one; one that is written with a fraction, be it of nothing, is none.
    fileprivate var whole: Int64? { if case .integer(let number) = self { number } else { nil } }
}
