import Circulation
import TextFormats

/// What is known of a kind of event: its name, when it happens and what it has. References, completion, checks, scripts,
/// plugins and the feed for programs outside are made from it. The kinds themselves declare it: see ``EventKind``.
package struct EventDeclaration: Hashable, Sendable {
    /// `loan.made` and the like.
    package let name: String
    /// When it happens, as a sentence.
    package let summary: String
    /// What such an event has beside ``EventField/common``.
    package let fields: [EventField]

    /// All kinds that a log may have, in the order of the reference.
    package static let all: [EventDeclaration] = EventKinds.all.map(\.declaration)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The declaration of a name; nil where there is no such event.
    package static func named(_ name: String) -> EventDeclaration? { byName[name] }

    /// What to say about a name that no event has.
    package static func unknown(_ name: String) -> String {
        let hint = NameSuggestion.nearest(to: name, among: all.map(\.name)).map { "; did you mean '\($0)'?" }
        return "there is no event '\(SafeText.line(name))'" + (hint ?? "; moonshelf api --events lists them")
    }

    /// A field of that name, of the event's own or one that every event has.
    package func field(_ name: String) -> EventField? {
        (fields + EventField.common).first { $0.name == name }
    }

    /// The names of all fields, those first that every event has.
    package var fieldNames: [String] { (EventField.common + fields).map(\.name) }

    /// What to say about a field that the event, or one of its entries, does not have.
    ///
    /// - Parameter known: what there is; nil: all fields of the event.
    package func unknownField(_ field: String, among known: [String]? = nil) -> String {
        let known = known ?? fieldNames
        let hint = NameSuggestion.nearest(to: field, among: known).map { "did you mean '\($0)'?" }
        return "the event \(name) has no field '\(SafeText.line(field))'; "
            + (hint ?? "it has " + known.joined(separator: ", "))
    }
}

extension EventField {
    /// What every event has, whatever its kind.
    package static let common: [EventField] = [
        EventField("sequence", .plain(.integer), "its place in the log"),
        EventField("name", .plain(.text), "`loan.made` and the like"),
        EventField("at", .plain(.instant), "when it happened"),
        EventField("actor", .plain(.text), "who did it: `patron:ID`, or a program's name"),
    ]
}
