import Foundation
import MARC
import Testing
import TextFormats

/// Records that say of themselves what is not so, made byte by byte.
@Suite("Damaged records")
struct DamagedRecordTests {
    private typealias Entry = (tag: String, content: [UInt8])

    private static func entry(_ tag: String, _ text: String) -> Entry {
        (tag, Array(text.replacing("$", with: "\u{1F}").utf8))
    }

    private static let fields = [
        entry("001", "q77"), entry("008", "990101s1971    xxk           000 1 eng d"),
        entry("245", "10$aAkenfield$cR. Blythe"),
        entry("300", "  $a287 p."),
    ]

    /// - Parameters:
    ///   - base: what the leader says of the place of the fields.
    ///   - lengths: what the directory says of the lengths of some fields.
    private static func record(
        _ fields: [Entry] = fields, mark: Character = "a", base: Int? = nil, lengths: [Int: Int] = [:],
        end: [UInt8] = [0x1D]
    ) -> [UInt8] {
        var (directory, data) = ("", [UInt8]())
        for (index, field) in fields.enumerated() {
            directory += field.tag + padded(lengths[index] ?? field.content.count + 1, 4) + padded(data.count, 5)
            data += field.content + [0x1E]
        }
        let start = 25 + directory.utf8.count
        let leader = padded(start + data.count + 1, 5) + "nam \(mark)22" + padded(base ?? start, 5) + " i 4500"
        return Array((leader + directory).utf8) + [0x1E] + data + end
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number % Int(pow(10, Double(count))))
        return String(repeating: "0", count: count - digits.utf8.count) + digits
    }

    private static func title(_ record: MARCRecord?) -> String? {
        for case .subfields(_, let subfields) in record?.fields.filter({ $0.tag == "245" }).map(\.content) ?? [] {
            return subfields.first { $0.code == "a" }?.value
        }
        return nil
    }

    @Test(
        "a leader that names another place of the fields is said, and the record is whole",
        arguments: [60, 12, 99_999, 0])
    func wrongBase(base: Int) throws {
        let whole = try #require(try MARCFiles.items(Self.record()).first?.record)
        let items = try MARCFiles.items(Self.record(base: base) + Self.record())
        #expect(items.map(\.record?.fields) == [whole.fields, whole.fields])
        #expect(items.map { $0.faults.map(\.code) } == [["bad_base"], []])
        #expect(items[0].faults.first?.message.contains("at byte \(base), and they do at 73") == true)
    }

    @Test(
        "a directory that says other lengths is said, and fields end at their marks",
        arguments: [[2: 9_999], [1: 3, 3: 50], [0: 1]])
    func wrongLengths(lengths: [Int: Int]) throws {
        let whole = try #require(try MARCFiles.items(Self.record()).first?.record)
        let items = try MARCFiles.items(Self.record(lengths: lengths) + Self.record())
        #expect(items.map(\.record?.fields) == [whole.fields, whole.fields])
        #expect(items[0].faults.map(\.code).contains("bad_directory"))
        #expect(items[0].controlNumber == "q77")
        #expect(items[1].faults.isEmpty)
    }

    @Test("a field that is longer than its place in the directory is whole")
    func longField() throws {
        let long = String(repeating: "fen ", count: 3_000)
        let items = try MARCFiles.items(Self.record(Self.fields + [Self.entry("520", "  $a" + long)]))
        let content = try #require(items.first?.record?.fields.last?.content)
        #expect(content == .subfields(indicators: "  ", [.init("a", long)]))
        #expect(items[0].faults.map(\.code).contains("bad_directory"))
    }

    @Test("a field without indicators takes none from the field before it")
    func noIndicators() throws {
        let fields = [Self.entry("001", "ni"), Self.entry("245", "$aBevis"), Self.entry("500", "1$aOne")]
        let record = try #require(try MARCFiles.items(Self.record(fields)).first?.record)
        #expect(record.controlNumber == "ni")
        #expect(Self.title(record) == "Bevis")
        #expect(try MARCFiles.items(Self.record(fields))[0].faults.map(\.code) == ["damaged"])
    }

    @Test("a record without the mark at its end is kept; one that breaks off is named by its control number")
    func noEnd() throws {
        let items = try MARCFiles.items(Self.record(end: []) + Self.record())
        #expect(items.map { Self.title($0.record) } == ["Akenfield", "Akenfield"])
        #expect(items.map { $0.faults.map(\.code) } == [["no_end"], []])
        let last = try MARCFiles.items(Self.record() + Self.record(end: []))
        #expect(last.map { Self.title($0.record) } == ["Akenfield", "Akenfield"])
        #expect(last.map { $0.faults.map(\.code) } == [[], ["no_end"]])
        let part = Self.record().prefix(130)
        for rest in [Self.record(), []] {
            let broken = try MARCFiles.items(Self.record() + part + rest)
            #expect(broken.map { Self.title($0.record) } == ["Akenfield", nil] + (rest.isEmpty ? [] : ["Akenfield"]))
            #expect(broken[1].faults.map(\.code) == ["cut_off"])
            #expect(broken[1].controlNumber == "q77")
        }
    }

    @Test("texts in two encodings are each read as what they are, and what is none of them is said")
    func mixedEncodings() throws {
        let anse: Entry = ("500", Array("  \u{1F}aCaf".utf8) + [0xE2] + Array("e".utf8))
        let items = try MARCFiles.items(Self.record([Self.entry("245", "10$aÉté"), anse], mark: " "))
        let record = try #require(items.first?.record)
        #expect(Self.title(record) == "Été")
        #expect(record.fields[1].content == .subfields(indicators: "  ", [.init("a", "Cafe\u{301}")]))
        #expect(items[0].faults.map(\.code) == ["encoding"])
        #expect(items[0].faults.first?.tag == "245")
        let bad: Entry = ("245", Array("10\u{1F}aÉté ".utf8) + [0xFF, 0xFE] + Array(" 1".utf8))
        let other = try MARCFiles.items(Self.record([bad]))
        #expect(Self.title(other.first?.record)?.hasPrefix("Été ") == true)
        #expect(other[0].faults.map(\.code) == ["bad_character"])
    }

    @Test("a record of XML without a leader is kept with those around it")
    func noLeader() throws {
        func record(_ leader: String, _ title: String) -> String {
            "<record>\(leader)<controlfield tag=\"001\">\(title)</controlfield><datafield tag=\"245\" ind1=\"0\" ind2=\"0\">"
                + "<subfield code=\"a\">\(title)</subfield></datafield></record>"
        }
        let leader = "<leader>00000nam a2200000   4500</leader>"
        let text =
            "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">" + record(leader, "Ash") + record("", "Elm")
            + record(leader, "Oak") + "</collection>"
        let items = try MARCFiles.items(Array(text.utf8), isXML: true)
        #expect(items.map { Self.title($0.record) } == ["Ash", "Elm", "Oak"])
        #expect(items.map { $0.faults.map(\.code) } == [[], ["no_leader"], []])
        #expect(items.map(\.controlNumber) == ["Ash", "Elm", "Oak"])
    }

    @Test("a record of UNIMARC keeps its leader, and says that it is written in UTF-8")
    func unimarc() throws {
        let coded = "19970203d1997    m  y0frey01      ba"
        let fields = [Self.entry("001", "u1"), Self.entry("100", "  $a" + coded), Self.entry("200", "1 $aÉté")]
        let read = try #require(try MARCFiles.items(Self.record(fields, mark: " ")).first?.record)
        let again = try MARCFiles.items(try MARCFiles.written([read], .binary))
        #expect(again.first?.faults == [])
        let record = try #require(again.first?.record)
        #expect(Array(record.leader)[9] == " ")
        #expect(record.fields[2] == read.fields[2])
        #expect(
            record.fields[1].content
                == .subfields(indicators: "  ", [.init("a", coded.replacing("01  ", with: "50  "))]))
        // What is in ASCII goes out to the letter.
        let plain = Self.record([fields[0], fields[1], Self.entry("200", "1 $aEte")], mark: " ")
        #expect(try MARCFiles.written(MARCFiles.items(plain).compactMap(\.record), .binary) == plain)
    }
}
