import Circulation
import Desk

/// The language of policies written out, made from the tables that the loader and the check read.
package enum PolicyReference {
    /// The whole of it as Markdown; the text ends with a line feed.
    package static func markdown() -> String {
        let parts = [
            heading, keys, points, conditions, order, ruleFields, otherRows, caseFields, words, answers, messages,
            digests,
        ]
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private static let heading = [
        "# The language of policies", "",
        "<!-- Generated from its declaration by `moonshelf api --policies`. Do not edit. -->", "",
        "A policy is a Lua file that returns `policy { ... }`. It is asked with a *case* and answers with a *decision*; it",
        "reads no clock and no file, and keeps nothing between two questions.",
    ]

    private static var keys: [String] {
        ["## Keys", "", "| key | |", "|---|---|"] + PolicyKey.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
    }

    private static var points: [String] {
        var lines = [
            "## Decision points", "",
            "A key of one of these names holds a function of `(case, rule)`. Beside what every case has (`now`, `branch`,",
            "`calendar`, `actor`, `patron`), the case has the parts named here; those in brackets only in some cases.",
            "",
            "| point | asked | the case has | may answer | if it answers nothing |", "|---|---|---|---|---|",
        ]
        for reference in PointReference.all {
            let parts = reference.present.map { "`\($0)`" } + reference.possible.map { "[`\($0)`]" }
            lines.append(
                "| `\(reference.point.rawValue)` | \(reference.asked) | \(parts.joined(separator: " ")) "
                    + "| \(reference.answers) | \(reference.standard) |")
        }
        lines += ["", "If a function fails (an error, a limit, an answer that is none):", ""]
        for (mode, words) in failures {
            let points = DecisionPoint.allCases.filter { $0.failureMode == mode }.map { "`\($0.rawValue)`" }
            lines.append("- \(points.joined(separator: ", ")): \(words)")
        }
        return lines
    }

    private static let failures: [(mode: DecisionPoint.FailureMode, words: String)] = [
        (.refuse, "the request is refused with `policy_failed`"),
        (.carryOn, "the desk goes on and records the failure"),
        (.skip, "this loan is skipped and counted"),
    ]

    private static var conditions: [String] {
        [
            "## Conditions of rows", "",
            "A value, a list of values, or nothing, which holds for all: "
                + RowConditions.names.map { "`\($0)`" }.joined(separator: ", ")
                + ". A branch, category or item type is met by those below it too, however deep; where rows are read by "
                + "`match`, of two that name the same conditions the upper one still goes first. `location` is the "
                + "copy's own word, to the letter. `when` is a function of the case.",
        ]
    }

    private static let order = [
        "## Order of rows", "",
        "Rows of `rules` are read as written: each group of fields comes from the first row that matches and sets it.",
        "",
        "`match = { \"branch\", \"category\", \"item_type\" }` reads them by importance instead, for tables that come from",
        "systems that work so: of two rows that match, the one that has the first condition named wins over one that has",
        "not; if both or neither have it, the next condition decides. A row for the copy's own item type wins over one for a",
        "parent of that type. Rows alike in all that are read as written, and conditions that `match` does not name must hold",
        "but weigh nothing. With `whole = true` the winning row sets all groups, and what it leaves unset has its default.",
        "`limits` and `notices` are read as written in either case.",
    ]

    private static var ruleFields: [String] {
        var lines = [
            "## Fields of `rules`", "",
            "Fields of a group are taken together from the first matching row that sets any of them. `none` sets a field to",
            "nothing and ends the search; zero is a value.", "",
            "Other names are an error, since a row whose condition is misspelt would hold for everybody. A library may have",
            "fields of its own all the same, each a group alone, and functions read them as `rule.shelf_mark`. They are named",
            "by `fields = { \"shelf_mark\" }`; a field that a function in the policy's own file reads of its `rule` is known",
            "without that.",
            "",
            "| field | group | type | default | |", "|---|---|---|---|---|",
        ]
        for field in RuleField.all {
            let kind =
                field.choices.isEmpty ? field.kind.rawValue : field.choices.map { "`\($0)`" }.joined(separator: " ")
            let standard = field.standard.map { "`\(text(of: $0))`" } ?? "nothing"
            lines.append("| `\(field.name)` | \(field.group.name) | \(kind) | \(standard) | \(field.summary) |")
        }
        return lines
    }

    static func text(of value: RuleValue) -> String {
        switch value {
        case .none: "none"
        case .unlimited: "unlimited"
        case .boolean(let it): String(it)
        case .integer(let it): String(it)
        case .text(let it): it
        case .period(let it): it.description
        case .money(let it): it.description
        case .date(let it): it.description
        case .fineSteps, .free: "a table"
        }
    }

    private static var otherRows: [String] {
        [
            "## Fields of `limits`, `notices` and `membership`", "",
            "`limits`: " + PolicyKey.limitFields.map { "`\($0)`" }.joined(separator: ", ")
                + "; every matching row counts the open loans that meet its own conditions, and `unlimited` ends the reading. "
                + "With `within` it counts the loans that began in that time, returned ones as well; with `per = \"title\"` those "
                + "of the title that is asked for. A row with `owed_for` holds for who owes something for so long, one with "
                + "`owed` for who owes so much or more. With `of = \"household\"` (or `guardians`, `dependents`, `family`) it "
                + "counts all open loans of these patrons together, and `owed` is about their debts. "
                + "Loans that the patron claims to have returned count, unless the row says `claimed = \"not counted\"`.",
            "", "`notices`: " + PolicyKey.noticeFields.map { "`\($0)`" }.joined(separator: ", ") + ".",
            "",
            "`membership`: " + PolicyKey.membershipFields.map { "`\($0)`" }.joined(separator: ", ")
                + "; of the conditions "
                + PolicyKey.membershipConditions.map { "`\($0)`" }.joined(separator: ", ")
                + ". The first row that holds says when the membership ends of who registers or renews it: after a time "
                + "(`lasts`, a period or `unlimited`), on the next such day of the year (`until_day = \"09-30\"`; one that "
                + "comes before `at_least` is over is left to the year after), on a date, or on the day before the patron "
                + "reaches an age. Of several the earliest counts. A row whose date has passed, or whose `until_age` is "
                + "reached, does not hold; nor does one with an age where the birth date is unknown. A renewal counts from "
                + "the end of the membership, or from today if that has passed; with `renew_from = \"now\"` always from "
                + "today.",
        ]
    }

    private static var caseFields: [String] {
        var lines = ["## Fields of the case"]
        for record in PolicyRecords.references where record.name.hasPrefix("case") {
            let name = listed.contains(record.name) ? "\(record.name)[]" : record.name
            lines += ["", "### `\(name)`", "", record.summary, "", "| field | type | |", "|---|---|---|"]
            lines += record.fields.map { field in
                let type = field.type.name.replacing("|", with: "\\|")
                return "| `\(field.name)` | \(type) | \(field.note) |"
            }
        }
        lines += [
            "", "### `case.calendar`", "", "A date gives a date, an instant an instant at the same time of day.", "",
        ]
        lines += ["| function | |", "|---|---|"]
        return lines + CalendarMethod.allCases.map { "| `case.calendar.\($0.signature)` | \($0.summary) |" }
    }

    /// The records that stand in lists.
    private static let listed: Set<String> = {
        let types = PolicyRecords.references.flatMap { $0.fields.map(\.type) }
        return Set(types.compactMap { if case .list(.record(let name)) = $0 { name } else { nil } })
    }()

    private static var words: [String] {
        ["## Words", "", "| word | |", "|---|---|"]
            + LuaValues.words.map { "| `\($0.signature)` | \($0.summary) |" }
            + PolicyWord.all.map { "| `\($0.signature)` | \($0.summary) |" }
            + [
                "",
                "Examples, each a piece of a policy and a case of `docs/testing-policies.md`; behind `-->` stands what matters of",
                "the decision. Each was run, and gave just that; a piece without `rules` beside `rules = { { loan = days(14) } }`.",
                "", "```lua",
                PolicyWord.all.compactMap { $0.example?.lines.joined(separator: "\n") }.joined(separator: "\n\n"),
                "```",
            ]
    }

    private static var answers: [String] {
        let despite = DecisionPoint.allCases.compactMap { point in
            let codes = AnswerReader.standardCodes(at: point).map { "`\($0)`" }.joined(separator: ", ")
            return codes.isEmpty ? nil : "- `\(point.rawValue)`: \(codes)"
        }
        return [
            "## Answers", "",
            "`request`, `checkout`, `renew` and `hold` answer nothing, `deny` or `confirm`; all but `request` also `allow`. All",
            "reasons are given, those of the tables first. If all there is are questions (`confirm`, or `same_title = \"confirm\"`),",
            "the answer is a question: a refusal with `details.confirm`. If every reason is a question or a `deny` with",
            "`override`, the refusal has `details.override`, and staff with `loans.override` go on with `override` and a",
            "`reason`, which become an event; self-service and jobs are refused.", "",
            "A function that hands on what `standard` gave it adds no second reason, but says how much it weighs:",
            "`deny(answer.code, answer.message, { override = true })` lets staff override a limit.", "",
            "`allow { despite = { ... } }` sets standard checks aside, and no others:", "",
        ] + despite + [
            "",
            "At `renew`, `allow` without `despite` sets aside whatever the rule counts, but not what speaks against the patron.",
        ]
    }

    private static var messages: [String] {
        [
            "## Messages and templates", "",
            "`messages` words any code, of the desk or of the policy's own functions, for every request that is refused with it:",
            "a text, or texts by language. A patron reads the text of their language, else that of its main language (`de` for",
            "`de-AT`), else English, else the first by name; who reads English, and finds none, reads the desk's own words.",
            "",
            "Texts of `notices` are texts, or texts by language as well. They may name " + fields(.notice) + ".", "",
            "Texts of `messages` may also name "
                + TemplateContext.Field.allCases.filter { !$0.uses.contains(.notice) && $0.uses.contains(.message) }
                .map { "`{{\($0.rawValue)}}`" }.joined(separator: ", ")
                + ": what the desk itself would say, and its figures.", "",
            "What is filled in is never read as a template again, nor is the text of a `deny` or `confirm`.",
        ]
    }

    private static var digests: [String] {
        [
            "## Several notices in one", "",
            "With `digest = \"patron\"` a patron's notices of one run, of one stage and channel, become one message. A single one",
            "goes out under the row's own `subject` and `body`; for several, `many` has the words, with a line for each loan:",
            "",
            "```lua",
            "{ stage = \"first\", after = days(1), channel = \"email\", digest = \"patron\",",
            "  subject = \"Overdue: {{title.title}}\", body = \"Dear {{patron.name}}, please return {{title.title}}.\",",
            "  many = {",
            "      subject = \"{{count}} titles are overdue\",",
            "      line = \"- {{title.title}}, due on {{loan.due}}\",",
            "      body = \"Dear {{patron.name}}, please return:\\n{{list}}\" } }",
            "```", "",
            "`subject` and `body` of `many` may name " + fields(.digest) + "; `line` what a notice may, and is",
            "`\(NoticeDigest.standardLine.anyText(in: nil))` where it is left out. Without `many`, the single texts stand one below",
            "the other. Each loan is recorded as noticed all the same, with the message that carries its words, and its `charge`",
            "is posted for it alone; so no patron is told twice. As long as the message waits, a loan that comes back, or is due at",
            "another time, loses its line.",
        ]
    }

    private static func fields(_ use: TemplateContext.Use) -> String {
        TemplateContext.Field.all(for: use).map { "`{{\($0.rawValue)}}`" }.joined(separator: ", ")
    }
}
