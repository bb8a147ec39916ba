import Circulation
import LuaRuntime

/// A word that policies or their tests find ready beside the values' words: `policy`, the answers, `standard`.
package struct PolicyWord: Sendable {
    package let name: String
    /// As it is written: `deny(code, message, options)`.
    package let signature: String
    /// One sentence for help and documentation.
    package let summary: String
    package let parameters: [APIParameter]
    package let result: APIResult
    /// nil for words whose guide shows them: those of tests.
    package let example: PolicyExample?

    package init(
        _ name: String, _ signature: String, _ summary: String, _ parameters: [APIParameter],
        returns result: APIResult = .nothing, example: PolicyExample? = nil
    ) {
        self.name = name
        self.signature = signature
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.example = example
    }

    /// All words of policies, in the order of the documentation. What they do is the prelude's and ``PolicyMachine``'s.
    package static let all: [PolicyWord] = [
        PolicyWord(
            "policy", "policy { ... }", "Makes a policy of its tables and functions.",
            [.required("given", .record("policy"), "")], returns: .value(.record("policy")),
            example: PolicyExample(
                #"rules = { { loan = days(14) } }"#, given: #"{}"#, #"{ answer = "allow", due = date "2026-01-29" }"#)),
        PolicyWord(
            "deny", "deny(code, message, { override = true })",
            "Refuses; with `override`, staff with a reason may go on all the same.",
            [
                .required("code", .text, ""), .required("message", .text, ""),
                .optional("options", .fields([.optional("override", .boolean, "")]), ""),
            ], returns: answer,
            example: PolicyExample(
                #"checkout = function(case) return deny("closing", "We close in five minutes.", { override = true }) end"#,
                given: #"{}"#, #"{ answer = "deny", code = "closing", override = true }"#)),
        PolicyWord(
            "allow", "allow { despite = { \"limit\" } }",
            "Allows; `despite` names standard checks that shall not count, `due` sets a renewal's due date, `priority`"
                + " a hold's place in its queue: a greater one goes first, 0 is ordinary.",
            [
                .optional(
                    "options",
                    .fields([
                        .optional("despite", .list(.choice(standardCodes)), ""), .optional("due", .date, ""),
                        .optional("priority", .integer, ""),
                    ]), "")
            ], returns: answer,
            example: PolicyExample(
                #"limits = { { max = 0 } }, checkout = function(case) return allow { despite = { "limit" } } end"#,
                given: #"{}"#, #"{ answer = "allow" }"#)),
        PolicyWord(
            "confirm", "confirm(code, message)", "Asks: staff with a reason go on, self-service is refused.",
            [.required("code", .text, ""), .required("message", .text, "")], returns: answer,
            example: PolicyExample(
                #"checkout = function(case) return confirm("fragile", "Has it been looked at?") end"#, given: #"{}"#,
                #"{ answer = "confirm", code = "fragile", message = "Has it been looked at?" }"#)),
        PolicyWord(
            "review", "review(message)",
            "At `publish`: staff are to decide; the message tells the person who offers it why.",
            [.optional("message", .text, "")], returns: answer,
            example: PolicyExample(
                #"publish = function(case) return review("Staff look at it first.") end"#,
                given: #"{ point = "publish" }"#, #"{ answer = "review", message = "Staff look at it first." }"#)),
        PolicyWord(
            "notice", "notice { stage =, channel =, subject =, body =, charge =, digest =, many = }",
            "A notice to be recorded and sent.",
            [
                .required(
                    "given",
                    .fields([
                        .optional("stage", .text, ""), .required("channel", .text, ""), .required("subject", .text, ""),
                        .required("body", .text, ""), .optional("charge", .money, ""),
                        .optional("digest", .choice(["patron"]), ""), .optional("many", .record("digest_texts"), ""),
                    ]), "")
            ], returns: effect,
            example: PolicyExample(
                #"overdue = function(case) return notice { stage = "late", channel = "email", subject = "Late", body = "Please return it." } end"#,
                given: #"{ point = "overdue", loan = { days_overdue = 3 } }"#,
                #"{ notices = { { stage = "late", channel = "email", subject = "Late" } } }"#)),
        PolicyWord(
            "charge", "charge { key =, amount =, label = }", "A charge, posted once under its key.",
            [
                .required(
                    "given",
                    .fields([
                        .required("key", .text, ""), .required("amount", .money, ""), .optional("label", .text, ""),
                    ]), "")
            ], returns: effect,
            example: PolicyExample(
                #"checkin = function(case) return charge { key = "wet", amount = money "2.00", label = "Water damage" } end"#,
                given: #"{ point = "checkin" }"#,
                #"{ charges = { { key = "wet", amount = money "2.00", label = "Water damage" } } }"#)),
        PolicyWord(
            "suspend", "suspend(days(3))", "Suspends the patron from borrowing, from today.",
            [.required("period", .period, "")], returns: effect,
            example: PolicyExample(
                #"checkin = function(case) return suspend(days(3)) end"#, given: #"{ point = "checkin" }"#,
                #"{ suspended_until = date "2026-01-18" }"#)),
        PolicyWord(
            "declare_lost", "declare_lost { fee = }",
            "The copy counts as lost from now on; `fee` stands in place of the rule's `lost_fee`, `none` for nothing.",
            [.optional("options", .fields([.optional("fee", .any, "money or `none`")]), "")], returns: effect,
            example: PolicyExample(
                #"rules = { { loan = days(14), lost_after = days(42) } }, lost = function(case) return declare_lost { fee = money "20.00" } end"#,
                given: #"{ point = "lost", loan = { days_overdue = 60 } }"#,
                #"{ lost = true, lost_fee = money "20.00" }"#)),
        PolicyWord(
            "exact", "exact(instant)",
            "A due time that keeps its hour and minute; of a date, `exact(date, \"11:30\")`.",
            [.required("moment", .date, ""), .optional("time", .text, "of a date")], returns: .value(.instant),
            example: PolicyExample(
                #"due = function(case) return exact(date "2026-01-16", "11:30") end"#, given: #"{}"#,
                #"{ due_at = "2026-01-16T11:30:00Z" }"#)),
        PolicyWord(
            "has", "has(list, value)",
            "Whether a list has a value, or one of several, as the conditions of rows ask it: of `case.patron.categories`"
                + " it is true for a category and for all below it. Of nothing it is false.",
            [.required("list", .list(.any), ""), .required("wanted", .any, "a value or a list of values")],
            returns: .value(.boolean),
            example: PolicyExample(
                #"checkout = function(case) if has(case.patron.categories, "child") then return deny("child", "No.") end end"#,
                given: #"{ patron = { categories = { "toddler", "child" } } }"#,
                #"{ answer = "deny", code = "child" }"#)),
        PolicyWord(
            "standard", "standard(case, rule)", "What the desk would answer if there were no function.",
            [.required("case", .record("case"), ""), .required("rule", .record("rule"), "")], returns: .value(.any),
            example: PolicyExample(
                #"fine = function(case, rule) return standard(case, rule) * 2 end, rules = { { loan = days(14), fine = money "0.20" } }"#,
                given: #"{ point = "fine", loan = { days_overdue = 3 } }"#, #"{ fine = money "1.20" }"#)),
    ]

    private static let answer = APIResult.value(.record("answer"))
    private static let effect = APIResult.value(.record("effect"))

    /// The codes that `despite` may name, at any point.
    private static let standardCodes = DecisionPoint.allCases.flatMap(AnswerReader.standardCodes(at:))
        .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }

    /// Libraries and functions of the policy profile's Lua that a policy may name.
    package static let luaNames: [String] = {
        let base = [
            "assert", "error", "ipairs", "next", "pairs", "pcall", "print", "require", "select", "tonumber", "tostring",
            "type", "xpcall", "math.pi", "math.huge", "math.maxinteger", "math.mininteger", "_VERSION",
        ]
        let string = [
            "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize", "rep",
            "reverse", "sub", "unpack", "upper",
        ]
        let math = [
            "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "log", "max", "min", "modf",
            "rad", "sin", "sqrt", "tan", "tointeger", "type", "ult",
        ]
        return base + string.map { "string." + $0 } + math.map { "math." + $0 }
            + ["concat", "insert", "move", "pack", "remove", "sort", "unpack"].map { "table." + $0 }
            + ["char", "charpattern", "codepoint", "codes", "len", "offset"].map { "utf8." + $0 }
    }()

    /// Every name a policy may use, with members as paths.
    package static var names: [String] { luaNames + LuaValues.words.map(\.name) + all.map(\.name) }
}

/// The part of the words that is Lua: answers are small tables, cheapest made where they are returned.
package enum PolicyPrelude {
    package static let chunk = "=prelude"

    /// Returns the words in the order of ``names``.
    package static let source = """
        local type, error = type, error

        local function check(condition, message)
            if not condition then error(message, 3) end
        end

        local function deny(code, message, options)
            check(type(code) == "string", "deny: argument 1 must be the code of the refusal, a text")
            check(type(message) == "string", "deny: argument 2 must be the message, a text")
            if options == nil then return { answer = "deny", code = code, message = message } end
            check(type(options) == "table", "deny: argument 3 must be a table such as { override = true }")
            for key in pairs(options) do
                check(key == "override", "deny: argument 3 has no field '" .. tostring(key) .. "'; it takes override")
            end
            return { answer = "deny", code = code, message = message, override = options.override == true }
        end

        local function confirm(code, message)
            check(type(code) == "string", "confirm: argument 1 must be the code of the question, a text")
            check(type(message) == "string", "confirm: argument 2 must be the message, a text")
            return { answer = "confirm", code = code, message = message }
        end

        local function allow(options)
            if options == nil then return { answer = "allow" } end
            check(type(options) == "table", "allow: argument 1 must be a table such as { despite = { \\"limit\\" } }")
            for key in pairs(options) do
                check(key == "despite" or key == "due" or key == "priority",
                    "allow: there is no option '" .. tostring(key) .. "'; it takes despite, due and priority")
            end
            return { answer = "allow", despite = options.despite, due = options.due, priority = options.priority }
        end

        local function review(message)
            check(message == nil or type(message) == "string", "review: argument 1 must be the message, a text")
            return { answer = "review", message = message }
        end

        local function fields(name, given, known)
            if type(given) ~= "table" then error(name .. ": argument 1 must be a table of fields", 3) end
            local answer = { effect = name }
            for key, value in pairs(given) do
                if not known[key] then error(name .. ": there is no field '" .. tostring(key) .. "'", 3) end
                answer[key] = value
            end
            return answer
        end

        local notices = {
            stage = true, channel = true, subject = true, body = true, charge = true, digest = true, many = true,
        }
        local function notice(given)
            local answer = fields("notice", given, notices)
            return answer
        end

        local charges = { key = true, amount = true, label = true }
        local function charge(given)
            local answer = fields("charge", given, charges)
            return answer
        end

        local function suspend(period)
            check(type(period) == "period", "suspend: argument 1 must be a period such as days(3)")
            return { effect = "suspend", period = period }
        end

        local losses = { fee = true }
        local function declare_lost(given)
            local answer = fields("declare_lost", given or {}, losses)
            return answer
        end

        local function has(list, wanted)
            if list == nil then return false end
            local kind, sought = type(list), type(wanted)
            check(kind == "table" or kind == "userdata",
                "has: argument 1 must be a list such as case.patron.categories, not " .. kind)
            check(wanted ~= nil, "has: argument 2 must be a value or a list of values")
            local several = sought == "table" or sought == "userdata"
            for index = 1, #list do
                local value = list[index]
                if several then
                    for place = 1, #wanted do
                        if wanted[place] == value then return true end
                    end
                elseif value == wanted then
                    return true
                end
            end
            return false
        end

        return deny, allow, confirm, review, notice, charge, suspend, declare_lost, has
        """

    package static let names = [
        "deny", "allow", "confirm", "review", "notice", "charge", "suspend", "declare_lost", "has",
    ]
}
