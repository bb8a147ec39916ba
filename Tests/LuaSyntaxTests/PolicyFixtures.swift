import LuaSyntax

/// Sources the analyses are tried on.
enum PolicyFixtures {
    /// The example of the policy language's description, shortened.
    static let university = """
        local function owes(case) return case.patron.fees_owed >= money "25.00" end

        return policy {
            api = 1,
            name = "university",
            limits = {
                { category = "staff", max = unlimited },
                { item_type = { "dvd", "bluray" }, max = 2 },
                { max = 8 },
            },
            rules = {
                { item_type = "reference", lend = false, reason = "Reference works stay." },
                { when = function(case) return case.patron.age < 12 end,
                  loan = days(7) },
                row { loan = days(3) },
                { loan = days(14), renewals = 1 },
            },
            notices = {
                { stage = "soon", before = days(2), channel = "email" },
            },
            checkout = function(case, rule)
                if owes(case) then
                    return deny("fees_owed", "Please settle your fees first.", { override = true })
                end
            end,
            due = function(case, rule)
                local title = case.title
                if title.holds_waiting > 3 then return case.now + days(7) end
            end,
        }
        """

    /// A policy whose `checkout` has the given body.
    static func checkout(_ body: String, before: String = "") -> String {
        "\(before)\nreturn policy { checkout = function(case, rule)\n\(body)\nend }"
    }

    static let caseFields = FieldTree(paths: [
        "now", "branch", "calendar.is_open", "calendar.next_open", "patron.id", "patron.category", "patron.age",
        "patron.fees_owed", "patron.loans[].title", "patron.loans[].due_at", "patron.blocks[].kind", "patron.extra",
        "title.holds_waiting", "title.genres[]", "title.extra",
    ])

    static let ruleFields = FieldTree(paths: ["loan", "renewals", "fine", "grace"])

    static let known = KnownNames(paths: [
        "policy", "days", "money", "deny", "unlimited", "case", "pairs", "ipairs", "row", "table.insert", "table.sort",
        "table.concat", "string.rep", "string.format", "catalogue.get", "catalogue.search", "require",
    ])
}
