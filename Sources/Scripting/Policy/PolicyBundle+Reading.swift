package import Circulation
import TextFormats

extension PolicyBundle {
    /// The most bytes of one file.
    package static let maximumFileSize = maximumSize
    /// The most bytes of all files.
    package static let maximumSize = 1 << 20

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

    /// - Throws: ``PolicyFailure`` with the code `bad_require`, at the line of the `require`.
    static func fileName(of module: String, in file: String, line: Int) throws(PolicyFailure) -> String {
        if let name = fileName(of: module) { return name }
        throw PolicyFailure(
            code: "bad_require",
            message: "require \"\(module)\": a name is letters, digits and _, parts joined by a dot",
            file: file, line: line)
    }

    /// - Throws: ``PolicyFailure`` with the code `too_large`; the last file is the one that came last.
    static func checkSize(of files: [File]) throws(PolicyFailure) {
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
