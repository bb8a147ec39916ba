package import Circulation
import TextFormats

extension SettingsRepository {
    private static let all = Query(
        "SELECT code, name, parent, zone, calendar FROM branches ORDER BY position, code")
    private static let one = Query("SELECT code, name, parent, zone, calendar FROM branches WHERE code = ?")
    private static let insertion = Query(
        """
        INSERT INTO branches (code, position, name, parent, zone, calendar)
        VALUES (?, (SELECT COALESCE(MAX(position), 0) + 1 FROM branches), ?, ?, ?, ?)
        """)
    private static let change = Query(
        "UPDATE branches SET name = ?, parent = ?, zone = ?, calendar = ? WHERE code = ?")
    private static let removal = Query("DELETE FROM branches WHERE code = ?")

    /// The branches in the order in which they were added.
    package func branches() throws(StoreError) -> [Branch] {
        try transaction.all(Self.all) { row throws(StoreError) in try Self.branch(&row) }
    }

    package func branch(_ code: String) throws(StoreError) -> Branch? {
        try transaction.first(Self.one, [.text(code)]) { row throws(StoreError) in try Self.branch(&row) }
    }

    /// - Throws: ``StoreError/Code/constraint`` if the code is taken.
    package func insert(_ branch: Branch) throws(StoreError) {
        try transaction.execute(
            Self.insertion,
            [
                .text(branch.code), .text(branch.name), .optional(branch.parent),
                .optional(branch.zone?.identifier), .text(branch.calendar.json.text()),
            ])
        try changed()
    }

    /// - Returns: false if the branch does not exist.
    @discardableResult
    package func update(_ branch: Branch) throws(StoreError) -> Bool {
        let changes = try transaction.execute(
            Self.change,
            [
                .text(branch.name), .optional(branch.parent), .optional(branch.zone?.identifier),
                .text(branch.calendar.json.text()), .text(branch.code),
            ])
        try changed()
        return changes == 1
    }

    /// - Returns: false if the branch does not exist.
    /// - Throws: ``StoreError/Code/constraint`` while a copy, a patron or another branch belongs to it.
    @discardableResult
    package func removeBranch(_ code: String) throws(StoreError) -> Bool {
        let changes = try transaction.execute(Self.removal, [.text(code)])
        try changed()
        return changes == 1
    }

    private static func branch(_ row: inout RowReader) throws(StoreError) -> Branch {
        let code = row.text()
        let name = row.text()
        let parent = row.optionalText()
        let zone: Zone? =
            if let identifier = row.optionalText() { try self.zone(identifier) } else { nil }
        return Branch(code: code, name: name, parent: parent, zone: zone, calendar: try calendar(try row.json()))
    }

    private static func calendar(_ json: JSON) throws(StoreError) -> OpeningCalendar {
        do {
            return try OpeningCalendar(json: json)
        } catch {
            throw .corrupt("a branch's calendar cannot be read: \(error.message)")
        }
    }
}
