import Circulation
import Desk
import LuaRuntime

extension APIRecord<LinkedPatron> {
    static let link = APIRecord(
        "link", "A patron to whom another is linked.",
        [
            always("patron", .id, "the linked patron's id") { .integer($0.patron.id) },
            always("username", .text, "") { .string($0.patron.username) },
            always("name", .text, "their full name") { .string($0.patron.fullName) },
            always(
                "kind", .choice(LinkedPatron.Relation.allCases.map(\.rawValue)),
                "what they are: the guardian, a dependent for whom the other answers, or of the same `household`"
            ) { .string($0.relation.rawValue) },
            always("since", .instant, "since when; of a household since when both are in it") {
                .instant($0.since)
            },
        ])
}
