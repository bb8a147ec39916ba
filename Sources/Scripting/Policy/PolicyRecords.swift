import Circulation
import LuaRuntime

/// The records that a policy's functions are given: those of the case, its calendar, and the steps of a rule's fine.
package enum PolicyRecords {
    static let calendar = LuaRecordType(name: "case.calendar", fields: CalendarMethod.allCases.map(\.rawValue))

    static let fineStep = CaseRecord<FineStep>(
        "rule.fine_steps", "One step of a fine that changes with lateness.",
        [
            .init("from", "the lateness it begins with") { $0.from },
            .init("to", "the lateness it ends with; nil: without end") { $0.to },
            .init("fine", "for each `per`") { $0.fine },
        ])

    private static let collected: (types: [LuaRecordType], references: [APIRecordType]) = {
        var types: [LuaRecordType] = []
        var references: [APIRecordType] = []
        CaseRecords.question.collect(&types, &references)
        fineStep.collect(&types, &references)
        return (types + [calendar], references)
    }()

    /// The types of all records but `rule`, whose fields differ from policy to policy.
    static var types: [LuaRecordType] { collected.types }

    /// The same with types and meanings, for documentation; `case.calendar` has methods instead of fields.
    package static var references: [APIRecordType] { collected.references }

    /// All chains that a function may read from `case`, such as `patron.loans[].branch`.
    package static let casePaths: [String] =
        CaseRecords.question.paths().map(\.path) + calendar.fields.map { "calendar.\($0)" }
}
