import TestSupport
import Testing
import TextFormats

@Suite("Reading a part of JSON")
struct JSONSelectionTests {
    private static let wanted: JSONSelection = ["answer": .whole, "fields": ["loan": .whole, "who": ["id": .whole]]]
    private static let text = """
        {"point":"due", "ans\\u0077er" : ["a\\n", {"b": 1e2}], "no\\u0074": {"x": [[], {}, -0.5, true]},
         "fields": {"fine": {"loan": 1}, "loan": {"value": null}, "who": {"id": 7, "name": "Zoë"}}, "last": "é\\"" }
        """

    @Test("what is wanted is read as it stands, and the rest is left out")
    func selected() throws {
        let read = try JSONParser.parse(Self.text, only: Self.wanted)
        #expect(
            read == [
                "answer": ["a\n", ["b": 100.0]],
                "fields": ["loan": ["value": nil], "who": ["id": 7]],
            ])
    }

    @Test("a value that is not an object is taken whole", arguments: ["[1,{\"a\":2}]", "null", "\"x\""])
    func noObject(_ text: String) throws {
        #expect(try JSONParser.parse(text, only: Self.wanted) == JSONParser.parse(text))
        let inner = "{\"fields\":\(text)}"
        #expect(try JSONParser.parse(inner, only: Self.wanted) == JSONParser.parse(inner))
    }

    @Test("all of it may be wanted")
    func whole() throws {
        #expect(try JSONParser.parse(Self.text, only: .whole) == JSONParser.parse(Self.text))
    }

    @Test("a key that is wanted may not stand twice")
    func duplicate() {
        #expect(throws: TextError.self) { try JSONParser.parse(#"{"answer":1,"answer":1}"#, only: Self.wanted) }
    }

    @Test("what is left out is read as strictly as what is not", arguments: 1...4)
    func strictness(seed: UInt64) {
        var mutator = ByteMutator(seed: seed)
        var refused = 0
        for _ in 0..<400 {
            let text = String(decoding: mutator.mutate(Array(Self.text.utf8)), as: UTF8.self)
            let whole = Result { try JSONParser.parse(text) }
            let part = Result { try JSONParser.parse(text, only: ["nothing": .whole]) }
            switch (whole, part) {
            case (.success(.object), .success(let read)): #expect(read == [:], "\(text)")
            case (.success(let all), .success(let read)): #expect(read == all, "\(text)")
            case (.failure(let error as TextError), .success) where error.code == .duplicateKey: break
            case (.failure, .failure): refused += 1
            default: Issue.record("\(text): \(whole), \(part)")
            }
        }
        #expect(refused > 50)
    }
}
