import Circulation
import LuaSyntax
import Scripting
import TextFormats

/// Finds answers of decision functions that are none at their point, and words of answers that are called wrongly: both
/// would fail only when they are reached. Code `wrong_type`; an unknown field of a notice or a charge is
/// `unknown_field`.
struct AnswerFaults: LuaVisitor {
    private let kinds: KindInference
    private let file: String
    private let source: SourceText
    private(set) var findings: [Finding] = []

    static func findings(in chunk: Chunk, outline: PolicyOutline?, _ kinds: KindInference) -> [Finding] {
        var visitor = AnswerFaults(kinds: kinds, chunk: chunk)
        chunk.walk(&visitor)
        for function in outline?.functions ?? [] {
            guard let point = DecisionPoint(rawValue: function.name) else { continue }
            var returns = ReturnVisitor()
            function.body.block.walk(&returns)
            for value in returns.values {
                visitor.check(value, at: point)
                if let parameter = function.body.parameters.first { visitor.checkLength(value, at: point, parameter) }
            }
        }
        return visitor.findings
    }

    private init(kinds: KindInference, chunk: Chunk) {
        self.kinds = kinds
        file = chunk.name
        source = chunk.source
    }

    // MARK: - Answers

    private mutating func check(_ value: Expression, at point: DecisionPoint) {
        checkDespite(value, at: point)
        if let word = calledWord(value), let points = Self.points[word], !points.contains(point) {
            return report(
                "wrong_type", value.range, "'\(word)' is not an answer at '\(point.rawValue)': \(Self.expected(point))")
        }
        guard let kind = kinds.kind(value).map(KindInference.plain), !Self.accepts(kind, at: point) else { return }
        let better =
            kind == "period" && (point == .due || point == .recall || point == .expiry)
            ? "case.now + \(source[value.range])" : nil
        report(
            "wrong_type", value.range,
            "\(ComparisonFaults.words(kind)) is not an answer at '\(point.rawValue)': \(Self.expected(point))", better)
    }

    /// A due time that is the moment at which is asked, or one before it.
    private mutating func checkLength(_ value: Expression, at point: DecisionPoint, _ parameter: LocalDeclaration) {
        let scopes = kinds.scopes
        var due: Expression?
        switch point {
        case .due: due = value
        case .renew:
            if calledWord(value) == "allow", let options = value.withoutParentheses.call?.arguments.first,
                case .table(let table) = scopes.resolved(options).kind
            {
                due = table.entries.last { $0.name?.name == "due" }?.value
            }
        default: break
        }
        guard let due, isNoLater(scopes.resolved(due), than: parameter) else { return }
        report(
            "no_length", due.range,
            "a \(point == .due ? "loan" : "renewal") that is due when it begins has no length", "case.now + days(1)")
    }

    /// Whether an expression is `case.now`, or that with nothing added or something taken off.
    private func isNoLater(_ due: Expression, than parameter: LocalDeclaration) -> Bool {
        switch due.kind {
        case .suffixed:
            if calledWord(due) == "exact", let instant = due.call?.arguments.first {
                return isNoLater(kinds.scopes.resolved(instant), than: parameter)
            }
            guard let path = due.accessPath.map(kinds.scopes.resolved), path.root == .local(parameter.id),
                path.steps.count == 1, case .field(let name) = path.steps[0]
            else { return false }
            return name.name == "now"
        case .binary(let sum):
            return isNoLater(kinds.scopes.resolved(sum.first), than: parameter)
                && sum.links.allSatisfy { isNothingOrLess($0.operation, kinds.scopes.resolved($0.operand)) }
        default: return false
        }
    }

    private func isNothingOrLess(_ operation: BinaryOperator, _ operand: Expression) -> Bool {
        guard kinds.kind(operand).map(KindInference.plain) == "period", let word = calledWord(operand),
            Self.periodWords.contains(word),
            case .integer(let count)? = operand.call?.arguments.first.map(kinds.scopes.resolved)?.kind
        else { return false }
        return operation == .add && count == 0 || operation == .subtract && count >= 0
    }

    private static func accepts(_ kind: String, at point: DecisionPoint) -> Bool {
        switch kind {
        case "number", "text", "boolean", "period", "percent", "function", "list", "none": false
        case "unlimited": point == .expiry
        case "money": point == .fine || point == .price
        case "date", "instant": point == .due || point == .recall || point == .expiry
        case "table": point != .due && point != .recall && point != .fine && point != .expiry
        default: true
        }
    }

    private static let periodWords = ["days", "weeks", "months", "years", "hours", "minutes", "open_days"]

    private static let points: [String: Set<DecisionPoint>] = {
        var points: [String: Set<DecisionPoint>] = [
            "deny": [.request, .checkout, .renew, .hold, .publish], "confirm": [.request, .checkout, .renew, .hold],
            "allow": [.checkout, .renew, .hold, .publish], "review": [.publish],
        ]
        for point in DecisionPoint.allCases {
            for effect in point.effects { points[effect, default: []].insert(point) }
        }
        return points
    }()

    private static func expected(_ point: DecisionPoint) -> String {
        switch point {
        case .request: "nothing, deny(...) or confirm(...)"
        case .checkout, .renew, .hold: "nothing, deny(...), confirm(...) or allow { ... }"
        case .due, .recall: "nothing, a date or an instant"
        case .expiry: "nothing, a date or unlimited"
        case .overdue: "nothing, notice { ... } or charge { ... }"
        case .fine: "nothing or money"
        case .checkin: "nothing, suspend(...) or charge { ... }"
        case .lost: "nothing, declare_lost() or charge { ... }"
        case .price: "nothing, money or a list of { label =, amount =, to = }"
        case .publish: "allow(), review(message) or deny(...)"
        case .notify: "nothing or notice { ... }"
        }
    }

    // MARK: - Words

    mutating func enter(_ expression: Expression) {
        guard let word = calledWord(expression), let arguments = expression.call?.arguments else { return }
        switch word {
        case "deny", "confirm": checkRefusal(word, expression, arguments)
        case "review": checkMessage(arguments.first)
        case "notice":
            checkTable(word, arguments, known: ["stage", "channel", "subject", "body", "charge", "digest", "many"])
        case "charge": checkTable(word, arguments, known: ["key", "amount", "label"])
        case "allow": checkTable(word, arguments, known: ["despite", "due", "priority"])
        case "has": if arguments.count >= 2 { checkList(arguments[0]) }
        case "suspend": checkKind(word, arguments.first, "period")
        case "money", "date", "percent": checkValue(word, arguments.first)
        case _ where Self.periodWords.contains(word): checkValue(word, arguments.first)
        default: break
        }
    }

    /// What `has` looks through.
    private mutating func checkList(_ argument: Expression) {
        guard let kind = kinds.kind(argument).map(KindInference.plain), !["list", "table", "nil"].contains(kind) else {
            return
        }
        let text = source[argument.range]
        let lists = ["category": "categories", "item_type": "item_types", "branch": "branches"]
        let better = lists.first { text.hasSuffix("." + $0.key) }.map { text.dropLast($0.key.count) + $0.value }
        report(
            "wrong_type", argument.range, "has takes a list, not \(ComparisonFaults.words(kind))",
            better.map(String.init))
    }

    /// The standard checks that `allow` sets aside: those of the point.
    private mutating func checkDespite(_ answer: Expression, at point: DecisionPoint) {
        guard calledWord(answer) == "allow",
            let options = answer.withoutParentheses.call?.arguments.first,
            case .table(let table) = kinds.scopes.resolved(options).kind,
            let despite = table.entries.last(where: { $0.name?.name == "despite" })?.value
        else { return }
        let known = PolicyCodes.setAside(at: point)
        let value = kinds.scopes.resolved(despite)
        var codes = [value]
        if case .table(let list) = value.kind { codes = list.entries.map { kinds.scopes.resolved($0.value) } }
        for code in codes {
            guard let text = code.stringLiteral, !known.contains(text) else { continue }
            findings.append(
                Finding(
                    code: "unknown_value", file: file, range: code.range,
                    message: known.isEmpty
                        ? "nothing can be set aside at '\(point.rawValue)'"
                        : "'\(point.rawValue)' can allow despite \(known.joined(separator: ", ")), not '\(text)'",
                    suggestion: NameSuggestion.meant(by: text, among: known)))
        }
    }

    private func calledWord(_ expression: Expression) -> String? {
        guard let call = expression.withoutParentheses.call, case .variable(let callee) = call.callee.kind,
            callee.binding == .global
        else { return nil }
        return callee.name
    }

    private mutating func checkRefusal(_ word: String, _ call: Expression, _ arguments: [Expression]) {
        guard arguments.count >= 2 else {
            if let only = arguments.first, kinds.kind(only) == nil { return }
            return report(
                "wrong_type", call.range, "\(word) takes a code and a message", "\(word)(\"code\", \"Message.\")")
        }
        for argument in arguments.prefix(2) { checkKind(word, argument, "text") }
        checkMessage(arguments[1])
        guard arguments.count > 2, case .table(let options) = arguments[2].kind else { return }
        checkKeys(word, options, known: ["override"])
    }

    /// What a function says is shown as it is, so that nothing of a patron's can be expanded in it.
    private mutating func checkMessage(_ argument: Expression?) {
        guard let argument, let text = kinds.scopes.resolved(argument).stringLiteral, text.contains("{{") else {
            return
        }
        report(
            "template_field", argument.range,
            "a function's message is shown as it is, braces and all; templates are filled in 'messages' and notices")
    }

    private mutating func checkTable(_ word: String, _ arguments: [Expression], known: [String]) {
        guard let first = arguments.first, case .table(let table) = kinds.scopes.resolved(first).kind else { return }
        checkKeys(word, table, known: known)
        for entry in table.entries {
            switch entry.name?.name {
            case "charge", "amount": checkKind("\(word).\(entry.name?.name ?? "")", entry.value, "money")
            case "stage", "key", "label", "channel": checkKind("\(word).\(entry.name?.name ?? "")", entry.value, "text")
            default: break
            }
        }
    }

    private mutating func checkKeys(_ word: String, _ table: TableConstructor, known: [String]) {
        for entry in table.entries {
            guard let name = entry.name, !known.contains(name.name) else { continue }
            findings.append(
                Finding(
                    code: "unknown_field", file: file, range: name.range,
                    message: "\(word) has no field '\(name.name)'",
                    suggestion: NameSuggestion.nearest(to: name.name, among: known)))
        }
    }

    private mutating func checkKind(_ word: String, _ argument: Expression?, _ wanted: String) {
        guard let argument, let kind = kinds.kind(argument).map(KindInference.plain), kind != wanted, kind != "none"
        else { return }
        report(
            "wrong_type", argument.range,
            "\(word) takes \(ComparisonFaults.words(wanted)), not \(ComparisonFaults.words(kind))",
            ComparisonFaults.literal(argument, as: wanted, source))
    }

    /// A literal that is not a valid amount, date, percentage or count: it would fail only when a case reaches it.
    private mutating func checkValue(_ word: String, _ argument: Expression?) {
        guard let argument else { return }
        let text = argument.stringLiteral
        let isNumber = kinds.kind(argument).map(KindInference.plain) == "number"
        switch word {
        case "money":
            if let text {
                guard !Self.isMoney(text) else { return }
                report(
                    "wrong_type", argument.range, "'\(text)' is not an amount of money",
                    Self.amount(meantBy: text) ?? "0.20")
            } else if isNumber {
                report(
                    "wrong_type", argument.range, "money takes a text, since a number would not be exact",
                    ComparisonFaults.literal(argument, as: "money", source)?.replacing("money ", with: ""))
            }
        case "percent":
            if let text {
                guard (try? Percent(parsing: text)) != nil else {
                    return report("wrong_type", argument.range, "'\(text)' is not a percentage", "6.62")
                }
                checkShare(text, argument)
            }
        case "date":
            if let text, (try? CivilDate(parsing: text)) == nil {
                checkDate(text, argument)
            }
        default:
            if !isNumber, let kind = kinds.kind(argument).map(KindInference.plain) {
                report(
                    "wrong_type", argument.range, "\(word) takes a whole number, not \(ComparisonFaults.words(kind))",
                    text.flatMap(Int.init).map(String.init))
            } else if case .number(let number) = argument.kind, number != number.rounded() {
                report("wrong_type", argument.range, "\(word) takes a whole number")
            }
        }
    }

    /// A share of one, `0.0662`, where a hundredfold of it is meant.
    private mutating func checkShare(_ text: String, _ argument: Expression) {
        guard let share = Double(text), share > 0, share < 0.1 else { return }
        findings.append(
            Finding(
                code: "doubtful_value", severity: .warning, file: file, range: argument.range,
                message: "'\(text)' is less than a tenth of one percent", suggestion: "\((share * 1e8).rounded() / 1e6)"
            ))
    }

    /// The amount meant by a text with a decimal comma or a currency sign.
    private static func amount(meantBy text: String) -> String? {
        let plain = text.replacing(",", with: ".").filter { $0.isNumber || $0 == "." }
        return isMoney(plain) ? plain : nil
    }

    private mutating func checkDate(_ text: String, _ argument: Expression) {
        let parts = text.split(whereSeparator: { !$0.isNumber }).map(String.init)
        var better: String? = "2026-12-24"
        var message = "'\(text)' is not a date"
        if parts.count == 3, parts[0].count == 4 {
            let padded = "\(parts[0])-\(Self.padded(parts[1]))-\(Self.padded(parts[2]))"
            better = (try? CivilDate(parsing: padded)) == nil ? nil : padded
            if better == nil { message += ": there is no such day" }
        } else if parts.count == 3, parts[2].count == 4, text.contains(".") {
            let turned = "\(parts[2])-\(Self.padded(parts[1]))-\(Self.padded(parts[0]))"
            if (try? CivilDate(parsing: turned)) != nil { better = turned }
        }
        report("wrong_type", argument.range, message, better)
    }

    private static func padded(_ digits: String) -> String { digits.count == 1 ? "0" + digits : digits }

    private static func isMoney(_ text: String) -> Bool {
        (try? text.contains(" ") ? Money(parsing: text) : Money(parsing: text, currency: .eur)) != nil
    }

    private mutating func report(
        _ code: String, _ range: SourceRange, _ message: String, _ suggestion: String? = nil
    ) {
        findings.append(Finding(code: code, file: file, range: range, message: message, suggestion: suggestion))
    }
}

/// The first value of each return of a function itself, without those inside of it.
private struct ReturnVisitor: LuaVisitor {
    private(set) var values: [Expression] = []
    private var depth = 0

    mutating func enter(_ function: FunctionBody) { depth += 1 }
    mutating func leave(_ function: FunctionBody) { depth -= 1 }

    mutating func enter(_ statement: Statement) {
        guard depth == 0, case .return(let returned) = statement.kind, let first = returned.first else { return }
        values.append(first)
    }
}
