package import Circulation
import Foundation
package import LuaSyntax

/// A policy's files, each read and parsed once: what was checked and tested is what is put into force.
package struct ParsedPolicy: Sendable {
    package let bundle: PolicyBundle
    /// The files that are Lua, in the bundle's order: the policy's own file first.
    package let chunks: [Chunk]
    /// Why the other files are not Lua.
    package let faults: [Finding]
    /// The fields of its own that the library has for which it is read.
    package var fields = CustomFields.none

    /// The policy's own file, if it is Lua.
    package var main: Chunk? { chunks.first { $0.name == bundle.files.first?.name } }

    /// Parses the files of a bundle, such as a version that a store keeps.
    ///
    /// - Parameter fields: those of the library's own.
    package init(_ bundle: PolicyBundle, fields: CustomFields = .none) {
        self.init(bundle, parsed: [:])
        self.fields = fields
    }

    /// - Parameter parsed: the files that were parsed already, by name.
    private init(_ bundle: PolicyBundle, parsed: [String: Chunk]) {
        self.bundle = bundle
        var (chunks, faults): ([Chunk], [Finding]) = ([], [])
        for file in bundle.files {
            if let chunk = parsed[file.name] {
                chunks.append(chunk)
                continue
            }
            do {
                chunks.append(try ParsedPolicy.parse(file))
            } catch {
                faults.append(Finding(error, file: file.name))
            }
        }
        (self.chunks, self.faults) = (chunks, faults)
    }

    /// The policy in a file and in all that it requires from its folder.
    ///
    /// `require "a.b"` finds `a/b.lua` beside the policy file. Names that lead out of the folder, also through symbolic
    /// links, are refused.
    ///
    /// - Parameter files: reads them; a file that was read before is not read again.
    /// - Throws: ``PolicyFailure`` with the codes `not_found`, `too_large`, `bad_require`, `syntax`.
    package init(file path: String, from files: SourceFiles = SourceFiles()) throws(PolicyFailure) {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let source = try files.text(at: path, named: path, maximumSize: PolicyBundle.maximumFileSize)
        try self.init(name: url.lastPathComponent, source: source) { name throws(PolicyFailure) in
            let file = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            let inside = folder.resolvingSymlinksInPath().path
            guard file.resolvingSymlinksInPath().path.hasPrefix(inside + "/") else {
                throw PolicyFailure(
                    code: "bad_require", message: "\(name) leads out of the policy's folder", file: name)
            }
            return try files.text(at: file.path, named: name, maximumSize: PolicyBundle.maximumFileSize)
        }
    }

    /// The policy in a source and in what it requires.
    ///
    /// - Parameter find: the source of a file by its name, such as `lib/terms.lua`; nil if there is none.
    /// - Throws: ``PolicyFailure`` as ``init(file:from:)``.
    package init(
        name: String, source: String, find: (String) throws(PolicyFailure) -> String? = { _ in nil }
    ) throws(PolicyFailure) {
        var files = [PolicyBundle.File(name: name, source: source)]
        var required: [PolicyBundle.File] = []
        var parsed: [String: Chunk] = [:]
        var known: Set<String> = []
        while let file = files.popLast() {
            required.append(file)
            try PolicyBundle.checkSize(of: required)
            let chunk = try ParsedPolicy.parseOrFail(file)
            parsed[file.name] = chunk
            for module in PolicyRestrictions.requiredModules(in: chunk) {
                let line = module.range.start.line
                let target = try PolicyBundle.fileName(of: module.name, in: file.name, line: line)
                guard known.insert(target).inserted else { continue }
                guard let found = try find(target) else {
                    throw PolicyFailure(
                        code: "bad_require",
                        message: "require \"\(module.name)\": there is no \(target) beside the policy",
                        file: file.name, line: line)
                }
                files.append(PolicyBundle.File(name: target, source: found))
            }
        }
        let sorted = [required[0]] + required.dropFirst().sorted { $0.name < $1.name }
        self.init(PolicyBundle(sha256: PolicyBundle.digest(of: sorted), files: sorted), parsed: parsed)
    }

    /// The same policy with another text of one file; the others are not parsed again.
    package func replacing(_ name: String, with source: String) -> ParsedPolicy {
        let files = bundle.files.map { $0.name == name ? PolicyBundle.File(name: name, source: source) : $0 }
        let same = Dictionary(chunks.map { ($0.name, $0) }) { first, _ in first }.filter { $0.key != name }
        var policy = ParsedPolicy(PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files), parsed: same)
        policy.fields = fields
        return policy
    }

    /// A file of the policy, if it is Lua.
    package subscript(name: String) -> Chunk? { chunks.first { $0.name == name } }

    private static func parse(_ file: PolicyBundle.File) throws(LuaSyntaxError) -> Chunk {
        try LuaParser.parse(file.source, chunk: file.name, maximumSize: PolicyBundle.maximumFileSize)
    }

    private static func parseOrFail(_ file: PolicyBundle.File) throws(PolicyFailure) -> Chunk {
        do {
            return try parse(file)
        } catch {
            throw PolicyFailure(code: "syntax", message: error.explained, file: file.name, line: error.position.line)
        }
    }
}
