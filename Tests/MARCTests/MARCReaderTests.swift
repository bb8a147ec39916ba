import MARC
import TestSupport
import Testing
import TextFormats

@Suite("Reading MARC records")
struct MARCReaderTests {
    /// A record of ISO 2709 with these fields, each a tag and its content with `$` for the mark of a subfield.
    static func record(_ fields: [(String, String)], leader: String = "nam a22", encoding: Character = "a") -> [UInt8] {
        var (directory, data) = ("", "")
        for (tag, content) in fields {
            let field = content.replacing("$", with: "\u{1F}") + "\u{1E}"
            directory += tag + digits(field.utf8.count, 4) + digits(data.utf8.count, 5)
            data += field
        }
        let base = 24 + directory.utf8.count + 1
        let text =
            digits(base + data.utf8.count + 1, 5) + "nam \(encoding)22" + digits(base, 5) + "   4500" + directory
            + "\u{1E}"
            + data + "\u{1D}"
        return Array(text.utf8)
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: width - text.count) + text
    }

    static let dune = record([("001", "ocm1"), ("020", "  $a9780441013593"), ("245", "10$aDune /$cFrank Herbert.")])
    static let emma = record([("001", "ocm2"), ("245", "10$aEmma")])

    @Test("a record has its leader, its fields, their indicators and subfields")
    func whole() throws {
        let items = try MARCFiles.items(Self.dune)
        let record = try #require(items.first?.record)
        #expect(items.count == 1 && items[0].faults.isEmpty && items[0].number == 1)
        #expect(record.controlNumber == "ocm1" && record.leader.count == 24 && !record.isUNIMARC)
        #expect(
            record.fields.last
                == .init(
                    "245",
                    .subfields(indicators: "10", [.init("a", "Dune /"), .init("c", "Frank Herbert.")])))
    }

    @Test("a record is the same however its bytes come", arguments: [1, 7, 100, Int.max])
    func portions(portion: Int) throws {
        let items = try MARCFiles.items(Self.dune + Self.emma, portion: portion)
        #expect(items.map(\.record?.controlNumber) == ["ocm1", "ocm2"])
    }

    @Test("what is wrong with a length is said, and the record and those behind it are read")
    func lengths() throws {
        var long = Self.dune
        long.replaceSubrange(..<5, with: "09999".utf8)
        var short = Self.dune
        short.replaceSubrange(..<5, with: "00040".utf8)
        var none = Self.dune
        none.replaceSubrange(..<5, with: "  12x".utf8.map { $0 == 0x20 ? 0x78 : $0 })
        for damaged in [long, short, none] {
            let items = try MARCFiles.items(damaged + Self.emma)
            #expect(items.map(\.record?.controlNumber) == ["ocm1", "ocm2"])
            #expect(items[0].faults.map(\.code) == ["bad_length"] && items[1].faults.isEmpty)
        }
    }

    @Test("bytes between records are reported and passed over; line ends are nothing")
    func strayBytes() throws {
        let items = try MARCFiles.items(Array("Export of Monday\n".utf8) + Self.dune + Array("\r\n\n".utf8) + Self.emma)
        #expect(items.map { $0.faults.map(\.code) } == [["no_record"], [], []])
        #expect(items.compactMap(\.record?.controlNumber) == ["ocm1", "ocm2"])
    }

    @Test("many damaged records are read in time that grows with their number")
    func manyDamaged() throws {
        var damaged = Self.dune
        damaged.replaceSubrange(..<5, with: "00040".utf8)
        let items = try MARCFiles.items(Array(repeatElement(damaged, count: 8_000).joined()))
        #expect(
            items.count == 8_000 && items.allSatisfy { $0.record != nil && $0.faults.map(\.code) == ["bad_length"] })
    }

    @Test("a file that ends within a record says so, and keeps those before it")
    func cutOff() throws {
        let items = try MARCFiles.items(Self.emma + Self.dune.dropLast(20))
        #expect(items.map(\.record?.controlNumber) == ["ocm2", nil])
        #expect(items[1].faults.map(\.code) == ["cut_off"] && items[1].faults[0].isFatal)
    }

    @Test("an empty file has no records, and a text is none")
    func nothing() throws {
        #expect(try MARCFiles.items([]).isEmpty)
        #expect(try MARCFiles.items(Array("\n\n  ".utf8)).isEmpty)
        let text = try MARCFiles.items(Array("isbn,title\n9780441013593,Dune\n".utf8))
        #expect(text.allSatisfy { $0.record == nil && $0.faults.contains(where: \.isFatal) } && !text.isEmpty)
    }

    @Test("a record that says MARC-8 and is UTF-8 is read as that, and the other way round")
    func wrongFlags() throws {
        let utf8 = Self.record([("001", "1"), ("245", "10$aCafé")], encoding: " ")
        let item = try #require(try MARCFiles.items(utf8).first)
        #expect(item.record?.fields.last?.content == .subfields(indicators: "10", [.init("a", "Café")]))
        #expect(item.faults.map(\.code) == ["encoding"])
        var marc8 = Self.record([("001", "1"), ("245", "10$aCafxe noir")])
        let place = try #require(marc8.lastIndex(of: UInt8(ascii: "x")))
        marc8[place] = 0xE2
        let other = try #require(try MARCFiles.items(marc8).first)
        #expect(other.record?.fields.last?.content == .subfields(indicators: "10", [.init("a", "Cafe\u{301} noir")]))
        #expect(other.faults.map(\.code) == ["encoding"])
    }

    @Test("bytes that are no character are said with their field, and the rest of the text is kept")
    func badCharacters() throws {
        var bytes = Self.record([("001", "1"), ("245", "10$aCafé x noir"), ("500", "  $aÜber")])
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "x")))
        bytes[place] = 0xFF
        let item = try #require(try MARCFiles.items(bytes).first)
        #expect(item.faults.map(\.tag) == ["245"] && item.faults.map(\.code) == ["bad_character"])
        #expect(
            item.record?.fields.dropFirst().first?.content
                == .subfields(indicators: "10", [.init("a", "Café \u{FFFD} noir")]))
    }

    @Test("an encoding that is given is that of all records")
    func givenEncoding() throws {
        var bytes = Self.record([("001", "1"), ("245", "10$ax")])
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
        bytes[place] = 0xCC
        for (encoding, letter) in [(MARCEncoding.windows1251, "М"), (.latin1, "Ì"), (.cp866, "╠")] {
            let record = try MARCFiles.items(bytes, encoding: encoding).first?.record
            #expect(record?.fields.last?.content == .subfields(indicators: "10", [.init("a", letter)]))
        }
    }

    @Test("MARC-JSON says the same, and what is none is refused with its place")
    func json() throws {
        let record = try #require(try MARCFiles.items(Self.dune).first?.record)
        let again = try MARCRecord(json: record.json)
        #expect(again == record)
        for (text, path) in [
            (#"{"fields": []}"#, "leader"), (#"{"leader": "x"}"#, "fields"),
            (#"{"leader": "x", "fields": [{"001": "a", "002": "b"}]}"#, "fields[1]"),
            (#"{"leader": "x", "fields": [{"001": 5}]}"#, "fields[1].001"),
            (#"{"leader": "x", "fields": [{"245": {"subfields": [{"a": 1}]}}]}"#, "fields[1].245.subfields[1]"),
        ] {
            let object = try #require(try JSONParser.parse(text).objectValue)
            #expect { try MARCRecord(json: object) } throws: { ($0 as? MARCRecord.Fault)?.path == path }
        }
    }

    @Test("the form of a file shows from its first bytes")
    func forms() throws {
        #expect(MARCForm(beginning: Self.dune[...]) == .binary)
        #expect(MARCForm(beginning: (Array("\n".utf8) + Self.dune)[...]) == .binary)
        for text in [
            "<?xml version=\"1.0\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\"><record>",
            "<marc:collection xmlns:marc=\"http://www.loc.gov/MARC21/slim\">", "<record><leader>00000</leader>",
        ] {
            #expect(MARCForm(beginning: Array(text.utf8)[...]) == .xml, "\(text)")
        }
        for text in ["", "isbn,title", "{\"a\": 1}", "12345", "<html><body>", "00099,1,2,3,4,5,6,7,8,9,10,11,12"] {
            #expect(MARCForm(beginning: Array(text.utf8)[...]) == nil, "\(text)")
        }
    }

    @Test(
        "texts in MARC-8 are those that the same texts in UTF-8 are",
        .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"))
    func marc8() throws {
        for folder in ["pymarc/", "ruby-marc/marc8_data_"] {
            let lines = { (name: String) throws in
                try SharedData.bytes("data/marc/\(folder)\(name).txt").split(
                    separator: 0x0A, omittingEmptySubsequences: false)
            }
            let (marc8, utf8) = (try lines("test_marc8"), try lines("test_utf8"))
            #expect(marc8.count == utf8.count && marc8.count > 100)
            let pairs = zip(marc8, utf8).filter { !$0.0.isEmpty }
            let records = pairs.flatMap { Self.bytes(["  \u{1F}a".utf8 + Array($0.0)]) }
            let items = try MARCFiles.items(records, encoding: .marc8)
            #expect(items.count == pairs.count)
            var different: [String] = []
            for (item, line) in zip(items, pairs) {
                guard case .subfields(_, let parts)? = item.record?.fields.first?.content else {
                    Issue.record("no field")
                    continue
                }
                // Swift compares by canonical equivalence.
                let text = String(decoding: line.1, as: UTF8.self)
                if (parts.first?.value == text) != item.faults.isEmpty {
                    different.append("\(text) is \(parts.first?.value ?? "none")")
                }
            }
            #expect(different == [])
            #expect(items.filter { !$0.faults.isEmpty }.count <= 1)
        }
    }

    /// A record of fields `245` with these bytes.
    private static func bytes(_ fields: [[UInt8]]) -> [UInt8] {
        var (directory, data): ([UInt8], [UInt8]) = ([], [])
        for field in fields {
            directory += ("245" + digits(field.count + 1, 4) + digits(data.count, 5)).utf8
            data += field + [0x1E]
        }
        let base = 24 + directory.count + 1
        let leader = digits(base + data.count + 1, 5) + "nam  22" + digits(base, 5) + "   4500"
        return Array(leader.utf8) + directory + [0x1E] + data + [0x1D]
    }
}
