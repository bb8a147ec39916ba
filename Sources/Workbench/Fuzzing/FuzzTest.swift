import TextFormats

/// The test that a finding is printed as: it fails as long as the policy does it.
enum FuzzTest {
    static func text(_ complaint: FuzzJudge.Complaint, _ object: JSONObject) -> String {
        let point = object["point"]?.stringValue ?? "checkout"
        let body =
            switch complaint.code {
            case .crash, .tooSlow, .nonAnswer, .negativeFine: answering(object)
            case .unstable: stable(object)
            case .fallingFine: rising(object, complaint.other ?? object)
            case .missedDay: kept(object, complaint.other ?? object)
            case .limitGrowsWithDebts: falling(object, complaint.other ?? object)
            case .dueBeforeNow: answering(object)
            case .renewBeforeDue where complaint.message.contains(" lies before "): answering(object)
            case .renewBeforeDue: later(object, complaint.message)
            case .dueOnClosedDay, .dueBeyondLimit: notDue(object, complaint.message)
            }
        let name = LuaText.quoted("\(point): \(name(complaint.code))")
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        return "test(\(name), function()\n" + lines.map { "    \($0)\n" }.joined() + "end)"
    }

    private static func name(_ code: FuzzFinding.Code) -> String {
        switch code {
        case .crash: "answers without an error"
        case .tooSlow: "comes to an end"
        case .nonAnswer: "gives an answer"
        case .unstable: "answers one case in one way"
        case .negativeFine: "no fine is negative"
        case .fallingFine: "a fine does not fall"
        case .dueBeforeNow: "nothing is due before it is lent"
        case .renewBeforeDue: "a renewal ends no earlier than the loan"
        case .dueOnClosedDay: "nothing is due on a closed day"
        case .dueBeyondLimit: "nothing is due beyond the limit"
        case .missedDay: "a stage is not lost with a day"
        case .limitGrowsWithDebts: "who owes more may not more"
        }
    }

    private static func answering(_ object: JSONObject) -> String {
        "expect(given \(LuaText.table(object)), { failure = none })"
    }

    private static func stable(_ object: JSONObject) -> String {
        """
        local case = \(LuaText.table(object))
        local first = given(case)
        for _ = 1, 8 do
            expect(given(case), first)
        end
        """
    }

    private static func rising(_ object: JSONObject, _ later: JSONObject) -> String {
        """
        local sooner = given \(LuaText.table(object))
        local later = given \(LuaText.table(later))
        assert((later.fine or money "0.00") >= (sooner.fine or money "0.00"), "the fine fell")
        """
    }

    private static func kept(_ object: JSONObject, _ later: JSONObject) -> String {
        """
        local day = given \(LuaText.table(object))
        local next = given \(LuaText.table(later))
        assert(#day.notices == 0 or #next.notices > 0, "what was not sent on its day is not sent on the next")
        """
    }

    private static func falling(_ object: JSONObject, _ more: JSONObject) -> String {
        """
        local less = given \(LuaText.table(object))
        local more = given \(LuaText.table(more))
        assert(less.answer == "allow" or more.answer ~= "allow", "who owes more was allowed more")
        """
    }

    /// The desk refuses such a renewal, and says where it would end.
    private static func later(_ object: JSONObject, _ message: String) -> String {
        """
        local decision = given \(LuaText.table(object))
        local ends = \(LuaText.quoted(date(in: message)))
        assert(not (decision.message or ""):find(ends, 1, true), \(LuaText.quoted(message)))
        """
    }

    /// The date that a message names first.
    private static func date(in message: String) -> String {
        message.split(separator: " ").lazy.map { $0.trimmingSuffix { $0 == "," } }
            .first { $0.first?.isNumber == true }.map(String.init) ?? ""
    }

    private static func notDue(_ object: JSONObject, _ message: String) -> String {
        // The message names the date that must not be answered.
        let date = date(in: message)
        let field = date.contains("T") ? "due_at" : "due"
        return """
            local decision = given \(LuaText.table(object))
            assert(tostring(decision.\(field)) ~= \(LuaText.quoted(date)), \(LuaText.quoted(message)))
            """
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, predicate(last) { text = text.dropLast() }
        return text
    }
}
