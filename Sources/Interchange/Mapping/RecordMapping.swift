import TextFormats

/// What the columns of a table are: a mapping file of version 2, in JSON.
///
/// ```json
/// { "version": 2, "dates": "dmy",
///   "records": [
///     { "kind": "patrons",
///       "columns": { "username": "Ausweis",
///                    "surname": { "column": "Name", "split": ",", "part": "first" } },
///       "constants": { "home_branch": "main" } } ],
///   "ignore": ["Bemerkung"] }
/// ```
package struct RecordMapping: Hashable, Sendable {
    /// The mapping's own file.
    package let file: String
    package let separator: UInt8?
    /// How many rows the header has, 1 or 2; nil: as they show.
    package let headerRows: Int?
    /// The order of day, month and year where a column says no other.
    let dates: DateOrder?
    /// What each row stands for, in this order.
    let records: [MappedRecord]
    /// Columns that are left out knowingly.
    let ignored: [String]
    /// Columns of which it is still to be said what they are.
    let undecided: [String]
}

/// One record that a row stands for.
struct MappedRecord: Hashable, Sendable {
    /// The name of one record of its kind.
    let kind: String
    /// In the order of their names.
    let fields: [MappedField]
    /// Of fields that no column gives, or a blank one.
    let constants: [MappedConstant]
    /// In which rows it stands; nil: in all.
    let condition: MappedCondition?
}

/// A field and the columns that give it.
struct MappedField: Hashable, Sendable {
    let name: String
    let source: MappedSource
}

struct MappedConstant: Hashable, Sendable {
    let name: String
    let value: JSON
}

/// In which rows a record stands.
struct MappedCondition: Hashable, Sendable {
    let column: String
    /// Folded; nil: the cell holds anything at all.
    let values: Set<String>?
}

/// What makes a text of the cells of a row.
struct MappedSource: Hashable, Sendable {
    enum Choice: Hashable, Sendable {
        /// The first that is not blank.
        case first
        /// All that are not blank, with this between them.
        case joined(String)
    }

    /// Which part of a text that is split stands for the field.
    enum Part: Hashable, Sendable {
        /// From 1 on; negative ones count from the end.
        case number(Int)
        case allButFirst, allButLast
    }

    /// What becomes of a value that `values` does not name.
    enum Others: Hashable, Sendable {
        case refused, kept, leftOut
        case replaced(String)
    }

    var columns: [String]
    var choice = Choice.first
    var split: String?
    var part = Part.number(1)
    /// What stands between the parts of a list.
    var separators = "|;"
    /// `Hall, Ada` is made `Ada Hall`.
    var turnsNames = false
    /// By what the file has, folded; nil: nothing is translated.
    var values: [String: String]?
    var others = Others.refused
    var dates: DateOrder?
}
