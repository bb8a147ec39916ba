package import Circulation
import LuaSyntax
package import Scripting
package import Workbench

/// Runs the tests of a plugin: the file `plugin_test.lua` of its folder.
///
/// ```lua
/// test("who lends a laptop is told how to treat it", function()
///     local library = desk { patrons = { ada = "patron" }, copies = { laptop1 = "laptop" } }
///     library.checkout("ada", "laptop1")
///     expect(outbox()[1].subject, "Your laptop")
/// end)
/// ```
/// Each test has a library of its own in memory, with the plugin in force. What a test does at it happens as it would in
/// a library: the plugin's handlers are called after each thing that was done.
package struct PluginTestRun: TestSubject {
    package let tested: ParsedPolicy
    package let source: String
    package let options: PolicyTestOptions
    private let manifest: PluginManifest
    /// What stands in the plugin's file and cannot be tried in a test.
    private let untried: [SourceRange]

    private static let untriedKeys: Set<String> = ["api", "needs", "settings", "fields"]

    /// - Parameters:
    ///   - bundle: the plugin with its tests; one without tests has none that fail.
    ///   - manifest: as its check has read it.
    package init(_ bundle: PolicyBundle, manifest: PluginManifest, options: PolicyTestOptions = .init()) {
        let files = bundle.pluginSources
        tested = ParsedPolicy(PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files))
        source = bundle.pluginTests ?? ""
        self.manifest = manifest
        self.options = options
        let entries = tested.main.flatMap(PluginManifestReader.declaration)?.entries ?? []
        untried =
            entries.filter { $0.name.map { Self.untriedKeys.contains($0.name) } ?? true }.map(\.range)
            + manifest.contributions(of: .channels).compactMap { $0.ranges["per_minute"] }
    }

    package func worker(on changed: ParsedPolicy) throws -> any TestWorker {
        let manifest = changed.main.map { PluginManifestReader($0).manifest } ?? manifest
        return try PluginTestWorker(changed, manifest, tests: source, timeLimit: options.timeLimit)
    }

    package func isOfConcern(_ mutant: Mutant) -> Bool {
        mutant.file != PluginFolder.mainName || !untried.contains { $0.contains(mutant.range.start) }
    }

    package func verdict(on mutant: Mutant, _ changed: ParsedPolicy, trials: Int) -> SurvivorVerdict? {
        .survived(test: nil)
    }

    package func proof(
        of mutant: Mutant, _ changed: ParsedPolicy, until deadline: ContinuousClock.Instant
    ) -> SurvivorVerdict {
        .survived(test: nil)
    }
}
