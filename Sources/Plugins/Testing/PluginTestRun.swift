package import Circulation
package import Workbench

/// Runs the tests of a plugin: the file `plugin_test.lua` of its folder.
///
/// ```lua
/// test("who lends a laptop is told how to treat it", function()
///     local library = desk { patrons = { "ada" }, copies = { laptop1 = "laptop" } }
///     library.checkout("ada", "laptop1")
///     expect(outbox()[1].subject, "Your laptop")
/// end)
/// ```
/// Each test has a library of its own in memory, with the plugin in force. What a test does at it happens as it would in
/// a library: the plugin's handlers are called after each thing that was done.
package struct PluginTestRun: Sendable {
    private let bundle: PolicyBundle
    private let manifest: PluginManifest
    private let options: PolicyTestOptions

    /// - Parameters:
    ///   - bundle: the plugin with its tests.
    ///   - manifest: as its check has read it.
    package init(_ bundle: PolicyBundle, manifest: PluginManifest, options: PolicyTestOptions = .init()) {
        self.bundle = bundle
        self.manifest = manifest
        self.options = options
    }

    /// Runs the tests that the options select. A file that cannot be read is a test that failed; a plugin without tests has
    /// none.
    ///
    /// - Throws: `LuaError` where no state can be made.
    package func run() throws -> PolicyTestReport {
        guard let source = bundle.pluginTests else { return PolicyTestReport() }
        let worker = try PluginTestWorker(bundle, manifest, timeLimit: options.timeLimit)
        if let problem = worker.declare(source) { return PolicyTestReport(tests: [problem]) }
        let chosen = worker.names.indices.filter { index in
            options.filters.isEmpty
                || options.filters.contains { worker.names[index].lowercased().contains($0.lowercased()) }
        }
        return PolicyTestReport(tests: chosen.map(worker.run))
    }
}
