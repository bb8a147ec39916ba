import ArgumentParser
import Circulation
import Foundation
import Storage
import TextFormats

/// `moonshelf restore PATH`
struct RestoreCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make the store out of a backup.",
        discussion: """
            The backup is checked first, and brought up to this version; it stays as it is. Where there is a store \
            already, --force replaces what it holds, in one step: those who work with it see the old or the new.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The backup.", valueName: "PATH"), completion: .file())
    var path: String

    @Flag(help: "Replace what the store holds.")
    var force = false

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let location = try workplace.location()
        let console = workplace.console
        try GivenFile.require(path, "backup")
        let check = try BackupCheck(path)
        guard check.faults.isEmpty else {
            throw CommandFailure(
                .badData, code: "corrupt",
                message:
                    "The backup is damaged, and nothing was touched: \(check.faults.prefix(3).joined(separator: "; "))",
                file: path)
        }
        let restored = try restore(over: location, console)
        console.endProgress()
        if json {
            console.print(json: [
                "backup": .string(path), "store": .string(location.description), "version": .integer(check.version),
                "ok": .bool(restored.findings.isEmpty),
            ])
        } else {
            for finding in restored.findings { console.note(SafeText.line(finding)) }
            console.print(SafeText.line("\(location) holds what \(path) held."))
        }
        return restored.findings.isEmpty ? .done : .refused
    }

    private func restore(over location: StoreLocation, _ console: Console) throws -> BackupCheck {
        switch location {
        case .memory:
            throw CommandFailure.usage("A store in memory ends with the command: there is nothing to restore.")
        case .file(let store): return try restore(overFile: store, console)
        case .postgres(let url): return try restore(overDatabase: url, console)
        }
    }

    private func restore(overFile store: String, _ console: Console) throws -> BackupCheck {
        let isVacant = StoreTarget.isVacant(store)
        guard isVacant || force else { throw exists(.file(store)) }
        let pending = try PendingFile(for: store)
        defer { pending.discard() }
        try fill(
            pending, revision: isVacant ? nil : revision { try open(store, mode: .readOnly, versions: .known) }, console
        )
        let check = try BackupCheck(pending.path)
        guard !isVacant, let live = try live(store) else {
            try StoreTarget.takePlace(pending, at: store)
            return check
        }
        defer { try? live.close() }
        let source = try open(pending.path, mode: .readOnly)
        defer { try? source.close() }
        try live.replaceContents(by: source) { console.progress("\($0) of \($1) pages") }
        return check
    }

    private func restore(overDatabase url: String, _ console: Console) throws -> BackupCheck {
        let location = StoreLocation.postgres(url)
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let pending = try PendingFile(for: folder + "/moonshelf-restore-\(UUID().uuidString)")
        defer { pending.discard() }
        let seen = revision { try PostgresStore.open(url, isReadOnly: true, stop: StopSignals.request) }
        try fill(pending, revision: seen, console)
        let check = try BackupCheck(pending.path)
        let source = try open(pending.path, mode: .readOnly)
        defer { try? source.close() }
        do {
            _ = try StoreTarget(location, replacing: force ? .everything : .nothing).fill(from: source) {
                console.progress("\($0.table): \($0.rows) rows")
            }
        } catch let error as StoreError where error.code == .notEmpty {
            throw exists(location)
        }
        return check
    }

    /// Copies the backup into a new file and migrates it to this version.
    ///
    /// - Parameter revision: of the settings of the store that it replaces, which its own are to be newer than: so
    ///   those who work with the store notice.
    private func fill(_ pending: PendingFile, revision: Int64?, _ console: Console) throws {
        let backup = try SQLiteStore.openToCopy(path, stop: StopSignals.request)
        defer { try? backup.close() }
        try backup.writeCopy(to: pending.path) { console.progress("\($0) of \($1) pages") }
        let store = try SQLiteStore.open(.file(pending.path), create: true, stop: StopSignals.request)
        defer { try? store.close() }
        if let revision { try store.write { try $0.settings.raiseRevision(above: revision) } }
        try store.close()
    }

    /// The store that is there, to be replaced in one step under those who work with it; nil if it cannot even be
    /// opened, so that no process has it open.
    private func live(_ path: String) throws -> SQLiteStore? {
        do {
            return try open(path, mode: .readWrite, versions: .all)
        } catch {
            guard [.notAStore, .corrupt].contains(error.code) else { throw error }
            return nil
        }
    }

    private func open(
        _ path: String, mode: SQLiteStore.Mode, versions: SQLiteStore.Versions = .current
    ) throws(StoreError) -> SQLiteStore {
        try SQLiteStore.open(.file(path), mode: mode, versions: versions, stop: StopSignals.request)
    }

    /// 0 if no settings can have been read.
    private func revision(_ open: () throws -> any Store) -> Int64 {
        guard let store = try? open() else { return 0 }
        defer { try? store.close() }
        return (try? store.read { try $0.settings.revision() }) ?? 0
    }

    private func exists(_ location: StoreLocation) -> CommandFailure {
        CommandFailure(
            .refused, code: "not_empty",
            message: "\(location) is there already, and nothing in it was touched; --force replaces what it holds.")
    }
}
