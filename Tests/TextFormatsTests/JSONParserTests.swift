import Testing
import TextFormats

@Suite("Reading JSON")
struct JSONParserTests {
    @Test(
        "Integers stay exact to the limits of 64 bits",
        arguments: [
            ("0", 0), ("-0", 0), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ] as [(String, Int64)])
    func integers(_ text: String, _ value: Int64) throws {
        #expect(try JSONParser.parse(text) == .integer(value))
    }

    @Test(
        "Other numbers are the nearest double",
        arguments: [
            ("0.1", 0.1), ("1e2", 100), ("1.0", 1), ("-2.5E-3", -0.0025),
            ("9223372036854775808", 9.223372036854775808e18),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("0.30000000000000004", 0.30000000000000004),
            ("8.41e21", 8.41e21),
            ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown), ("0e999999999999", 0),
            ("9007199254740993.0", 9007199254740992),
        ] as [(String, Double)])
    func doubles(_ text: String, _ value: Double) throws {
        #expect(try JSONParser.parse(text) == .number(value))
    }

    @Test("A number too large for a double is an error", arguments: ["1e309", "-1e400", "1e99999999999999999999"])
    func overflow(_ text: String) throws {
        let error = try #require(throws: TextError.self) { try JSONParser.parse(text) }
        #expect(error.code == .number)
    }

    @Test(
        "An error names line, column and offset",
        arguments: [
            ("{\n  \"a\": 1,\n  \"a\": 2\n}", TextError.Code.duplicateKey, 3, 3, 14),
            ("[1,\r\n2,\r\n]", .syntax, 3, 1, 9),
            ("[1, 2", .syntax, 1, 6, 5),
            ("\"abc", .syntax, 1, 1, 0),
            ("[\"\\ud800\"]", .encoding, 1, 3, 2),
            ("[\"\\udc00\\ud800\"]", .encoding, 1, 3, 2),
            ("[\"a\tb\"]", .syntax, 1, 4, 3),
            ("\u{FEFF}[]", .syntax, 1, 1, 0),
            ("", .syntax, 1, 1, 0),
            ("nul", .syntax, 1, 1, 0),
            ("1 2", .syntax, 1, 3, 2),
            ("[01]", .syntax, 1, 2, 1),
        ])
    func places(_ text: String, _ code: TextError.Code, _ line: Int, _ column: Int, _ offset: Int) throws {
        let error = try #require(throws: TextError.self) { try JSONParser.parse(text) }
        #expect(error.code == code)
        #expect([error.line, error.column, error.offset] == [line, column, offset])
    }

    @Test(
        "Bytes that are not UTF-8 are an error at the first of them",
        arguments: [
            ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
            ([0x22, 0x5C, 0x6E, 0xC3, 0xA9, 0xE2, 0x82, 0x22], 5),
        ] as [([UInt8], Int)])
    func invalidBytes(_ bytes: [UInt8], _ offset: Int) throws {
        let error = try #require(throws: TextError.self) { try JSONParser.parse(bytes) }
        #expect(error.code == .encoding)
        #expect(error.offset == offset)
    }

    @Test(
        "Escapes become their characters",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u0000""#, "é\0"), (#""\ud834\udd1e""#, "𝄞"),
            (#""a\u0041é\u20ACz""#, "aAé€z"),
        ])
    func escapes(_ text: String, _ value: String) throws {
        #expect(try JSONParser.parse(text) == .string(value))
    }

    @Test("Nesting up to the limit is read, beyond it refused")
    func depth() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        _ = try JSONParser.parse(deep)
        let error = try #require(throws: TextError.self) { try JSONParser.parse("[" + deep + "]") }
        #expect(error.code == .depth)
        _ = try JSONParser.parse("[[1]]", maximumDepth: 2)
        #expect(throws: TextError.self) { try JSONParser.parse("[[1]]", maximumDepth: 1) }
        #expect(throws: TextError.self) { try JSONParser.parse(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("Members keep their order and are found by key; objects compare without it")
    func objects() throws {
        let value = try JSONParser.parse(#"{"b":1,"a":{"c":[true,false,null]}}"#)
        let object = try #require(value.objectValue)
        #expect(object.keys == ["b", "a"])
        #expect(value["a"]?["c"] == [true, false, nil])
        #expect(value["z"] == nil)
        let other = try JSONParser.parse(#"{"a":{"c":[true,false,null]},"b":1}"#)
        #expect(value == other)
        #expect(value.hashValue == other.hashValue)
        #expect(value != (try JSONParser.parse(#"{"a":1,"b":1}"#)))
    }

    @Test("A duplicate is found among few keys and among many", arguments: [2, 15, 16, 17, 18, 1000])
    func duplicates(_ count: Int) throws {
        var members = (0..<count).map { "\"key \($0)\":\($0)" }
        #expect(try JSONParser.parse("{\(members.joined(separator: ","))}").objectValue?.count == count)
        members.append("\"key \(count / 2)\":0")
        let error = try #require(throws: TextError.self) {
            try JSONParser.parse("{\(members.joined(separator: ","))}")
        }
        #expect(error.code == .duplicateKey)
    }

    @Test("Setting a member replaces, appends or removes it")
    func editing() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = "x"
        object["b"] = nil
        object["zz"] = nil
        #expect(JSON.object(object).text() == #"{"a":3,"c":"x"}"#)
    }

    @Test("Every cut and every changed byte of a text gives a value or an error")
    func mutations() throws {
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",{"b":null}],"c":true,"é":"€"}"#.utf8)
        for length in 0..<text.count {
            #expect(throws: TextError.self) { try JSONParser.parse(text[..<length]) }
        }
        for index in text.indices {
            for byte in stride(from: UInt8(0), to: 255, by: 5) {
                var changed = text
                changed[index] = byte
                guard let value = try? JSONParser.parse(changed) else { continue }
                #expect(try JSONParser.parse(value.text()) == value)
            }
        }
    }

    @Test("Values convert only where nothing is lost")
    func conversions() {
        #expect(JSON.number(3).integerValue == 3)
        #expect(JSON.number(3.5).integerValue == nil)
        #expect(JSON.number(1e300).integerValue == nil)
        #expect(JSON.integer(3).doubleValue == 3)
        #expect(JSON.string("3").integerValue == nil)
        #expect(JSON.bool(true).boolValue == true)
        #expect(JSON.null.isNull)
    }
}
