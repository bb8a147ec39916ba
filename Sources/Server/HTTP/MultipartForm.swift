import Scripting
import TextFormats

/// A form with files, as browsers send it: `multipart/form-data` (RFC 7578).
///
/// What no browser sends is a problem: parts without a name, header fields of a part that go on, bytes between parts, and
/// more parts than a form of the pages has.
struct MultipartForm {
    /// One file of a form; a field that was left empty has a file without a name and bytes.
    struct File: Hashable {
        var name: String
        var bytes: [UInt8]
    }

    private(set) var members: [(name: String, value: String)] = []
    private(set) var files: [String: File] = [:]

    private static let mostParts = 64
    /// Of the header of a part, in bytes.
    private static let mostHeaderBytes = 2_048

    private static let wrong = Problem(400, "form", "The uploaded form cannot be read.")

    /// The mark between parts that a media type names; nil: it is no form with files.
    static func boundary(of type: String?) -> [UInt8]? {
        guard RequestText.media(type) == "multipart/form-data", let type else { return nil }
        let values = Self.parameters(Array(type.utf8))
        guard let boundary = values["boundary"], (1...70).contains(boundary.count),
            boundary.allSatisfy({ (0x20...0x7E).contains($0) }), boundary.last != 0x20
        else { return nil }
        return boundary
    }

    /// - Parameter boundary: as ``boundary(of:)`` gives it.
    /// - Throws: ``Problem`` for what is no such form, and for a name that occurs twice.
    init(_ body: [UInt8], boundary: [UInt8]) throws(Problem) {
        let mark = Array("--".utf8) + boundary
        let between = Array("\r\n".utf8) + mark
        guard body.starts(with: mark) else { throw Self.wrong }
        var rest = body[mark.count...]
        while true {
            if rest.starts(with: Array("--".utf8)) {
                let end = rest.dropFirst(2)
                guard end.isEmpty || end.elementsEqual("\r\n".utf8) else { throw Self.wrong }
                return
            }
            guard rest.starts(with: "\r\n".utf8), members.count + files.count < Self.mostParts else { throw Self.wrong }
            rest = rest.dropFirst(2)
            let head = rest.prefix(Self.mostHeaderBytes)
            guard let blank = Self.place(of: Array("\r\n\r\n".utf8), in: head),
                let end = Self.place(of: between, in: rest[(blank + 2)...])
            else { throw Self.wrong }
            // An empty part ends with the line break behind its header.
            let content = end < blank + 4 ? [] : rest[(blank + 4)..<end]
            try take(rest[rest.startIndex..<blank], content)
            rest = rest[(end + between.count)...]
        }
    }

    /// Where bytes stand first; Foundation is not needed for it, and the mark is seldom met by its first byte.
    private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            var index = 0
            let last = buffer.count - wanted.count
            while index <= last {
                if buffer[index] == first {
                    var length = 1
                    while length < wanted.count, buffer[index + length] == wanted[length] { length += 1 }
                    if length == wanted.count { return bytes.startIndex + index }
                }
                index += 1
            }
            return nil
        }
    }

    private mutating func take(_ header: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) throws(Problem) {
        var disposition: [String: [UInt8]] = [:]
        for line in header.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Self.wrong }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            guard name == "content-disposition" else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            guard disposition.isEmpty, value.starts(with: "form-data;".utf8) else { throw Self.wrong }
            disposition = Self.parameters(Array(value))
        }
        guard let bytes = disposition["name"], !bytes.isEmpty, let name = String(validating: bytes, as: UTF8.self)
        else { throw Self.wrong }
        guard files[name] == nil, !members.contains(where: { $0.name == name }) else {
            throw Problem.input("'\(SafeText.line(name))' is given twice.")
        }
        if let file = disposition["filename"] {
            files[name] = File(name: String(decoding: file, as: UTF8.self), bytes: Array(content))
        } else {
            guard let text = String(validating: content, as: UTF8.self) else { throw Self.wrong }
            members.append((name, text))
        }
    }

    /// What stands behind the semicolons of a header field: `name=value` or `name="value"`, in which browsers write a quotation
    /// mark as `%22` or `\"`.
    private static func parameters(_ text: [UInt8]) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var index = text.firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
        while index < text.endIndex {
            index += 1
            while index < text.endIndex, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
            guard let equals = text[index...].firstIndex(of: UInt8(ascii: "=")) else { return found }
            let name = String(decoding: text[index..<equals], as: UTF8.self).lowercased()
            index = equals + 1
            var value: [UInt8] = []
            if index < text.endIndex, text[index] == UInt8(ascii: "\"") {
                index += 1
                while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
                    if text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex { index += 1 }
                    value.append(text[index])
                    index += 1
                }
                index = text[index...].firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
            } else {
                let end = text[index...].firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
                value = Array(text[index..<end])
                while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
                index = end
            }
            if found[name] == nil { found[name] = value }
        }
        return found
    }
}
