/// The name and the fields of a kind of record. Made once, usable in every state.
package final class LuaRecordType: Sendable {
    package let name: String
    /// In the order in which `pairs` gives them. At most 40 bytes each.
    package let fields: [String]
    private let positions: [String: Int]

    package init(name: String, fields: [String]) {
        self.name = name
        self.fields = fields
        positions = Dictionary(
            fields.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of a field, for ``LuaFrame``'s `set`.
    package func index(of field: String) -> Int? { positions[field] }
}

/// A ``LuaRecordType`` as one state knows it.
package struct LuaRecordKind: Hashable {
    let number: Int32
}

/// A record of a frame that is being filled.
package struct LuaRecordRef: Hashable {
    let number: Int32
}

/// A list of a frame that is being filled.
package struct LuaListRef: Hashable {
    let number: Int32
}

/// A string that a state keeps: a constant for records, or the name of an answer's field.
package struct LuaKey: Hashable {
    let number: Int32
}
