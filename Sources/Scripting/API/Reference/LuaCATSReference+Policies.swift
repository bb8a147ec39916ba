import Circulation

extension LuaCATSReference {
    /// What policies and their tests find: the case, the rule, the keys and rows of a policy, and the words.
    var policies: [String] {
        var parts = PolicyRecords.references.map { recordClass($0) }
        parts.append(calendar)
        parts += PointReference.all.map(caseClass)
        parts += [ruleClass, conditions, ruleRow, limitRow, noticeRow, membershipRow, texts, answers, policyClass]
        parts += ["unlimited", "none"].map { "---@type \($0)\n\($0) = {}" }
        parts += (PolicyWord.all + testWords).map {
            definition($0.name, $0.summary, $0.parameters, $0.result)
        }
        return parts
    }

    // MARK: - The case

    private var calendar: String {
        let methods = CalendarMethod.allCases.map { method in
            let (parameters, result) =
                switch method {
                case .isOpen: ("date: date|instant", "boolean")
                case .addOpenDays: ("date: date|instant, n: integer", "date|instant")
                case .openDaysBetween: ("from: date|instant, to: date|instant", "integer")
                case .closing: ("date: date|instant", "instant?")
                case .nextOpening: ("date: date|instant", "instant")
                case .nextOpen, .nextOpenAfter, .previousOpen: ("date: date|instant", "date|instant")
                }
            return "---@field \(method.rawValue) fun(\(parameters)): \(result) \(method.summary)"
        }
        return (["---The branch's opening days and hours.", "---@class case.calendar"] + methods).joined(
            separator: "\n")
    }

    private func caseClass(_ reference: PointReference) -> String {
        let types = Dictionary(
            uniqueKeysWithValues: CaseRecords.question.reference.fields.map { ($0.name, Self.read($0.type)) })
        return
            (["---What a policy is asked with at `\(reference.point.rawValue)`: \(reference.asked)."]
            + ["---@class \(reference.point.rawValue)_case: case"]
            + reference.present.map { "---@field \($0) \(types[$0] ?? "any")" }).joined(separator: "\n")
    }

    // MARK: - Rows

    private static let texts = "string|table<string, string>"

    /// As a function reads it: `none` reads nil.
    private var ruleClass: String {
        let fields = RuleField.all.map { field in
            let isSet = field.standard != nil
            return "---@field \(field.name)\(isSet ? "" : "?") \(Self.type(of: field)) \(field.summary)"
        }
        return
            ([
                "---The rule that holds for a case, with the defaults filled in and the library's own fields.",
                "---@class rule",
            ] + fields + ["---@field [string] any a field of the library's own"]).joined(separator: "\n")
    }

    private var conditions: String {
        let fields = RowConditions.names.map { name in
            switch name {
            case "on_site": "---@field on_site? boolean"
            case "when": "---@field when? fun(case: case): boolean"
            default: "---@field \(name)? string|string[]"
            }
        }
        return (["---Conditions of a row; what is left out holds for all.", "---@class row_conditions"] + fields)
            .joined(separator: "\n")
    }

    private var ruleRow: String {
        let fields = RuleField.all.map { "---@field \($0.name)? \(Self.type(of: $0))|none \($0.summary)" }
        return
            (["---A row of `rules`.", "---@class rule_row: row_conditions"] + fields
            + ["---@field [string] any a field of the library's own"]).joined(separator: "\n")
    }

    private static func type(of field: RuleField) -> String {
        let text =
            switch field.kind {
            case .boolean: "boolean"
            case .integer: "integer|unlimited"
            case .text: "string"
            case .choice: field.choices.map { "\"\($0)\"" }.joined(separator: "|")
            case .period: "period|unlimited"
            case .money: "money"
            case .moneyOrReplacementPrice: "money|\"replacement_price\""
            case .date: "date"
            case .dateOrPeriod: "date|period"
            case .dueTime: "string"
            case .fineSteps: "rule.fine_steps[]"
            }
        return text
    }

    private var limitRow: String {
        """
        ---A row of `limits`.
        ---@class limit_row: row_conditions
        ---@field max integer|unlimited how many open loans that meet the row's conditions
        ---@field claimed? "counted"|"not counted" whether loans count that the patron claims to have returned
        ---@field within? period counts the loans that began in that time instead, open and returned
        ---@field per? "title" counts the loans of the title that is asked for, and no others
        ---@field owed_for? period the row applies to who owes something for so long
        ---@field of? \(PatronGroup.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: "|")) whose loans and debts it is about
        ---@field owed? money the row applies where so much or more is owed
        """
    }

    private var noticeRow: String {
        """
        ---A row of `notices`; its `channel` is the way the notice goes.
        ---@class notice_row: row_conditions
        ---@field stage string
        ---@field before? period before the due time
        ---@field after? period after the due time
        ---@field every? period how often it is repeated
        ---@field times? integer|unlimited how many times
        ---@field charge? money|none
        ---@field channel string
        ---@field subject \(Self.texts)
        ---@field body \(Self.texts)
        ---@field digest? "patron"
        ---@field many? digest_texts
        """
    }

    private var membershipRow: String {
        let conditions = PolicyKey.membershipConditions.map { name in
            name == "when" ? "---@field when? fun(case: case): boolean" : "---@field \(name)? string|string[]"
        }
        return """
            ---A row of `membership`.
            ---@class membership_row
            \(conditions.joined(separator: "\n"))
            ---@field lasts? period|unlimited how long it lasts
            ---@field until_day? string ends on the next such day, month first: `"09-30"`
            ---@field at_least? period how far `until_day` must be away
            ---@field until_date? date
            ---@field until_age? integer ends the day before the patron reaches this age
            ---@field from_age? integer the row holds from this age on
            ---@field under_age? integer the row holds below this age
            ---@field renew_from? "end"|"now" from when on a renewal counts
            """
    }

    private var texts: String {
        """
        ---The words of a notice about several loans.
        ---@class digest_texts
        ---@field subject \(Self.texts)
        ---@field body \(Self.texts)
        ---@field line? \(Self.texts)
        """
    }

    // MARK: - Answers

    private var answers: String {
        """
        ---What `allow`, `deny`, `confirm` and `review` make.
        ---@class answer
        ---@field answer "allow"|"confirm"|"deny"|"review"
        ---@field code? string
        ---@field message? string

        ---What `notice`, `charge`, `suspend` and `declare_lost` make.
        ---@class effect
        ---@field effect string
        """
    }

    private var policyClass: String {
        let keys = PolicyKey.allCases.map { key in
            let type =
                switch key {
                case .api: "integer"
                case .name, .description: "string"
                case .fields: "string[]"
                case .limits: "limit_row[]"
                case .rules: "rule_row[]"
                case .notices: "notice_row[]"
                case .membership: "membership_row[]"
                case .match: "table"
                case .history: "{ patron: period?, title: period? }"
                case .messages: "table<string, \(Self.texts)>"
                case .noticesFrom: "period"
                }
            return "---@field \(key.rawValue)? \(type) \(key.summary)"
        }
        let points = PointReference.all.map {
            "---@field \($0.point.rawValue)? fun(case: \($0.point.rawValue)_case, rule: rule): \($0.answer) asked \($0.asked)"
        }
        return (["---A policy: its tables, and its functions by decision point.", "---@class policy"] + keys + points)
            .joined(separator: "\n")
    }
}
