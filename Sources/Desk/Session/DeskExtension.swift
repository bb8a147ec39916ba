package import Circulation

/// What is built on the desk, such as the market, and is called where the desk's own work concerns it.
///
/// The desk knows none by name. It calls each, in the order in which it was given them, within the transaction of the
/// request: what they write is kept or undone with the rest of it.
package protocol DeskExtension: Sendable {
    /// Checks, before anything of theirs is changed, whether a patron may be removed.
    ///
    /// - Throws: ``Refused`` where something of theirs is still open.
    func checkRemovable(_ patron: Int64, in session: DeskSession) throws

    /// Closes what a patron has who is about to be removed, and takes the patron's own words out of what stays.
    func forget(_ patron: Patron, in session: DeskSession) throws

    /// Writes a page of the messages of a sweep: to each patron once, however often is swept.
    ///
    /// - Parameters:
    ///   - id: where the page before ended; 0 for the first.
    ///   - limit: how many records a page looks at.
    /// - Returns: where the page ended; nil after the last one.
    func announce(after id: Int64, limit: Int64, in session: DeskSession) throws -> Int64?
}
