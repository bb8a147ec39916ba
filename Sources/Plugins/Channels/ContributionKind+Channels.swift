import Circulation
import Desk
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

extension ContributionKind {
    /// A way by which messages reach patrons: `channels = { pager = function(notice) ... end }`, known as `PLUGIN:pager`.
    ///
    /// The function gives `true` where the other side has taken the message over, a text where it never will, and
    /// `{ retry = "why" }` where it may later.
    package static let channels = ContributionKind(
        "channels", "a channel", .table,
        [
            Field(run, .function, isRequired: true), Field("address", .oneOf(["email", "phone"])),
            Field("per_minute", .integer), Field("quiet_hours", .text),
        ],
        faults: { entry, _ in
            var faults: [Fault] = []
            if !PluginPart.isName(entry.name) {
                faults.append(Fault(nil, "the name of a channel is lower-case letters, digits, - and _"))
            }
            if let most = entry.values["per_minute"]?.integerValue, !(1...100_000).contains(most) {
                faults.append(Fault("per_minute", "of a channel is from 1 to 100000"))
            }
            if let hours = entry.text("quiet_hours"), QuietHours(parsing: hours) == nil {
                faults.append(Fault("quiet_hours", "of a channel is two times of day, such as \"21:00-08:00\""))
            }
            return faults
        },
        argument: { _, _, _ in ChannelNotice.fields })
}

/// A message as the function of a channel has it.
enum ChannelNotice {
    /// Its fields, each with its value; nil: there is none.
    private static let values: [(name: String, value: @Sendable (Consignment, String?) -> LuaValue?)] = [
        // The same at each try of the message, and no other's.
        ("key", { one, _ in .string(one.identity) }),
        ("address", { _, address in address.map { .string($0) } }),
        ("subject", { one, _ in .string(one.notice.subject) }),
        ("body", { one, _ in .string(one.notice.body) }),
        ("channel", { one, _ in .string(one.notice.channel) }),
        ("kind", { one, _ in .string(one.notice.kind) }),
        ("stage", { one, _ in .string(one.notice.stage) }),
        ("created_at", { one, _ in LuaValue(one.notice.createdAt) }),
        ("due_at", { one, _ in one.notice.dueAt.map { LuaValue($0) } }),
        ("loan", { one, _ in one.notice.loan.map { .integer($0) } }),
        ("tries", { one, _ in .integer(one.notice.tries) }),
        ("patron", { one, _ in .patron(one.recipient) }),
    ]

    /// What a check follows.
    static let fields = FieldTree(
        Dictionary(values.map { ($0.name, FieldTree.leaf) }, uniquingKeysWith: { first, _ in first }))

    static func table(_ consignment: Consignment, _ address: String?) -> LuaValue {
        .table(LuaTable(fields: values.compactMap { name, value in value(consignment, address).map { (name, $0) } }))
    }
}
