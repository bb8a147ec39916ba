import Circulation

/// The tables of a store, as a list of steps from nothing to this program's version.
///
/// A step that was ever released is never changed: what is to be different comes as a further one. A step is written once
/// for all databases: keys are `{identity}` or `{rowKey}`, numbers, flags and instants `{integer}`, texts `TEXT`, and behind
/// the closing parenthesis of a table stands `{options}`, or `{counters}` where rows are counts under a key of several
/// columns. No other type is to be had in all of them.
enum Schema {
    struct Migration: Sendable {
        let version: Int64
        /// The statements, with what the databases do not share in braces: see ``Dialect``.
        let script: String
        /// What has to be done with what is there already, behind the statements.
        var completing: (@Sendable (Transaction) throws(StoreError) -> Void)?

        /// Takes the step.
        func run(on connection: any Connection) throws(StoreError) {
            try connection.execute(script: script)
            if let completing { try Schema.working(on: connection, completing) }
        }
    }

    private static func working<Result>(
        on connection: any Connection, _ body: (Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let transaction = Transaction(connection: connection, isWritable: true, settingsCache: SettingsCache())
        defer { transaction.end() }
        return try body(transaction)
    }

    /// The fields of the library's own that are in force in a store of this program's version.
    static func customFields(on connection: any Connection) throws(StoreError) -> CustomFields {
        try working(on: connection) { (transaction) throws(StoreError) in try transaction.plugins.customFields() }
    }

    /// Has indexes for the fields of the library's own that are in force in a store of this program's version.
    static func indexCustomFields(on connection: any Connection) throws(StoreError) {
        try working(on: connection) { (transaction) throws(StoreError) in
            try transaction.customFields.index(transaction.plugins.customFields())
        }
    }

    /// In order; each runs once in the life of a store.
    static let migrations: [Migration] = [
        Migration(
            version: 1,
            script: [settings, catalogue, patrons, loans, accounts, policies, events, "{titleSearch}"]
                .joined(separator: "\n")),
        Migration(version: 2, script: holds),
        Migration(version: 3, script: inHouseUses),
        Migration(version: 4, script: lostLoans),
        Migration(version: 5, script: reportViews),
        Migration(version: 6, script: market),
        Migration(version: 7, script: hierarchies),
        Migration(version: 8, script: policyScope),
        Migration(version: 9, script: datedRenewals),
        Migration(version: 10, script: digestWords),
        Migration(version: 11, script: holdsOfLoans),
        Migration(version: 12, script: deliveries),
        Migration(version: 13, script: jobs),
        Migration(version: 14, script: credentials),
        Migration(version: 15, script: favourites),
        Migration(version: 16, script: foundDirectly),
        Migration(version: 17, script: safeAccounts),
        Migration(
            version: 18, script: eventChain,
            completing: { (transaction) throws(StoreError) in try transaction.events.linkAll() }),
        Migration(version: 19, script: listedByState),
        Migration(version: 20, script: spentBudgets),
        Migration(version: 21, script: likeUsernames),
        Migration(version: 22, script: endsOfBlocks),
        Migration(version: 23, script: titlesByLending),
        Migration(
            version: 24, script: counters,
            completing: { (transaction) throws(StoreError) in try transaction.counters.recount() }),
        Migration(version: 25, script: placedSearch),
        Migration(version: 26, script: plugins),
        Migration(version: 27, script: leanWriting),
        Migration(version: 28, script: queueByState),
        Migration(version: 29, script: outgoingRequests),
        Migration(version: 30, script: ownFields),
        Migration(version: 31, script: unnamedRequests),
        Migration(version: 32, script: titlesOfBranches),
        Migration(version: 33, script: conversations),
        Migration(version: 34, script: sweeps),
        Migration(version: 35, script: postings),
        Migration(version: 36, script: marcRecords),
        Migration(
            version: 37, script: searchWords,
            completing: { (transaction) throws(StoreError) in try transaction.search.renew() }),
        Migration(version: 38, script: likelyDuplicates),
        Migration(version: 39, script: arrivedLoans),
        Migration(version: 40, script: recommendedOffers),
        Migration(version: 41, script: placedCopies),
        Migration(version: 42, script: patronLinks),
        Migration(version: 43, script: pictures),
        Migration(version: 44, script: readersOwn),
        Migration(version: 45, script: readersWords),
        Migration(version: 46, script: gatheredNotices),
        Migration(version: 47, script: staffAccounts),
        Migration(
            version: 48, script: personKeys,
            completing: { (transaction) throws(StoreError) in
                try transaction.patrons.keyPersons()
                try transaction.execute(personIndex)
            }),
        Migration(version: 49, script: unsureDeliveries),
        Migration(version: 50, script: figuresByTime),
        Migration(version: 51, script: namedLocations),
        Migration(version: 52, script: callNumbers),
    ]

    /// The condition that a column holds one of these words. Not by `IN`: SQLite puts the words of a longer list into a
    /// temporary B-tree anew at each write.
    static func oneOf(_ column: String, _ words: [String]) -> String {
        words.map { "\(column) = '\($0)'" }.joined(separator: " OR ")
    }

    /// The version this program works with.
    static let version = migrations.map(\.version).max() ?? 0
}
