import TestSupport
import Testing
import TextFormats

@Suite("Writing CSV")
struct CSVWriterTests {
    @Test("Only fields that need it are quoted, and lines end in CRLF")
    func quoting() {
        var writer = CSVWriter()
        writer.record(["a", "b,c", "say \"hi\"", "two\nlines", "", "d;e"])
        #expect(writer.text == "a,\"b,c\",\"say \"\"hi\"\"\",\"two\nlines\",,d;e\r\n")
    }

    @Test("The separator is quoted where it stands in a field")
    func separator() {
        var writer = CSVWriter(separator: UInt8(ascii: ";"))
        writer.record(["a,b", "c;d"])
        #expect(writer.text == "a,b;\"c;d\"\r\n")
    }

    @Test("Formulas are guarded only when asked for", arguments: ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
    func formulas(_ text: String) throws {
        var exact = CSVWriter()
        exact.record([text])
        var guarded = CSVWriter(guardsFormulas: true)
        guarded.record([text, "plain"])
        var exactReader = CSVReader(source: MemoryByteSource(exact.bytes), separator: UInt8(ascii: ","))
        var guardedReader = CSVReader(source: MemoryByteSource(guarded.bytes), separator: UInt8(ascii: ","))
        #expect(try exactReader.next()?.fields == [text])
        #expect(try guardedReader.next()?.fields == ["'" + text, "plain"])
    }

    @Test("A record of one empty field is not a blank line")
    func emptyField() throws {
        var writer = CSVWriter()
        writer.record([""])
        writer.record(["x"])
        var reader = CSVReader(source: MemoryByteSource(writer.bytes))
        #expect(try reader.next()?.fields == [""])
        #expect(try reader.next()?.fields == ["x"])
    }

    @Test("What is written reads back the same", arguments: 0..<20)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let alphabet = Array("ab,;\"\r\n\t =é漢\u{1F4DA}")
        let records = (0..<50).map { _ in
            (0..<Int.random(in: 1...6, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 0...8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a"
                    })
            }
        }
        var writer = CSVWriter()
        for record in records { writer.record(record) }
        var reader = CSVReader(source: MemoryByteSource(writer.take(), portion: 11), separator: UInt8(ascii: ","))
        var read: [[String]] = []
        while let record = try reader.next() { read.append(record.fields) }
        #expect(read == records)
    }
}
