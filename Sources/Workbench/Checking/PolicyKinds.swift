import Circulation
import LuaSyntax
import Scripting

/// Of what kind the fields are that a policy's functions read, and what its words answer.
///
/// `text:category` is a text that names a category; `number:lateness` a number that grows day by day.
enum PolicyKinds {
    /// What `case` has.
    private static let caseFields = FieldTree(
        paths: PolicyRecords.casePaths, kinds: caseKinds, alwaysThere: alwaysThere)

    /// What `case` has in a library with fields of its own.
    static func caseFields(_ fields: CustomFields) -> FieldTree {
        if fields.isEmpty { return caseFields }
        let paths = LibraryCase(fields).question.paths()
        return FieldTree(
            paths: PolicyRecords.casePaths + paths.map(\.path), kinds: kinds(of: paths), alwaysThere: alwaysThere)
    }

    /// What `rule` has.
    static func ruleFields(free: some Sequence<String>) -> FieldTree {
        var kinds: [String: String] = [:]
        for field in RuleField.all { kinds[field.name] = kind(of: field) }
        return FieldTree(paths: RuleField.all.map(\.name) + free, kinds: kinds)
    }

    /// What the words of a policy answer; a name behind `=` is a value.
    static let calls: [String: String] = answers.merging(
        functions.map { ("=" + $0, "function") }, uniquingKeysWith: { first, _ in first })

    /// What makes values and answers.
    private static let functions = [
        "money", "percent", "date", "days", "weeks", "months", "years", "hours", "minutes", "open_days", "exact",
        "deny",
        "confirm", "allow", "review", "notice", "charge", "suspend", "declare_lost", "has",
    ]

    private static let answers: [String: String] = [
        "money": "money", "percent": "percent", "date": "date", "days": "period", "weeks": "period",
        "months": "period", "years": "period", "hours": "period", "minutes": "period", "open_days": "period",
        "exact": "instant",
        "tostring": "text", "type": "text", "has": "boolean", "=none": "none", "=unlimited": "unlimited",
    ]

    private static func kind(of field: RuleField) -> String? {
        switch field.kind {
        case .boolean: "boolean"
        case .integer: "number"
        case .text, .choice, .dueTime: "text"
        case .period: "period"
        case .money: "money"
        case .date: "date"
        case .fineSteps: "list"
        case .moneyOrReplacementPrice, .dateOrPeriod: nil
        }
    }

    private static let casePaths = CaseRecords.question.paths()

    /// By path, as ``PolicyRecords/casePaths`` writes them.
    static let caseKinds = kinds(of: casePaths)

    private static func kinds(of paths: [CasePath]) -> [String: String] {
        var kinds: [String: String] = [:]
        for path in paths { kinds[path.path] = kind(of: path) }
        return kinds
    }

    private static func kind(of path: CasePath) -> String? {
        let name: String
        switch path.kind {
        case _ where path.isList: name = "list"
        case .integer, .number: name = "number"
        case .text, .choice, .isbn: name = "text"
        case .flag: name = "boolean"
        case .instant, .due: name = "instant"
        case .date: name = "date"
        case .money: name = "money"
        case .period: name = "period"
        default: return nil
        }
        return name + (path.meaning.map { ":" + $0.rawValue } ?? "")
    }

    /// Numbers, amounts and lists that a case always has, so that asking whether they are there asks nothing.
    static let alwaysThere = Set(
        casePaths.filter { !$0.mayBeAbsent && ($0.isList || $0.kind == .integer || $0.kind == .money) }.map(\.path))

    /// The words that a text of a narrowed kind may be, where the desk fixes them.
    static let words: [String: [String]] = {
        var words = ["text:action": BlockFacts.Action.allCases.map(\.rawValue)]
        for path in casePaths {
            if case .choice(let choices) = path.kind, let meaning = path.meaning {
                words["text:\(meaning.rawValue)"] = choices
            }
        }
        return words
    }()
}

extension PolicyCheck {
    /// The kinds of the fields of a case by path, as the check knows them.
    package static var fieldKinds: [String: String] { PolicyKinds.caseKinds }
}
