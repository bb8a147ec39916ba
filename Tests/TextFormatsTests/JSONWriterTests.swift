import Testing
import TextFormats

@Suite("Writing JSON")
struct JSONWriterTests {
    private let sample: JSON = [
        "title": "Äpfel \"und\" \\ Birnen\n", "copies": 3, "price": 0.5, "tags": [], "extra": [:],
        "list": [1, [2], ["a": nil]], "open": true,
    ]

    @Test("Compact text has no white space")
    func compact() {
        #expect(
            sample.text() == #"{"title":"Äpfel \"und\" \\ Birnen\n","copies":3,"price":0.5,"tags":[],"extra":{},"#
                + #""list":[1,[2],{"a":null}],"open":true}"#)
    }

    @Test("Pretty text has one member a line and two spaces a level")
    func pretty() {
        let value: JSON = ["a": 1, "b": [true, ["c": "d"]], "e": [], "f": [:]]
        #expect(
            value.text(pretty: true) == """
                {
                  "a": 1,
                  "b": [
                    true,
                    {
                      "c": "d"
                    }
                  ],
                  "e": [],
                  "f": {}
                }
                """)
    }

    @Test("What is written reads back the same", arguments: [false, true])
    func roundTrip(_ pretty: Bool) throws {
        #expect(try JSONParser.parse(sample.text(pretty: pretty)) == sample)
    }

    @Test("Control characters are escaped, everything else is written as it is")
    func escapes() throws {
        let text = String(String.UnicodeScalarView((0..<0x3000).compactMap { Unicode.Scalar($0 as UInt32) }))
        let json = JSON.string(text).text()
        #expect(try JSONParser.parse(json) == .string(text))
        #expect(json.hasPrefix(#""\u0000\u0001"#))
        #expect(json.contains(#"\b\t\n\u000b\f\r\u000e"#))
        #expect(json.contains("\u{7F}"))
        #expect(!json.utf8.contains { $0 < 0x20 })
    }

    @Test(
        "Integers are written to the last digit",
        arguments: [0, 9, 10, -1, -10, 1_000_000, Int64.max, Int64.min])
    func integers(_ value: Int64) {
        var writer = JSONWriter()
        writer.integer(value)
        #expect(writer.text == String(value))
    }

    @Test("Unsigned integers beyond 64 signed bits are written too")
    func largeUnsigned() {
        var writer = JSONWriter()
        writer.integer(UInt64.max)
        #expect(writer.text == "18446744073709551615")
    }

    @Test(
        "Doubles read back as the same double",
        arguments: [0.1, 1, -0.0, 1e22, .leastNonzeroMagnitude, 1e300, .pi, 123456789.125])
    func doubles(_ value: Double) throws {
        #expect(try JSONParser.parse(JSON.number(value).text()) == .number(value))
    }

    @Test("A value that is not a number becomes null", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(_ value: Double) {
        #expect(JSON.array([.number(value)]).text() == "[null]")
    }

    @Test("Lines follow one another without commas")
    func lines() {
        var writer = JSONWriter()
        for number in 1...2 {
            writer.beginObject()
            writer.key("n")
            writer.integer(number)
            writer.key("raw")
            writer.raw("[1]".utf8)
            writer.endObject()
            writer.newline()
        }
        #expect(writer.text == "{\"n\":1,\"raw\":[1]}\n{\"n\":2,\"raw\":[1]}\n")
        #expect(writer.take().count == 36)
        writer.bool(false)
        #expect(writer.text == "false")
    }

    @Test("A writer that was reset in the middle starts anew")
    func reset() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(1)
        writer.reset()
        writer.null()
        #expect(writer.text == "null")
    }
}
