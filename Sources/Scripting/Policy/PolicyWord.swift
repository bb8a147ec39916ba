import LuaRuntime

/// A word that policies find ready beside the values' words: `policy`, the answers, `standard`.
package struct PolicyWord: Sendable {
    package var name: String
    /// As it is written: `deny(code, message, options)`.
    package var signature: String
    /// One sentence for help and documentation.
    package var summary: String

    /// All of them, in the order of the documentation. What they do is the prelude's and ``PolicyMachine``'s.
    package static let all: [PolicyWord] = [
        PolicyWord(name: "policy", signature: "policy { ... }", summary: "Makes a policy of its tables and functions."),
        PolicyWord(
            name: "deny", signature: "deny(code, message, { override = true })",
            summary: "Refuses; with `override`, staff with a reason may go on all the same."),
        PolicyWord(
            name: "allow", signature: "allow { despite = { \"limit\" } }",
            summary:
                "Allows; `despite` names standard checks that shall not count, `due` sets a renewal's due date, `priority`"
                + " a hold's place in its queue: a greater one goes first, 0 is ordinary."),
        PolicyWord(
            name: "confirm", signature: "confirm(code, message)",
            summary: "Asks: staff with a reason go on, self-service is refused."),
        PolicyWord(
            name: "review", signature: "review(message)",
            summary: "At `publish`: staff are to decide; the message tells whoever offers it why."),
        PolicyWord(
            name: "notice", signature: "notice { stage =, channel =, subject =, body =, charge =, digest =, many = }",
            summary: "A notice to be recorded and sent."),
        PolicyWord(
            name: "charge", signature: "charge { key =, amount =, label = }",
            summary: "A charge, posted once under its key."),
        PolicyWord(
            name: "suspend", signature: "suspend(days(3))", summary: "Suspends the patron from borrowing, from today."),
        PolicyWord(
            name: "declare_lost", signature: "declare_lost { fee = }",
            summary:
                "The copy counts as lost from now on; `fee` stands in place of the rule's `lost_fee`, `none` for nothing."
        ),
        PolicyWord(
            name: "exact", signature: "exact(instant)",
            summary: "A due time that keeps its hour and minute; of a date, `exact(date, \"11:30\")`."),
        PolicyWord(
            name: "standard", signature: "standard(case, rule)",
            summary: "What the desk would answer if there were no function."),
    ]

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
enum PolicyPrelude {
    static let chunk = "=prelude"

    /// Returns the words in the order of ``names``.
    static let source = """
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

        return deny, allow, confirm, review, notice, charge, suspend, declare_lost
        """

    static let names = ["deny", "allow", "confirm", "review", "notice", "charge", "suspend", "declare_lost"]
}
