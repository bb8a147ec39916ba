/// Version 1 of the schema of neutral facts.
///
/// A neutral fact names no other system's words: each field has one meaning, an operation is a code, and a reason is the
/// code with which this desk refuses.
package enum Schema {
    package static let version: Int64 = 1

    /// The areas of facts.
    package static let areas = ["closed-days", "due-date", "renewals", "limits", "fines", "holds", "notices"]

    package static let records: [SchemaRecord] = [
        fact, given, calendar, yearly, rule, fineStep, limit, standing, notice, recall, demand, patron, block, copy,
        loan,
        hold, step, expect,
    ]

    private static let named = Dictionary(uniqueKeysWithValues: records.map { ($0.name, $0) })

    static func record(_ name: SchemaRecord.Name) -> SchemaRecord {
        named[name] ?? SchemaRecord(name: name, summary: "", fields: [])
    }

    private static let fact = SchemaRecord(
        name: .fact, summary: "A line of the file.",
        fields: [
            SchemaField("schema", .number, "The version of the schema: 1."),
            SchemaField("id", .text, "The fact's name; no two facts of a file share one."),
            SchemaField("source", .text, "Where it was found; of it nothing is read."),
            SchemaField("area", .code(areas), "The area under which it is counted."),
            SchemaField("note", .text, "Remarks; of them nothing is read."),
            SchemaField("given", .record(.given), "What stands before the first step."),
            SchemaField("steps", .list(.record(.operation)), "What is done, one after the other."),
            SchemaField("expect", .record(.expect), "What is found after the last step, in any of its results."),
        ])

    private static let step = SchemaRecord(
        name: .operation, summary: "Something that is done, and what is expected of it.",
        fields: [
            SchemaField("op", .code(SchemaOperation.all.map(\.code)), "What is done: see Operations."),
            SchemaField("at", .moment, "When; without it, when the step before was done, the first at `given.now`."),
            SchemaField("times", .count, "How often it is done; what is expected is expected of the last time."),
            SchemaField("expect", .record(.expect), "What is found after this step."),
        ] + operands)

    /// What steps are told, each with one meaning whatever the operation.
    private static let operands = [
        SchemaField("patron", .text, "By whom; otherwise the first patron (`reader`)."),
        SchemaField("copy", .text, "Which copy; otherwise the first (`copy`)."),
        SchemaField("title", .text, "Which title, any copy of it; of holds."),
        SchemaField("branch", .text, "Where; otherwise `main`."),
        SchemaField("on_site", .flag, "Whether it is lent to be read in the library."),
        SchemaField("override", .flag, "Whether staff go on in spite of a refusal that may be overridden."),
        SchemaField(
            "channel", .code(["desk", "self", "web", "job"]),
            "The way by which it is asked for; only at the desk and the machine (`self`) a copy is seen."),
        SchemaField("dated", .moment, "The moment that is written down for a return, where it is not the present one."),
        SchemaField("due", .moment, "The due time that staff set."),
        SchemaField("pickup", .text, "The branch at which a hold is to be picked up."),
        SchemaField("expires", .date, "The last day on which a hold is wanted."),
        SchemaField("until", .date, "The last day of a block or a suspended hold."),
        SchemaField("to", .number, "The place in the queue to which a hold is moved, from 1."),
        SchemaField(
            "places", .list(.number), "The places that those who wait are to have, in the order of their holds."),
        SchemaField("stage", .text, "The stage of a notice that staff ask for."),
        SchemaField("amount", .money, "How much is paid, charged, forgiven or given back."),
        SchemaField("what", .code(["fine", "lost_fee"]), "Which line of the loan's account is forgiven, as a whole."),
        SchemaField("kind", .text, "What a block is called."),
        SchemaField(
            "date", .either(.moment, .list(.moment)), "The day asked about, or closed; of closures also several."),
        SchemaField("from", .moment, "The first of two days or moments, or where counting begins."),
        SchemaField("until_day", .moment, "The last of two days."),
        SchemaField("days", .number, "How many days are added; fewer than 0 go back."),
        SchemaField(
            "mode", .code(["days", "open_days", "next_open"]),
            "How days are added: all count; open ones count; all count, and a closed day moves on the way that was counted."
        ),
        SchemaField("inclusive", .flag, "Whether the first day counts as well."),
        SchemaField("between", .flag, "Whether neither of the two days counts."),
        SchemaField("field", .text, "The field of the rule that is asked for."),
        SchemaField("page", .count, "How many loans are looked at, after which the sweep is broken off."),
    ]

    /// What can be found, each with one meaning whatever the operation.
    private static let expect = SchemaRecord(
        name: .expect, summary: "What is found. A moment that is expected as a date alone is compared by its day.",
        fields: ResultGroup.allCases.flatMap(\.fields))
}
