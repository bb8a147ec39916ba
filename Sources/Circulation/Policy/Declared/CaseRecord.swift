package import TextFormats

/// A part of the case, said once: what a policy's functions read, what files and the decision log hold, what the check
/// knows of it and what the reference says are made from this.
package struct CaseRecord<Part: Sendable>: Sendable {
    /// As the reference calls it: `case.patron`.
    package let name: String
    /// One sentence.
    package let summary: String
    /// In the order of the reference and of files.
    package let fields: [CaseField<Part>]
    /// The names that a file may write.
    package let names: [String]
    /// Writes the fields that files and the decision log have, one after the other.
    private let writers: [CaseField<Part>.Writer]

    package init(_ name: String, _ summary: String, _ fields: [CaseField<Part>]) {
        self.name = name
        self.summary = summary
        self.fields = fields
        names = fields.map(\.name)
        writers = fields.compactMap(\.writer)
    }

    /// Which of the fields has a name; nil: none.
    ///
    /// - Parameter next: the one that is looked at first. Files have most members in the order of the fields.
    func index(of name: String, from next: Int) -> Int? {
        names[next...].firstIndex(of: name) ?? names[..<next].firstIndex(of: name)
    }

    /// Writes the members of a part.
    package func write(_ part: Part, to json: inout JSONWriter) {
        for write in writers { write(part, &json) }
    }
}

/// One field of a part of the case. A class, so that a walk over the fields does not copy all of each.
package final class CaseField<Part: Sendable>: Sendable {
    /// How the field stands in JSON.
    package enum Writing: Sendable {
        /// Left out where it is absent.
        case ifThere
        /// Left out where it is absent, false, 0 or empty as well.
        case ifTelling
        /// Only where the part says so.
        case when(@Sendable (Part) -> Bool)
        /// Null where it is absent.
        case orNull
        /// The code alone or, with ancestors, the list of them.
        case chain(@Sendable (Part) -> [String])
        /// The same, left out where there is no code.
        case chainIfAny(@Sendable (Part) -> [String])
        /// Never: other fields say it. It may be written by hand all the same.
        case never
    }

    /// Where its value comes from.
    package enum Content: Sendable {
        case value(FieldKind, @Sendable (Part) -> FieldValue)
        /// A record inside this one, or a list of records.
        case nested(any CaseNesting<Part>)
        /// The opening calendar, which has functions instead of fields.
        case calendar
    }

    package let name: String
    /// What the reference says; empty where the name says it.
    package let documentation: String
    package let content: Content
    package let mayBeAbsent: Bool
    /// What a text names, or how a number behaves.
    package let meaning: CaseMeaning?
    /// Writes the field as a member; nil: it is never written.
    package let writer: Writer?
    /// Sets the field to a value that is written in a file; nil: other fields say it, or the part reads it itself.
    let reading: Reading?
    /// Whether a policy's functions have it; files have all fields.
    package let isForPolicies: Bool

    /// Writes a field of a part as a member of the object that is being written.
    package typealias Writer = @Sendable (Part, inout JSONWriter) -> Void

    /// How a value that is written comes into a part.
    struct Reading: Sendable {
        /// Whether a number may be negative, as one that refers to something may.
        let isSigned: Bool
        /// - Returns: false if the value is none of the field's.
        let set: @Sendable (inout Part, FieldValue) -> Bool
    }

    private init(
        _ name: String, _ documentation: String, _ content: Content, mayBeAbsent: Bool, meaning: CaseMeaning? = nil,
        writer: Writer?, reading: Reading? = nil, isForPolicies: Bool = true
    ) {
        self.name = name
        self.documentation = documentation
        self.content = content
        self.mayBeAbsent = mayBeAbsent
        self.meaning = meaning
        self.writer = writer
        self.reading = reading
        self.isForPolicies = isForPolicies
    }

    /// A field that is a value.
    package convenience init<Value: FieldRepresentable>(
        _ name: String, _ documentation: String = "", _ meaning: CaseMeaning? = nil, writing: Writing = .ifThere,
        isForPolicies: Bool = true, _ value: @escaping @Sendable (Part) -> Value
    ) {
        let fieldValue = { @Sendable (part: Part) in value(part).fieldValue }
        self.init(
            name, documentation, .value(Value.fieldKind, fieldValue), mayBeAbsent: Value.mayBeAbsent,
            meaning: meaning, writer: writing.writer(name, fieldValue), isForPolicies: isForPolicies)
    }

    /// A field that is a value, and is read from files as it stands.
    ///
    /// - Parameters:
    ///   - path: where a value goes that is written. It is read by `value`, which takes a seventh of the time.
    ///   - isSigned: whether a number may be negative.
    package convenience init<Value: FieldRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Part, Value> & Sendable, _ documentation: String = "",
        _ meaning: CaseMeaning? = nil, writing: Writing = .ifThere, isSigned: Bool = false,
        _ value: @escaping @Sendable (Part) -> Value
    ) {
        let reading = Reading(isSigned: isSigned) { part, written in
            guard let value = Value(fieldValue: written) else { return false }
            part[keyPath: path] = value
            return true
        }
        let fieldValue = { @Sendable (part: Part) in value(part).fieldValue }
        self.init(
            name, documentation, .value(Value.fieldKind, fieldValue), mayBeAbsent: Value.mayBeAbsent,
            meaning: meaning, writer: writing.writer(name, fieldValue), reading: reading)
    }

    /// A field that a library adds: absent unless it is there.
    ///
    /// - Parameter set: false if the value is none of the field's.
    convenience init(
        ofLibrary name: String, _ documentation: String, _ kind: FieldKind, _ meaning: CaseMeaning?,
        value: @escaping @Sendable (Part) -> FieldValue, set: @escaping @Sendable (inout Part, FieldValue) -> Bool
    ) {
        self.init(
            name, documentation, .value(kind, value), mayBeAbsent: true, meaning: meaning, writer: nil,
            reading: Reading(isSigned: true, set: set))
    }

    /// A field that is a record of its own, or absent.
    package static func record<Inner: Sendable>(
        _ name: String, _ documentation: String, _ record: CaseRecord<Inner>, writing: Writing = .ifThere,
        _ inner: @escaping @Sendable (Part) -> Inner?
    ) -> Self {
        let nested = CaseNestedRecords<Part, Inner>(
            record: record, isList: false, count: { inner($0) == nil ? nil : 1 },
            visit: { part, body in
                if let inner = inner(part) { body(inner) }
            })
        return .init(name, documentation, .nested(nested), mayBeAbsent: true, writer: writing.writer(name, nested))
    }

    /// A field that is a record of its own.
    package static func part<Inner: Sendable>(
        _ name: String, _ documentation: String, _ record: CaseRecord<Inner>,
        _ inner: @escaping @Sendable (Part) -> Inner
    ) -> Self {
        let nested = CaseNestedRecords<Part, Inner>(
            record: record, isList: false, count: { _ in 1 }, visit: { part, body in body(inner(part)) })
        let writer = Writing.ifThere.writer(name, nested)
        return .init(name, documentation, .nested(nested), mayBeAbsent: false, writer: writer)
    }

    /// A field that is a record of its own, which files and the decision log have only where it tells something.
    package static func part<Inner: Sendable>(
        _ name: String, _ documentation: String, _ record: CaseRecord<Inner>,
        writtenIf isTelling: @escaping @Sendable (Part) -> Bool, _ inner: @escaping @Sendable (Part) -> Inner
    ) -> Self {
        let nested = CaseNestedRecords<Part, Inner>(
            record: record, isList: false, count: { _ in 1 }, visit: { part, body in body(inner(part)) })
        let whole = Writing.ifThere.writer(name, nested)
        return .init(
            name, documentation, .nested(nested), mayBeAbsent: false,
            writer: { part, json in if isTelling(part) { whole?(part, &json) } })
    }

    /// A list of records.
    package static func list<Inner: Sendable>(
        _ name: String, _ documentation: String, _ record: CaseRecord<Inner>, mayBeAbsent: Bool = false,
        writing: Writing = .ifThere, _ elements: @escaping @Sendable (Part) -> [Inner]?
    ) -> Self {
        let nested = CaseNestedRecords<Part, Inner>(
            record: record, isList: true, count: { elements($0)?.count },
            visit: { part, body in
                for element in elements(part) ?? [] { body(element) }
            })
        let writer = writing.writer(name, nested)
        return .init(name, documentation, .nested(nested), mayBeAbsent: mayBeAbsent, writer: writer)
    }

    /// The calendar, which stands at the end of files.
    package static func calendar(_ name: String, _ documentation: String) -> Self {
        .init(name, documentation, .calendar, mayBeAbsent: false, writer: nil)
    }
}

/// What a value of the case stands for beyond its type: the texts and numbers of one meaning are compared with each other.
package enum CaseMeaning: String, Hashable, Sendable {
    /// A code that the library itself makes.
    case category, branch
    case itemType = "item_type"
    /// A word of the library's own, which nothing declares.
    case location
    /// A number that grows day by day.
    case lateness
    /// One of the words that the desk fixes.
    case point, role, channel, action, status, event, listing, line
    case listingState = "listing_state"
}

/// Records inside a record of the case, of a type that only the declaration knows.
///
/// A part's records are handed to a function instead of returned: the caller does not know their type, and optionals and
/// arrays of such a type would be looked up by it at every question.
package protocol CaseNesting<Part>: Sendable {
    associatedtype Part: Sendable
    associatedtype Inner: Sendable

    var record: CaseRecord<Inner> { get }
    var isList: Bool { get }
    /// How many records a part has there; nil if it has no record or no list.
    var count: @Sendable (Part) -> Int? { get }
    /// Hands over each of them, in order.
    var visit: @Sendable (Part, (Inner) -> Void) -> Void { get }
}

private struct CaseNestedRecords<Part: Sendable, Inner: Sendable>: CaseNesting {
    let record: CaseRecord<Inner>
    let isList: Bool
    let count: @Sendable (Part) -> Int?
    let visit: @Sendable (Part, (Inner) -> Void) -> Void
}
