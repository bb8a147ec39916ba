package import Circulation
import TextFormats

/// Versions of policies and when which came into force.
package struct PolicyRepository {
    let transaction: Transaction

    private static let files = Query("SELECT files FROM policy_versions WHERE sha256 = ?")
    private static let insertion = Query(
        "INSERT INTO policy_versions (sha256, files) VALUES (?, ?) ON CONFLICT DO NOTHING")
    private static let names = Query("SELECT sha256 FROM policy_versions ORDER BY sha256")

    static let table = RecordTable<PolicyActivation>()
    private static let columns = table.columns
    private static let activation = Query("SELECT \(columns) FROM policy_activations WHERE id = ?")
    private static let activations = Query("SELECT \(columns) FROM policy_activations ORDER BY id")
    private static let byEffect = Query("SELECT \(columns) FROM policy_activations ORDER BY effective_from, id")
    private static let upcoming = Query(
        """
        SELECT \(columns) FROM policy_activations WHERE effective_from > ? AND withdrawn_at IS NULL
        ORDER BY effective_from, id
        """)
    private static let withdrawal = Query("UPDATE policy_activations SET withdrawn_at = ? WHERE id = ?")

    /// The files of a version, nil if it was never stored.
    package func bundle(_ sha256: String) throws(StoreError) -> PolicyBundle? {
        let files = try transaction.first(Self.files, [.text(sha256)]) { row throws(StoreError) in
            try Self.files(try row.json())
        }
        return files.map { PolicyBundle(sha256: sha256, files: $0) }
    }

    /// Stores a version; one that is stored already stays as it is.
    package func insert(_ bundle: PolicyBundle) throws(StoreError) {
        let files = JSON.array(bundle.files.map { .array([.string($0.name), .string($0.source)]) })
        try transaction.execute(Self.insertion, [.text(bundle.sha256), .text(files.text())])
    }

    /// The names of all versions stored.
    package func versions() throws(StoreError) -> [String] { try transaction.all(Self.names) { row in row.text() } }

    /// The activation in force at `instant`: the one with the latest beginning by then, of two with the same the one
    /// that was decided later. nil before any. One that was taken back never counts.
    package func inForce(at instant: Instant) throws(StoreError) -> PolicyActivation? {
        try transaction.settings.snapshot().activations.last { $0.effectiveFrom <= instant && $0.withdrawnAt == nil }
    }

    /// The activations that have begun by `instant`, in the order in which they did; those taken back are left out.
    package func begun(by instant: Instant) throws(StoreError) -> [PolicyActivation] {
        try transaction.settings.snapshot().activations.filter {
            $0.effectiveFrom <= instant && $0.withdrawnAt == nil
        }
    }

    /// Takes an activation back.
    ///
    /// - Returns: false if no activation has that id.
    @discardableResult
    package func withdraw(_ id: Int64, at instant: Instant) throws(StoreError) -> Bool {
        let isThere = try transaction.execute(Self.withdrawal, [.instant(instant), .integer(id)]) == 1
        try transaction.settings.changed()
        return isThere
    }

    func inOrderOfEffect() throws(StoreError) -> [PolicyActivation] {
        try transaction.all(Self.byEffect, [], Self.table.read)
    }

    /// The activations that begin after `instant`, the next one first.
    package func upcoming(after instant: Instant) throws(StoreError) -> [PolicyActivation] {
        try transaction.all(Self.upcoming, [.instant(instant)], Self.table.read)
    }

    /// All activations in the order in which they were decided.
    package func history() throws(StoreError) -> [PolicyActivation] {
        try transaction.all(Self.activations, [], Self.table.read)
    }

    package func activation(_ id: Int64) throws(StoreError) -> PolicyActivation? {
        try transaction.first(Self.activation, [.integer(id)], Self.table.read)
    }

    /// - Returns: its id.
    /// - Throws: ``StoreError/Code/constraint`` if the version was not stored.
    @discardableResult
    package func insert(_ activation: PolicyActivation) throws(StoreError) -> Int64 {
        let id = try Self.table.insert(activation, in: transaction)
        try transaction.settings.changed()
        return id
    }

    /// Files are a list of pairs: name, source.
    static func files(_ json: JSON) throws(StoreError) -> [PolicyBundle.File] {
        var files: [PolicyBundle.File] = []
        for pair in json.arrayValue ?? [] {
            guard case .array(let parts) = pair, parts.count == 2, case .string(let name) = parts[0],
                case .string(let source) = parts[1]
            else { throw .corrupt("a policy's files cannot be read") }
            files.append(PolicyBundle.File(name: name, source: source))
        }
        return files
    }
}
