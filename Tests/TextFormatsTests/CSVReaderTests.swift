import TestSupport
import Testing
import TextFormats

@Suite("Reading CSV")
struct CSVReaderTests {
    /// Everything that comes out of a text: records as they are, errors by code and line.
    private enum Item: Equatable {
        case record([String], line: Int)
        case error(TextError.Code, line: Int, column: Int)
    }

    private func read(
        _ bytes: [UInt8], separator: UInt8? = nil, portion: Int = .max, maximumRecordLength: Int = 1 << 20
    ) -> [Item] {
        var reader = CSVReader(
            source: MemoryByteSource(bytes, portion: portion), separator: separator,
            maximumRecordLength: maximumRecordLength)
        var items: [Item] = []
        while true {
            do {
                guard let record = try reader.next() else { return items }
                items.append(.record(record.fields, line: record.line))
            } catch {
                items.append(.error(error.code, line: error.line, column: error.column))
            }
        }
    }

    private func read(_ text: String, portion: Int = .max, maximumRecordLength: Int = 1 << 20) -> [Item] {
        read(Array(text.utf8), portion: portion, maximumRecordLength: maximumRecordLength)
    }

    @Test(
        "csv-spectrum reads as its authors expect",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"),
        arguments: SharedData.files(in: "data/malformed/csv-spectrum/csvs", suffix: ".csv"), [1, 5, Int.max])
    func spectrum(_ name: String, _ portion: Int) throws {
        let folder = "data/malformed/csv-spectrum"
        let expected = try JSONParser.parse(
            SharedData.bytes("\(folder)/json/\(name.replacing(".csv", with: ".json"))"))
        var reader = CSVReader(
            source: MemoryByteSource(try SharedData.bytes("\(folder)/csvs/\(name)"), portion: portion))
        let header = CSVHeader(try #require(try reader.next()))
        var rows: [JSON] = []
        while let record = try reader.next() {
            var row = JSONObject()
            for column in header.names { row[column] = .string(try #require(header.field(column, of: record))) }
            rows.append(.object(row))
        }
        #expect(.array(rows) == expected)
    }

    @Test("All line ends count, mixed or at the end missing", arguments: [1, 2, 3, Int.max])
    func lineEnds(_ portion: Int) {
        #expect(
            read("a,b\r\nc,d\re,f\n\n\r\n\rg,\"h\r\ni\rj\n\"\r\nk,", portion: portion) == [
                .record(["a", "b"], line: 1), .record(["c", "d"], line: 2), .record(["e", "f"], line: 3),
                .record(["g", "h\r\ni\rj\n"], line: 7), .record(["k", ""], line: 11),
            ])
    }

    @Test("Quotes are undone, and quotes inside an unquoted field are text", arguments: [1, Int.max])
    func quotes(_ portion: Int) {
        #expect(
            read("\"a\"\"b\",\"\",\"\"\"\",5\" disc,\"x,y\"\n", portion: portion) == [
                .record(["a\"b", "", "\"", "5\" disc", "x,y"], line: 1)
            ])
    }

    @Test("A byte order mark is not part of the first field", arguments: [1, Int.max])
    func byteOrderMark(_ portion: Int) {
        #expect(read([0xEF, 0xBB, 0xBF] + "\"a\",b".utf8, portion: portion) == [.record(["a", "b"], line: 1)])
    }

    @Test("UTF-16 is refused at once", arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
    func utf16(_ mark: [UInt8]) {
        #expect(read(mark + [0x61, 0, 0x2C, 0]) == [.error(.encoding, line: 1, column: 1)])
    }

    @Test(
        "The separator is the most frequent one of the first record",
        arguments: [
            ("a,b\n1;2,3", 0x2C), ("a;b\n1,5;2", 0x3B), ("a\tb,c\td\n", 0x09), ("alone\n1", 0x2C),
            ("\"a,b,c\";d\n", 0x3B), ("\n\n\"x\";y\n", 0x3B), ("", 0x2C),
        ] as [(String, UInt8)])
    func separators(_ text: String, _ separator: UInt8) throws {
        var reader = CSVReader(source: MemoryByteSource(text))
        _ = try reader.next()
        #expect(reader.separator == separator)
    }

    @Test("A separator that was given is not questioned")
    func givenSeparator() {
        #expect(read(Array("a,b;c".utf8), separator: UInt8(ascii: ";")) == [.record(["a,b", "c"], line: 1)])
    }

    @Test("Text after a closing quote costs its record only", arguments: [1, Int.max])
    func textAfterQuote(_ portion: Int) {
        #expect(
            read("a,b\n1,\"x\"y\n2,z\n", portion: portion) == [
                .record(["a", "b"], line: 1), .error(.syntax, line: 2, column: 6), .record(["2", "z"], line: 3),
            ])
    }

    @Test("A quote that is never closed costs its line only", arguments: [1, Int.max])
    func unclosedQuote(_ portion: Int) {
        #expect(
            read("a,b\n1,\"x\n2,y\n3,z", portion: portion) == [
                .record(["a", "b"], line: 1), .error(.syntax, line: 2, column: 3), .record(["2", "y"], line: 3),
                .record(["3", "z"], line: 4),
            ])
    }

    @Test("Bytes that are not UTF-8 cost their record only", arguments: [1, Int.max])
    func encoding(_ portion: Int) {
        let bytes =
            Array("a,b\nx,".utf8) + [0xE9] + Array(",\"y\ny\"\nü,c\n\"".utf8) + [0x22, 0x22, 0xFF]
            + Array("\",1\nd,e".utf8)
        #expect(
            read(bytes, portion: portion) == [
                .record(["a", "b"], line: 1), .error(.encoding, line: 2, column: 3), .record(["ü", "c"], line: 4),
                .error(.encoding, line: 5, column: 4), .record(["d", "e"], line: 6),
            ])
    }

    @Test("A record beyond the limit costs itself only", arguments: [1, 1000, Int.max])
    func tooLong(_ portion: Int) {
        let long = String(repeating: "x", count: 200_000)
        let items = read("a\n\(long)\nb\n\"\(long)\n\(long)\"\nc\n", portion: portion, maximumRecordLength: 50_000)
        #expect(items.first == .record(["a"], line: 1))
        #expect(items.contains(.record(["b"], line: 3)))
        #expect(items.last == .record(["c"], line: 6))
        #expect(items.count { if case .error(.tooLong, _, _) = $0 { true } else { false } } >= 2)
    }

    @Test("A file whose every line opens a quote in vain is refused in time that grows with its size")
    func hostileQuotes() throws {
        /// The least of three times, since what else runs only adds to them.
        func time(lines: Int) throws -> Duration {
            let text = String(repeating: "x\",\"\n", count: lines)
            let times = (0..<3).map { _ in
                ProcessorTime.spent {
                    let items = read(text)
                    #expect(items.count > lines / 2)
                    #expect(items.count { if case .error = $0 { true } else { false } } > lines / 2)
                }
            }
            return try #require(times.min())
        }
        let (few, many) = (try time(lines: 5_000), try time(lines: 40_000))
        // Time that grew with the square would be 64 times as much.
        #expect(many < few * 24, "\(few) for 5,000 lines, \(many) for 40,000")
    }

    @Test("Behind an unclosed quote, records of several lines are still read")
    func afterUnclosed() {
        let items = read("a,b\n\"open,x\n1,\"two\nlines\"\n2,z\n")
        #expect(
            items == [
                .record(["a", "b"], line: 1), .error(.syntax, line: 2, column: 1),
                .record(["1", "two\nlines"], line: 3),
                .record(["2", "z"], line: 5),
            ])
    }

    @Test("Long records within the limit are read whole")
    func longRecord() {
        let long = String(repeating: "wörter, ", count: 60_000)
        #expect(
            read("a,\"\(long)\"\nb,c", portion: 4096) == [
                .record(["a", long], line: 1), .record(["b", "c"], line: 2),
            ])
    }

    @Test("Nothing gives nothing", arguments: ["", "\n", "\r\n\r\n", "\u{FEFF}"])
    func nothing(_ text: String) {
        #expect(read(text).isEmpty)
    }

    @Test("Records differ in length, and a missing field is nil")
    func ragged() throws {
        var reader = CSVReader(source: MemoryByteSource("Title , ISBN,title\nOne\n"))
        let header = CSVHeader(try #require(try reader.next()))
        let record = try #require(try reader.next())
        #expect(header.index(of: "isbn") == 1)
        #expect(header.field("TITLE", of: record) == "One")
        #expect(header.field("isbn", of: record) == nil)
        #expect(header.repeatedNames == ["title"])
        #expect(record[-1] == nil)
    }

    @Test("However a text is cut, the same comes out")
    func portions() {
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            let alphabet = Array("ab,;\"\"\r\n\té".utf8)
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let whole = read(bytes)
            for portion in [1, 2, 3, 5] { #expect(read(bytes, portion: portion) == whole, "\(bytes)") }
        }
    }

    @Test("A file is read from disk, and a missing one is an error that names it")
    func files() throws {
        let error = try #require(throws: FileByteSource.Failure.self) { try FileByteSource(path: "/nowhere/books.csv") }
        #expect(error.description == "cannot read /nowhere/books.csv: No such file or directory")
        var reader = CSVReader(source: try FileByteSource(path: #filePath))
        var records = 0
        while true {
            do {
                guard try reader.next() != nil else { break }
                records += 1
            } catch { continue }
        }
        #expect(records > 10)
    }

    @Test("A folder that is opened as a file is an error, and then the end")
    func unreadable() throws {
        var reader = CSVReader(source: try FileByteSource(path: "/"))
        let error = try #require(throws: TextError.self) { try reader.next() }
        #expect(error.code == .unreadable)
        #expect(try reader.next() == nil)
    }
}
