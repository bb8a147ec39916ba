import LuaRuntime
package import TextFormats

/// Opens a file that the command line names for a script; `-` is standard input.
package typealias ScriptFileOpening = (_ path: String) throws -> any ByteSource

/// A file that a script was given as an argument: read from its beginning, as often as the script asks for it.
///
/// In Lua a table of `name`, `text()`, `lines()` and `rows()`. Memory is that of the longest line or record, for the
/// text that of the file.
struct ScriptFileArgument {
    /// The most bytes of a text, of a line and of a record of CSV.
    private static let longestText = 16 << 20
    private static let longestLine = 1 << 20

    private let name: String
    private let open: () throws -> AnyByteSource
    private let charge: (Int) throws -> Void

    /// - Parameters:
    ///   - path: as the command line has it.
    ///   - charge: charges the script with memory of its host; throws when the script is over.
    init(path: String, opening: @escaping ScriptFileOpening, charge: @escaping (Int) throws -> Void) {
        name = path == "-" ? "standard input" : path
        open = { AnyByteSource(try opening(path)) }
        self.charge = charge
    }

    /// The table that Lua sees.
    var value: LuaValue {
        .table(
            LuaTable(fields: [
                ("name", .string(name)),
                ("text", .callback { _ in [try reporting { try text() }] }),
                ("lines", .callback { _ in [try reporting { try lines() }] }),
                ("rows", .callback { _ in [try reporting { try rows() }] }),
            ]))
    }

    private func text() throws -> LuaValue {
        var source = try open()
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try portion.withUnsafeMutableBytes { try source.read(into: $0) }
            guard count > 0 else { break }
            try charge(count)
            bytes += portion[..<count]
            guard bytes.count <= ScriptFileArgument.longestText else {
                throw LuaHostError(
                    "\(name) is larger than \(ScriptFileArgument.longestText >> 20) MB; use lines() or rows()")
            }
        }
        guard let text = String(validating: bytes.dropByteOrderMark, as: UTF8.self) else {
            throw LuaHostError("\(name) is not UTF-8 text")
        }
        return .string(text)
    }

    /// An iterator over the lines, without their ends.
    private func lines() throws -> LuaValue {
        var reader = LineReader(source: try open(), longest: ScriptFileArgument.longestLine)
        var number = 0
        return .callback { _ in
            try reporting {
                guard var line = try reader.next() else { return [.nil] }
                number += 1
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                if number == 1 { line = Array(line.dropByteOrderMark) }
                try charge(line.count)
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw LuaHostError("\(name):\(number): the line is not UTF-8 text")
                }
                return [.string(text)]
            }
        }
    }

    /// An iterator over the records of CSV, each a table by the names in the first record; fields beyond these by their
    /// places.
    private func rows() throws -> LuaValue {
        var reader = CSVReader(source: try open(), maximumRecordLength: ScriptFileArgument.longestLine)
        guard let head = try reader.next() else { return .callback { _ in [.nil] } }
        let names = head.fields.map { String($0.trimmedOfBlanks) }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw LuaHostError("\(name):\(head.line): the column '\(APIText.quotable(twice))' stands there twice")
        }
        return .callback { _ in
            try reporting {
                guard let record = try reader.next() else { return [.nil] }
                try charge(record.fields.reduce(0) { $0 + $1.utf8.count })
                let fields = record.fields.enumerated().map { place, text in
                    (
                        key: names.indices.contains(place) ? LuaValue.string(names[place]) : .integer(Int64(place) + 1),
                        value: LuaValue.string(text)
                    )
                }
                return [.table(LuaTable(entries: fields)), .integer(Int64(record.line))]
            }
        }
    }

    /// Faults of the file as errors of the script that name it.
    private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TextError {
            throw LuaHostError("\(name):\(error.line): \(error.message)")
        } catch let failure as FileByteSource.Failure {
            throw LuaHostError(failure.description)
        }
    }
}

/// A source of bytes of any kind.
struct AnyByteSource: ByteSource {
    private var source: any ByteSource

    init(_ source: any ByteSource) {
        self.source = source
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { try source.read(into: buffer) }
}

/// Reads lines one at a time; memory depends on the longest alone.
private struct LineReader {
    private var source: AnyByteSource
    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(source: AnyByteSource, longest: Int) {
        self.source = source
        self.longest = longest
    }

    /// The next line without its line feed; nil at the end.
    ///
    /// - Throws: `LuaHostError` for a line that is too long; what the source throws.
    mutating func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            guard buffer.count - start <= longest else {
                throw LuaHostError("a line is longer than \(longest >> 20) MB")
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            var portion = [UInt8](repeating: 0, count: 1 << 16)
            let count = try portion.withUnsafeMutableBytes { try source.read(into: $0) }
            isAtEnd = count == 0
            buffer += portion[..<count]
        }
    }
}

extension Collection<UInt8> {
    /// The bytes behind a UTF-8 byte order mark, if they begin with one.
    fileprivate var dropByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}

extension String {
    /// Without blanks at its beginning and end.
    fileprivate var trimmedOfBlanks: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = self[...].drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
