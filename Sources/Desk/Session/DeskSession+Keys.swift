package import Circulation
import Storage

extension DeskSession {
    /// Records of a table whose key begins with a text, by key.
    package func keys(of table: KeyedTable, beginningWith text: String, limit: Int64) throws -> [KeyOfRecord] {
        try transaction.keys.list(table, beginningWith: text, limit: limit)
    }
}
