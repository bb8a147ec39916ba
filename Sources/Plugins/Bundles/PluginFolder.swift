package import Circulation
import Foundation
import LuaSyntax
package import Scripting
import TextFormats

/// The folder of a plugin: `plugin.lua`, `plugin_test.lua` beside it, and what they require.
package struct PluginFolder: Sendable {
    package static let mainName = "plugin.lua"
    package static let testName = "plugin_test.lua"

    /// The plugin's file first, then what it requires, then its tests: what is checked, tested and put into force.
    package let bundle: PolicyBundle

    /// Reads a folder, each file once.
    ///
    /// `require "terms"` finds `terms.lua` or `lib/terms.lua` in the folder. Names that lead out of it, also through
    /// symbolic links, are refused.
    ///
    /// - Throws: ``PolicyFailure`` with the codes `not_found`, `too_large`, `bad_require`, `syntax`.
    package init(path: String, from files: SourceFiles = SourceFiles()) throws(PolicyFailure) {
        let root = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
        let folder = root.resolvingSymlinksInPath().path(percentEncoded: false)
        func text(_ name: String) throws(PolicyFailure) -> String? {
            let file = root.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return nil }
            let real = file.resolvingSymlinksInPath().path(percentEncoded: false)
            guard real.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") else {
                throw PolicyFailure(
                    code: "bad_require", message: "\(name) leads out of the plugin's folder", file: name)
            }
            return try files.text(at: real, named: name, maximumSize: PolicyBundle.maximumFileSize)
        }
        guard let source = try text(Self.mainName) else {
            throw PolicyFailure(
                code: "not_found", message: "there is no \(Self.mainName) in \(path)", file: Self.mainName)
        }
        func find(_ name: String) throws(PolicyFailure) -> String? {
            if let found = try text(name) { return found }
            return try text("lib/" + name)
        }
        let parsed = try ParsedPolicy(name: Self.mainName, source: source, find: find)
        var bundle = parsed.bundle
        func add(_ file: PolicyBundle.File) {
            if !bundle.files.contains(where: { $0.name == file.name }) { bundle.files.append(file) }
        }
        for name in Self.namedFiles(parsed) where !bundle.files.contains(where: { $0.name == name }) {
            // One that is not there is a finding of the check.
            guard let source = try text(name) else { continue }
            add(PolicyBundle.File(name: name, source: source))
            // A report brings what it requires. What is not Lua in one is a finding of the check.
            guard name.hasSuffix(".lua"), (try? LuaParser.parse(source, chunk: name)) != nil else { continue }
            for file in try ParsedPolicy(name: name, source: source, find: find).bundle.files { add(file) }
        }
        if let tests = try text(Self.testName) {
            bundle.files.append(PolicyBundle.File(name: Self.testName, source: tests))
        }
        bundle.sha256 = PolicyBundle.digest(of: bundle.files)
        self.bundle = bundle
    }

    /// The files that the plugin names, such as its reports.
    private static func namedFiles(_ parsed: ParsedPolicy) -> [String] {
        guard let main = parsed.chunks.first, main.name == mainName else { return [] }
        return PluginManifestReader(main).manifest.namedFiles.map(\.name).filter { $0 != testName }
    }
}

extension PolicyBundle {
    /// The source of the tests that a plugin brings; nil: it has none.
    package var pluginTests: String? { files.first { $0.name == PluginFolder.testName }?.source }

    /// The files that run when the plugin does.
    package var pluginSources: [File] { files.filter { $0.name != PluginFolder.testName } }

    /// The text of a file that the plugin names.
    package func text(of file: String) -> String? { files.first { $0.name == file }?.source }

    /// What `require` of a module finds.
    package func file(of module: String) -> File? {
        guard let name = PolicyBundle.fileName(of: module) else { return nil }
        return files.first { $0.name == name && name != PluginFolder.testName }
    }
}
