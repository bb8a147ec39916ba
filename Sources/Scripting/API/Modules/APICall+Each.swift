import Desk
import LuaRuntime

/// A page of an iteration: rows with what comes after them.
final class RowPage {
    /// As many rows as are read at once: few enough to hold, enough to make a reading worth while.
    static let size = 200

    private(set) var rows: [LuaValue] = []
    private(set) var last: Int64?

    /// Whether more rows fit.
    func take(_ id: Int64, _ row: LuaValue) -> Bool {
        rows.append(row)
        last = id
        return rows.count < RowPage.size
    }

    var isFull: Bool { rows.count >= RowPage.size }

    /// Fills the page with the rows after an id, reading on while readings give something and there is room.
    func fill<Entity>(
        after: Int64?, id: KeyPath<Entity, Int64>, _ read: (_ after: Int64, _ limit: Int) throws -> [Entity],
        passes: (Entity) -> Bool = { _ in true }, row: (Entity) throws -> LuaValue
    ) throws {
        var last = after ?? .min
        while !isFull {
            let entities = try read(last, RowPage.size)
            for entity in entities {
                last = entity[keyPath: id]
                if passes(entity), !take(last, try row(entity)) { return }
            }
            if entities.count < RowPage.size { return }
        }
    }
}

extension APICall {
    /// An iterator that reads page by page, each after the last id of the one before, so that the loop may write.
    ///
    /// Made inside a transaction, it ends with it: later calls raise an error.
    func each(
        _ read: @escaping (DeskSession, _ after: Int64?, RowPage) throws -> Void
    ) throws -> [LuaValue] {
        let script = script
        let transaction = script.transaction
        let name = function.fullName
        var page = RowPage()
        var next = 0
        var isAtEnd = false
        return [
            .callback { [unowned script] _ in
                if transaction?.isOver == true {
                    throw LuaHostError("\(name): this iterator ended with its transaction")
                }
                if next >= page.rows.count {
                    if isAtEnd { return [.nil] }
                    let fresh = RowPage()
                    let after = page.last
                    try script.read { try read($0, after, fresh) }
                    (page, next, isAtEnd) = (fresh, 0, !fresh.isFull)
                    if fresh.rows.isEmpty { return [.nil] }
                }
                defer { next += 1 }
                return [page.rows[next]]
            }
        ]
    }

    /// An iterator over the records of these ids; what is gone by then is passed over.
    func each(ids: [Int64], _ read: @escaping (DeskSession, Int64) throws -> LuaValue?) throws -> [LuaValue] {
        var next = 0
        return try each { session, _, page in
            while next < ids.count {
                let id = ids[next]
                next += 1
                if let row = try read(session, id), !page.take(id, row) { return }
            }
        }
    }

    /// An iterator over rows that are there already.
    func each(_ rows: [LuaValue]) -> [LuaValue] {
        var next = 0
        return [
            .callback { _ in
                guard next < rows.count else { return [.nil] }
                defer { next += 1 }
                return [rows[next]]
            }
        ]
    }
}
