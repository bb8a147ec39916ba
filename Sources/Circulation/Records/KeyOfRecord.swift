/// A table whose rows people name by a text.
package enum KeyedTable: Hashable, Sendable {
    case titles, copies, patrons, branches, categories, itemTypes, locations
}

/// The text by which a record is named, and by what people know it.
package struct KeyOfRecord: Hashable, Sendable {
    package var key: String
    package var about: String

    package init(key: String, about: String) {
        self.key = key
        self.about = about
    }
}
