import Circulation
import Desk
import Foundation
import Interchange
import LuaRuntime
import Market
import Plugins
import Scripting
import Secrets
import Storage

/// A desk over a store in memory, and files in a folder that is gone when the test ends.
final class ImportBench {
    let desk: Desk
    /// What plugins in force read.
    var translators: [any TableTranslator] = []
    /// What a plugin may use up for one row.
    var limits = LoadedPlugin.limits
    private let folder: URL

    /// 7 October 2026, ten o'clock in UTC.
    static let now = Instant(seconds: 1_791_367_200)

    init(clock: any Clock = FixedClock(now)) throws {
        desk = Desk(
            store: try SQLiteStore.memory(), policies: NoPolicies(),
            clock: clock, actor: .desk,
            extensions: [MarketExtension()], outside: ExternalServices(passwordCost: .least))
        try desk.prepare()
        folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file and gives its path.
    func file(_ name: String, _ text: String) throws -> String {
        try file(name, bytes: Array(text.utf8))
    }

    /// Writes a file of any bytes and gives its path.
    func file(_ name: String, bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path(percentEncoded: false)
    }

    func path(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    @discardableResult
    func importing(_ paths: String..., options: ImportOptions = ImportOptions()) throws -> ImportReport {
        try Importer(desk: desk, options: options, tally: RowCounter(), translators: translators).run(paths: paths)
    }

    /// Writes the whole store out as JSON Lines.
    func exported(_ kind: Exporter.Kind) throws -> String {
        try desk.read { session in
            var text: [UInt8] = []
            try Exporter(session: session) { text += $0 }.csv(kind)
            return String(decoding: text, as: UTF8.self)
        }
    }

    func export() throws -> String {
        try desk.read { session in
            var text: [UInt8] = []
            try Exporter(session: session) { text += $0 }.json(.all)
            return String(decoding: text, as: UTF8.self)
        }
    }
}

/// An import asks no policy.
struct NoPolicies: PolicyLoader {
    func withPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        throw PolicyFailure(code: "lua_error", message: "there are no policies here")
    }

    func digest(of files: [PolicyBundle.File]) -> String { PolicyBundle.digest(of: files) }
}
