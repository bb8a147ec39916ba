import Foundation
import MARC
import TestSupport
import Testing
import TextFormats

@Suite("MARC records there and back", .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"))
struct MARCRoundTripTests {
    @Test("what was read is written and read the same, binary and as XML", arguments: MARCFiles.binary + MARCFiles.xml)
    func same(name: String) throws {
        let items = try MARCFiles.items(SharedData.bytes(name), isXML: name.hasSuffix(".xml"))
        let records = items.compactMap(\.record)
        #expect(!records.isEmpty)
        for form in [MARCForm.binary, .xml] {
            // What has no place in a form is said, as fields with marks of two characters are.
            let writer = try MARCWriter(form)
            let fitting = records.filter { (try? writer.bytes(of: $0)) != nil && Self.isRegular($0) }
            let again = try MARCFiles.items(MARCFiles.written(fitting, form), isXML: form == .xml)
            #expect(again.compactMap(\.record).map(\.fields) == fitting.map(\.fields), "\(form)")
            #expect(again.flatMap(\.faults) == [])
        }
    }

    /// Whether the record can be told apart again: tags of three characters, two indicators, codes of one.
    private static func isRegular(_ record: MARCRecord) -> Bool {
        record.fields.allSatisfy { field in
            guard field.tag.utf8.count == 3, field.tag.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x28 }) else {
                return false
            }
            switch field.content {
            case .value(let value): return field.tag.hasPrefix("00") && isPlain(value)
            case .subfields(let indicators, let parts):
                return !field.tag.hasPrefix("00") && indicators.utf8.count == 2
                    && parts.allSatisfy { $0.code.utf8.count == 1 && $0.code != " " && isPlain($0.value) }
            }
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 } && !text.contains("\u{FFFD}")
    }

    @Test(
        "yaz-marcdump finds the same fields in what was written as in what was read",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/bin/yaz-marcdump"), "the package yaz is not installed"),
        arguments: MARCFiles.binary)
    func dumped(name: String) throws {
        let bytes = try SharedData.bytes(name)
        let items = try MARCFiles.items(bytes)
        // Where a record is damaged, yaz-marcdump loses its way where this reader finds the next one.
        guard items.flatMap(\.faults).isEmpty else { return }
        let records = items.compactMap(\.record)
        guard records.allSatisfy(Self.isRegular) else { return }
        let isUTF8 = records.allSatisfy { $0.leader.dropFirst(9).first == "a" }
        let isMARC8 = records.allSatisfy { $0.leader.dropFirst(9).first == " " && !$0.isUNIMARC }
        guard isUTF8 || isMARC8 else { return }
        let read = try MARCFiles.dumped(bytes, isUTF8 ? [] : ["-f", "marc8", "-t", "utf8"])
        let written = try MARCFiles.dumped(MARCFiles.written(records, .binary))
        #expect(!read.isEmpty && read == written)
    }

    @Test("records in MARC-8 go there and back", arguments: ["lul_fre_100.mrc", "hebrew.marc", "oss.marc"])
    func marc8(name: String) throws {
        let records = try MARCFiles.items(SharedData.bytes("data/marc/evergreen/\(name)")).compactMap(\.record)
        let again = try MARCFiles.items(MARCFiles.written(records, .binary, encoding: .marc8)).compactMap(\.record)
        #expect(!records.isEmpty && again.map(\.fields) == records.map(\.fields))
    }

    @Test("of damaged files every record that is whole is read, and all others are said", arguments: MARCFiles.binary)
    func damaged(name: String) throws {
        let bytes = try SharedData.bytes(name)
        let whole = try MARCFiles.items(bytes)
        for number in 0..<40 {
            var mutator = ByteMutator(seed: UInt64(number) &* 31 &+ UInt64(name.utf8.count))
            let damaged = mutator.mutate(Array(bytes.prefix(20_000)))
            for item in try MARCFiles.items(damaged, portion: number % 2 == 0 ? 333 : .max) {
                #expect(item.record != nil || item.faults.contains(where: \.isFatal))
                if let record = item.record {
                    let again = try MARCRecord(json: record.json)
                    #expect(again == record)
                }
            }
        }
        #expect(whole.count == whole.last?.number)
    }

    @Test("of damaged XML what can be read is read, and nothing outside is", arguments: MARCFiles.xml)
    func damagedXML(name: String) throws {
        let bytes = try SharedData.bytes(name)
        for number in 0..<40 {
            var mutator = ByteMutator(seed: UInt64(number))
            for item in try MARCFiles.items(mutator.mutate(Array(bytes.prefix(20_000))), isXML: true) {
                #expect(item.record != nil || item.faults.contains(where: \.isFatal))
            }
        }
        let foreign = """
            <!DOCTYPE collection [<!ENTITY x SYSTEM "file:///etc/hostname">]>
            <collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader>
            <controlfield tag="001">a&x;b</controlfield></record></collection>
            """
        let record = try MARCFiles.items(Array(foreign.utf8), isXML: true).first?.record
        #expect(record?.fields == [.init("001", .value("ab"))])
    }
}

@Suite("Writing MARC records")
struct MARCWriterTests {
    @Test("what ISO 2709 has no place for is said, and has one in XML")
    func places() throws {
        let record = MARCRecord(
            leader: "00000nam a2200000   4500",
            fields: [.init("500", .subfields(indicators: "  ", [.init("a", String(repeating: "x", count: 10_000))]))])
        let writer = try MARCWriter(.binary)
        #expect(throws: MARCWriter.Failure.self) { try writer.bytes(of: record) }
        let xml = try MARCFiles.written([record], .xml)
        #expect(try MARCFiles.items(xml, isXML: true).first?.record?.fields == record.fields)
        let many = MARCRecord(
            leader: record.leader,
            fields: (0..<12).map { _ in
                .init("500", .subfields(indicators: "  ", [.init("a", String(repeating: "x", count: 9_000))]))
            })
        #expect(throws: MARCWriter.Failure.self) { try writer.bytes(of: many) }
    }

    @Test("a character that MARC-8 lacks is written by its number, and is read again")
    func missingCharacter() throws {
        let record = MARCRecord(
            leader: "00000nam a2200000   4500",
            fields: [.init("245", .subfields(indicators: "10", [.init("a", "Café \u{1F4D6} — Москва")]))])
        let bytes = try MARCFiles.written([record], .binary, encoding: .marc8)
        #expect(bytes.allSatisfy { $0 < 0xF0 })
        #expect(String(decoding: bytes, as: UTF8.self).contains("&#x1F4D6;"))
        let again = try MARCFiles.items(bytes)
        #expect(again.compactMap(\.record).map(\.fields) == [record.fields] && again.flatMap(\.faults) == [])
    }

    @Test("marks of the format inside a text do not tear a record apart")
    func marks() throws {
        let record = MARCRecord(
            leader: "short",
            fields: [.init("245", .subfields(indicators: "10", [.init("a", "a\u{1D}b\u{1E}c\u{1F}d\u{0}e")]))])
        let again = try MARCFiles.items(MARCFiles.written([record], .binary)).compactMap(\.record)
        #expect(again.map(\.fields) == [[.init("245", .subfields(indicators: "10", [.init("a", "abcde")]))]])
    }
}
