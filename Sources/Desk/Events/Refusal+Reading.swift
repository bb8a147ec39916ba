import Circulation
import TextFormats

extension EventPayload {
    /// A refusal as ``Refusal/json`` has it.
    func refusal() throws -> Refusal {
        let details = try inner("details")
        var refusal = Refusal(
            reasons: try details.inners("reasons").map { try $0.reason() }, isTemplate: try flag("template"),
            mayBeOverridden: try details.flag("override"), policy: try optionalText("policy"))
        refusal.code = try text("code")
        refusal.message = try text("message")
        refusal.origin = try optionalInner("where")?.origin()
        refusal.isQuestion = try details.flag("confirm")
        return refusal
    }

    private func reason() throws -> Refusal.Reason {
        var figures = object
        for key in ["code", "message", "title", "where", "template"] { figures[key] = nil }
        return Refusal.Reason(
            code: try text("code"), message: try text("message"), title: try optionalInteger("title"),
            origin: try optionalInner("where")?.origin(), figures: figures,
            isTemplate: try flag("template"))
    }

    func origin() throws -> RuleOrigin {
        let row = try optionalInner("row")
        return RuleOrigin(
            table: try row?.optionalChoice("table", PolicyTable.self),
            row: try row?.optionalInteger("row").flatMap { Int(exactly: $0) }, field: try optionalText("field"),
            file: try text("file"), line: Int(exactly: try integer("line")) ?? 0)
    }
}
