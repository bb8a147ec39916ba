import ArgumentParser
import Circulation
import Foundation
import Storage
import TextFormats
import Threads

/// `moonshelf backup PATH`
struct BackupCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the whole store into one file, while others go on working.",
        discussion: """
            The file holds the store as it stands when the backup begins, of whatever database; 'restore' brings it \
            back. It is written beside PATH, every page of it is looked at, and it is put in the place of an earlier \
            backup when it is whole. --check also proves indexes, references and the rules that 'doctor' proves without \
            the events, which takes many times as long as the copy. Only its owner may read it.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The file to write.", valueName: "PATH"), completion: .file())
    var path: String

    @Flag(help: "Prove all that can be proved of a backup by itself, and refuse one of a store that breaks rules.")
    var check = false

    @Flag(help: "With --check: keep the backup even if the store breaks rules of its own.")
    var force = false

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    func validate() throws { try FileEnding.checkBackup(path) }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let location = try workplace.location()
        let console = workplace.console
        try BackupPlace.check(path)
        let pending = try PendingFile(for: path)
        try Self.write(location, to: pending.path, console)
        console.progress("checking")
        // The disk takes what was written while it is looked at.
        let flushing = WorkerThread(name: "flush") { pending.flush() }
        defer { flushing?.join() }
        let found = try BackupCheck(pending.path, isThorough: check)
        console.endProgress()
        guard found.faults.isEmpty else {
            throw CommandFailure(
                .badData, code: "corrupt",
                message:
                    "The store is damaged, and no backup was made: \(found.faults.prefix(3).joined(separator: "; "))")
        }
        guard found.findings.isEmpty || force else {
            throw CommandFailure(
                .refused, code: "unsound",
                message: "The store breaks rules of its own, as 'doctor' tells; no backup was made. --force makes one.",
                details: found.findings.prefix(10).joined(separator: "\n"))
        }
        try BackupPlace.check(path)
        try pending.takePlace()
        if json {
            console.print(json: [
                "backup": .string(path), "store": .string(location.description), "version": .integer(found.version),
                "bytes": .integer(found.bytes), "ok": .bool(found.findings.isEmpty), "checked": .bool(check),
            ])
        } else {
            console.print(SafeText.line("\(path) holds the whole of \(location): \(found.bytes) bytes."))
        }
        return .done
    }

    /// Copies a store as it stands into an empty file.
    static func write(_ location: StoreLocation, to path: String, _ console: Console) throws {
        switch location {
        case .memory:
            throw CommandFailure.usage("A store in memory ends with the command: there is nothing to back up.")
        case .file(let store):
            let source = try SQLiteStore.openToCopy(store, stop: StopSignals.request)
            defer { try? source.close() }
            try source.writeCopy(to: path) { console.progress("\($0) of \($1) pages") }
        case .postgres(let url):
            let source = try PostgresStore.openToCopy(url, stop: StopSignals.request)
            defer { try? source.close() }
            _ = try StoreTarget.write(source, into: path, version: source.schemaVersion) {
                console.progress("\($0.table): \($0.rows) rows")
            }
            try SQLiteStore.joinLog(of: path)
        }
    }
}

/// The result of checking a backup.
struct BackupCheck {
    /// Faults that SQLite itself finds.
    var faults: [String]
    /// The broken invariants of the store; empty where it was not looked for them, and for a store of an earlier version,
    /// which had other invariants.
    var findings: [String] = []
    var version: Int64
    var bytes: Int64

    /// - Parameter isThorough: whether indexes, references and invariants are proved as well, and not the pages alone.
    /// - Throws: `StoreError` if the file is not a store, or is one of a later version.
    init(_ path: String, isThorough: Bool = true) throws {
        let store = try SQLiteStore.openToCopy(path, stop: StopSignals.request)
        defer { try? store.close() }
        var status = stat()
        bytes = stat(path, &status) == 0 ? Int64(status.st_size) : 0
        version = try store.schemaVersion()
        faults = try isThorough ? store.structuralFaults() : store.pageFaults()
        guard isThorough, faults.isEmpty, version == SQLiteStore.currentVersion else { return }
        findings = try store.read { try $0.integrity.findings(limit: 10) }.map {
            "\($0.invariant): \($0.table) \($0.id ?? ""): \($0.message)"
        }
    }
}
