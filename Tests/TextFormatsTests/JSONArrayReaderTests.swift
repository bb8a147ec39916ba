import Testing
import TextFormats

@Suite("Streaming JSON")
struct JSONArrayReaderTests {
    private func read(_ text: String, portion: Int = .max) throws -> [(value: JSON, line: Int)] {
        var reader = JSONArrayReader(source: MemoryByteSource(text, portion: portion))
        var elements: [(value: JSON, line: Int)] = []
        while let element = try reader.next() { elements.append(element) }
        return elements
    }

    @Test("Elements come with the line they begin on, however the source is cut", arguments: [1, 2, 7, Int.max])
    func lines(_ portion: Int) throws {
        let text = "\r\n[\r\n {\"a\": \"]},\\\"\",\n \"b\": [1,\n2]},\r12,\n\n \"x\" , [] ]\r\n"
        let elements = try read(text, portion: portion)
        #expect(elements.map(\.value) == [["a": "]},\"", "b": [1, 2]], 12, "x", []])
        #expect(elements.map(\.line) == [3, 6, 8, 8])
    }

    @Test("A file of one value a line is read the same way, and goes on after a bad line")
    func jsonLines() throws {
        var reader = JSONArrayReader(source: MemoryByteSource("{\"a\":1}\n\n{bad}\r\n2\n\"last\""))
        #expect(try reader.next()?.value == ["a": 1])
        let error = try #require(throws: TextError.self) { try reader.next() }
        #expect([error.line, error.column, error.offset] == [3, 2, 10])
        let second = try #require(try reader.next())
        #expect(second.value == 2)
        #expect(second.line == 4)
        #expect(try reader.next()?.value == "last")
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test("An empty source and an empty array have no elements", arguments: ["", "  \n", "[]", " [ \n ] "])
    func empty(_ text: String) throws {
        #expect(try read(text).isEmpty)
    }

    @Test(
        "A malformed array is an error, after which nothing comes",
        arguments: ["[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]x", "[{]", "[\"a]", "[1}]", "[nul]"])
    func malformed(_ text: String) throws {
        var reader = JSONArrayReader(source: MemoryByteSource(text))
        let error = try #require(throws: TextError.self) {
            while try reader.next() != nil {}
        }
        #expect(error.offset <= text.utf8.count)
        #expect(try reader.next() == nil)
    }

    @Test("An element beyond the limit is refused")
    func limit() throws {
        let text = "[\"" + String(repeating: "x", count: 300_000) + "\"]"
        var reader = JSONArrayReader(source: MemoryByteSource(text), maximumElementLength: 100_000)
        let error = try #require(throws: TextError.self) { try reader.next() }
        #expect(error.code == .tooLong)
    }

    @Test("Elements longer than the window are read whole")
    func longElement() throws {
        let long = String(repeating: "é,", count: 200_000)
        let elements = try read("[1,\"\(long)\",2]", portion: 1000)
        #expect(elements.map(\.value) == [1, .string(long), 2])
    }

    @Test("A source that fails is an error with its reason, and then the end")
    func failingSource() throws {
        struct Broken: Error {}
        struct Source: ByteSource {
            mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { throw Broken() }
        }
        var reader = JSONArrayReader(source: Source())
        let error = try #require(throws: TextError.self) { try reader.next() }
        #expect(error.code == .unreadable)
        #expect(try reader.next() == nil)
    }
}
