package import TextFormats

/// A type whose values can stand in a field of a declared record.
package protocol FieldRepresentable: Hashable, Sendable {
    static var fieldKind: FieldKind { get }
    static var mayBeAbsent: Bool { get }
    /// What a payload leaves out, whatever the record; nil: nothing.
    static var usualValue: FieldValue? { get }

    /// nil for a value of another kind, or for a word that is none of the type's.
    init?(fieldValue: FieldValue)
    var fieldValue: FieldValue { get }
}

extension FieldRepresentable {
    package static var mayBeAbsent: Bool { false }
    package static var usualValue: FieldValue? { nil }
}

// MARK: - Plain values

extension Int64: FieldRepresentable {
    package static var fieldKind: FieldKind { .integer }
    package var fieldValue: FieldValue { .integer(self) }

    package init?(fieldValue: FieldValue) {
        guard case .integer(let value) = fieldValue else { return nil }
        self = value
    }
}

extension String: FieldRepresentable {
    package static var fieldKind: FieldKind { .text }
    package var fieldValue: FieldValue { .text(self) }

    package init?(fieldValue: FieldValue) {
        guard case .text(let value) = fieldValue else { return nil }
        self = value
    }
}

extension Bool: FieldRepresentable {
    package static var fieldKind: FieldKind { .flag }
    package static var usualValue: FieldValue? { .flag(false) }
    package var fieldValue: FieldValue { .flag(self) }

    package init?(fieldValue: FieldValue) {
        guard case .flag(let value) = fieldValue else { return nil }
        self = value
    }
}

extension Instant: FieldRepresentable {
    package static var fieldKind: FieldKind { .instant }
    package var fieldValue: FieldValue { .instant(self) }

    package init?(fieldValue: FieldValue) {
        guard case .instant(let value) = fieldValue else { return nil }
        self = value
    }
}

extension CivilDate: FieldRepresentable {
    package static var fieldKind: FieldKind { .date }
    package var fieldValue: FieldValue { .date(self) }

    package init?(fieldValue: FieldValue) {
        guard case .date(let value) = fieldValue else { return nil }
        self = value
    }
}

extension Money: FieldRepresentable {
    package static var fieldKind: FieldKind { .money }
    package var fieldValue: FieldValue { .money(self) }

    package init?(fieldValue: FieldValue) {
        guard case .money(let value) = fieldValue else { return nil }
        self = value
    }
}

extension ISBN: FieldRepresentable {
    package static var fieldKind: FieldKind { .isbn }
    package var fieldValue: FieldValue { .isbn(self) }

    package init?(fieldValue: FieldValue) {
        guard case .isbn(let value) = fieldValue else { return nil }
        self = value
    }
}

extension Period: FieldRepresentable {
    package static var fieldKind: FieldKind { .period }
    package var fieldValue: FieldValue { .period(self) }

    package init?(fieldValue: FieldValue) {
        guard case .period(let value) = fieldValue else { return nil }
        self = value
    }
}

extension JSONObject: FieldRepresentable {
    package static var fieldKind: FieldKind { .object }
    package static var usualValue: FieldValue? { .object([:]) }
    package var fieldValue: FieldValue { .object(self) }

    package init?(fieldValue: FieldValue) {
        guard case .object(let value) = fieldValue else { return nil }
        self = value
    }
}

/// By its identifier.
extension Zone: FieldRepresentable {
    package static var fieldKind: FieldKind { .text }
    package var fieldValue: FieldValue { .text(identifier) }

    package init?(fieldValue: FieldValue) {
        guard case .text(let identifier) = fieldValue else { return nil }
        self.init(identifier: identifier)
    }
}

/// By its code.
extension Currency: FieldRepresentable {
    package static var fieldKind: FieldKind { .text }
    package var fieldValue: FieldValue { .text(code) }

    package init?(fieldValue: FieldValue) {
        guard case .text(let code) = fieldValue else { return nil }
        self.init(code: code)
    }
}

// MARK: - Composite values

extension OpeningCalendar: FieldRepresentable {
    package static var fieldKind: FieldKind { .object }
    package var fieldValue: FieldValue { .object(json.objectValue ?? [:]) }

    package init?(fieldValue: FieldValue) {
        guard case .object(let object) = fieldValue, let calendar = try? OpeningCalendar(json: .object(object)) else {
            return nil
        }
        self = calendar
    }
}

extension DueTime: FieldRepresentable {
    package static var fieldKind: FieldKind { .due }
    package var fieldValue: FieldValue { .due(self) }

    package init?(fieldValue: FieldValue) {
        guard case .due(let value) = fieldValue else { return nil }
        self = value
    }
}

extension DigestWords: FieldRepresentable {
    package static var fieldKind: FieldKind { .digest }
    package var fieldValue: FieldValue { .digest(self) }

    package init?(fieldValue: FieldValue) {
        guard case .digest(let value) = fieldValue else { return nil }
        self = value
    }
}

extension TitleProposal: FieldRepresentable {
    package static var fieldKind: FieldKind { .proposal }
    package var fieldValue: FieldValue { .proposal(self) }

    package init?(fieldValue: FieldValue) {
        guard case .proposal(let value) = fieldValue else { return nil }
        self = value
    }
}

extension Set: FieldRepresentable where Element == BlockFacts.Action {
    package static var fieldKind: FieldKind { .actions }
    package static var usualValue: FieldValue? { .actions([]) }
    package var fieldValue: FieldValue { .actions(self) }

    package init?(fieldValue: FieldValue) {
        guard case .actions(let value) = fieldValue else { return nil }
        self = value
    }
}

// MARK: - What may be absent, lists and choices

extension Optional: FieldRepresentable where Wrapped: FieldRepresentable {
    package static var fieldKind: FieldKind { Wrapped.fieldKind }
    package static var mayBeAbsent: Bool { true }
    package var fieldValue: FieldValue { self?.fieldValue ?? .absent }

    package init?(fieldValue: FieldValue) {
        if case .absent = fieldValue {
            self = .none
            return
        }
        guard let value = Wrapped(fieldValue: fieldValue) else { return nil }
        self = .some(value)
    }
}

/// What a field can have a list of.
package protocol FieldListElement: Hashable, Sendable {
    static var listKind: FieldKind { get }
    static var usualList: FieldValue? { get }

    /// Makes a value of a list.
    static var fieldValue: ([Self]) -> FieldValue { get }
    static func list(_ value: FieldValue) -> [Self]?
}

extension Array: FieldRepresentable where Element: FieldListElement {
    package static var fieldKind: FieldKind { Element.listKind }
    package static var usualValue: FieldValue? { Element.usualList }
    package var fieldValue: FieldValue { Element.fieldValue(self) }

    package init?(fieldValue: FieldValue) {
        guard let list = Element.list(fieldValue) else { return nil }
        self = list
    }
}

extension String: FieldListElement {
    package static var listKind: FieldKind { .texts }
    package static var usualList: FieldValue? { .texts([]) }
    package static var fieldValue: ([String]) -> FieldValue { FieldValue.texts }

    /// The list that a value of this kind is; nil for another kind.
    package static func list(_ value: FieldValue) -> [String]? {
        if case .texts(let list) = value { list } else { nil }
    }
}

extension Int64: FieldListElement {
    package static var listKind: FieldKind { .integers }
    package static var usualList: FieldValue? { .integers([]) }
    package static var fieldValue: ([Int64]) -> FieldValue { FieldValue.integers }

    /// The list that a value of this kind is; nil for another kind.
    package static func list(_ value: FieldValue) -> [Int64]? {
        if case .integers(let list) = value { list } else { nil }
    }
}

extension Course: FieldListElement {
    package static var listKind: FieldKind { .courses }
    package static var usualList: FieldValue? { .courses([]) }
    package static var fieldValue: ([Course]) -> FieldValue { FieldValue.courses }

    /// The list that a value of this kind is; nil for another kind.
    package static func list(_ value: FieldValue) -> [Course]? {
        if case .courses(let list) = value { list } else { nil }
    }
}

extension PriceLine: FieldListElement {
    package static var listKind: FieldKind { .priceLines }
    package static var usualList: FieldValue? { nil }
    package static var fieldValue: ([PriceLine]) -> FieldValue { FieldValue.priceLines }

    /// The list that a value of this kind is; nil for another kind.
    package static func list(_ value: FieldValue) -> [PriceLine]? {
        if case .priceLines(let list) = value { list } else { nil }
    }
}

extension Order.Item: FieldListElement {
    package static var listKind: FieldKind { .items }
    package static var usualList: FieldValue? { nil }
    package static var fieldValue: ([Order.Item]) -> FieldValue { FieldValue.items }

    /// The list that a value of this kind is; nil for another kind.
    package static func list(_ value: FieldValue) -> [Order.Item]? {
        if case .items(let list) = value { list } else { nil }
    }
}

/// One of several words.
package protocol FieldChoice: FieldRepresentable, RawRepresentable<String>, CaseIterable {}

extension FieldChoice {
    package static var fieldKind: FieldKind { .choice(allCases.map(\.rawValue)) }
    package var fieldValue: FieldValue { .text(rawValue) }

    package init?(fieldValue: FieldValue) {
        guard case .text(let word) = fieldValue else { return nil }
        self.init(rawValue: word)
    }
}

extension ActorFacts.Channel: FieldChoice {}
extension ActorFacts.Role: FieldChoice {}
extension CopyStatus: FieldChoice {}
extension DecisionPoint: FieldChoice {}
extension Hold.State: FieldChoice {}
extension LedgerEntry.Kind: FieldChoice {}
extension Listing.Kind: FieldChoice {}
extension Listing.State: FieldChoice {}
extension Notice.State: FieldChoice {}
extension NotifyEvent: FieldChoice {}
extension Order.State: FieldChoice {}
extension Patron.Role: FieldChoice {}
extension SaleKind: FieldChoice {}
extension Suggestion.State: FieldChoice {}
