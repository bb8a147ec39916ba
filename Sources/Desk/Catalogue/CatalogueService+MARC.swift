import Storage
package import TextFormats

/// The MARC records that titles came from. They are what a cataloguer wrote, and are no part of the history of the library: no event
/// tells of them, and they go with their titles.
extension CatalogueService {
    /// The record that a title came from, as MARC-in-JSON has it; nil: it came from elsewhere.
    package func marc(of title: Int64) throws -> JSONObject? { try transaction.marcRecords.get(title) }

    /// Keeps the record that a title came from.
    ///
    /// - Returns: whether it is another one than before.
    package func keep(marc record: JSONObject, of title: Int64) throws -> Bool {
        try transaction.marcRecords.keep(record, of: title)
    }
}
