package import Circulation
import Foundation
import LuaSyntax
import TextFormats

extension PolicyBundle {
    /// The most bytes of one file.
    package static let maximumFileSize = 64 << 10
    /// The most bytes of all files.
    package static let maximumSize = 1 << 20

    /// The bundle of a policy file and of all that it requires from its folder.
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

    /// The bundle of a source and of what it requires.
    ///
    /// - Parameter find: the source of a file by its name, such as `lib/terms.lua`; nil if there is none.
    /// - Throws: ``PolicyFailure`` as ``init(file:)``.
    package init(
        name: String, source: String, find: (String) throws(PolicyFailure) -> String? = { _ in nil }
    ) throws(PolicyFailure) {
        var files = [File(name: name, source: source)]
        var required: [File] = []
        var known: Set<String> = []
        while let file = files.popLast() {
            required.append(file)
            try PolicyBundle.checkSize(of: required)
            for (module, line) in try PolicyBundle.modules(in: file) {
                let target = try PolicyBundle.fileName(of: module, in: file.name, line: line)
                guard known.insert(target).inserted else { continue }
                guard let found = try find(target) else {
                    throw PolicyFailure(
                        code: "bad_require", message: "require \"\(module)\": there is no \(target) beside the policy",
                        file: file.name, line: line)
                }
                files.append(File(name: target, source: found))
            }
        }
        let sorted = [required[0]] + required.dropFirst().sorted { $0.name < $1.name }
        self.init(sha256: PolicyBundle.digest(of: sorted), files: sorted)
    }

    /// SHA-256 over names and bytes, each with its length before it, so that no two bundles read alike.
    package static func digest(of files: [File]) -> String {
        var hash = SHA256()
        for file in files {
            hash.update("\(file.name.utf8.count) \(file.source.utf8.count)\n".utf8)
            hash.update(file.name.utf8)
            hash.update(file.source.utf8)
        }
        return hash.finish()
    }

    /// The file that `require` of a module means: `a.b` is `a/b.lua`.
    package static func fileName(of module: String) -> String? {
        let parts = module.split(separator: ".", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            guard let first = part.utf8.first, first != UInt8(ascii: "0"), !(0x30...0x39).contains(first) else {
                return false
            }
            return part.utf8.allSatisfy {
                ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x30...0x39).contains($0) || $0 == 0x5F
            }
        }
        return isName ? parts.joined(separator: "/") + ".lua" : nil
    }

    private static func fileName(of module: String, in file: String, line: Int) throws(PolicyFailure) -> String {
        if let name = fileName(of: module) { return name }
        throw PolicyFailure(
            code: "bad_require",
            message: "require \"\(module)\": a name is letters, digits and _, parts joined by a dot",
            file: file, line: line)
    }

    private static func modules(in file: File) throws(PolicyFailure) -> [(name: String, line: Int)] {
        do {
            let chunk = try LuaParser.parse(file.source, chunk: file.name, maximumSize: maximumFileSize)
            return PolicyRestrictions.requiredModules(in: chunk).map { ($0.name, $0.range.start.line) }
        } catch {
            throw PolicyFailure(code: "syntax", message: error.explained, file: file.name, line: error.position.line)
        }
    }

    private static func checkSize(of files: [File]) throws(PolicyFailure) {
        let sizes = files.map(\.source.utf8.count)
        if let last = files.last, last.source.utf8.count > maximumFileSize {
            throw PolicyFailure(
                code: "too_large", message: "\(last.source.utf8.count) bytes; a file may have \(maximumFileSize)",
                file: last.name)
        }
        if sizes.reduce(0, +) > maximumSize {
            throw PolicyFailure(
                code: "too_large", message: "a policy and what it requires may have \(maximumSize) bytes",
                file: files[0].name)
        }
    }
}
