import TestSupport
import Testing
import TextFormats

private let suite = "data/malformed/JSONTestSuite/test_parsing"

@Suite("JSONTestSuite", .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
struct JSONConformanceTests {
    @Test("What RFC 8259 allows is accepted", arguments: SharedData.files(in: suite, prefix: "y_"))
    func accepted(_ name: String) throws {
        // The suite leaves duplicate keys open; here they are an error, so that no reader picks another one than we do.
        guard !name.contains("duplicated_key") else { return }
        let value = try JSONParser.parse(SharedData.bytes("\(suite)/\(name)"))
        #expect(try JSONParser.parse(value.text()) == value)
        #expect(try JSONParser.parse(value.text(pretty: true)) == value)
    }

    @Test("What RFC 8259 forbids is refused", arguments: SharedData.files(in: suite, prefix: "n_"))
    func refused(_ name: String) throws {
        let bytes = try SharedData.bytes("\(suite)/\(name)")
        let error = try #require(throws: TextError.self) { try JSONParser.parse(bytes) }
        #expect((0...bytes.count).contains(error.offset))
        #expect(error.line >= 1 && error.column >= 1)
    }

    @Test(
        "What RFC 8259 leaves open is read or refused in good order",
        arguments: SharedData.files(in: suite, prefix: "i_"))
    func open(_ name: String) throws {
        let bytes = try SharedData.bytes("\(suite)/\(name)")
        do {
            let value = try JSONParser.parse(bytes)
            #expect(try JSONParser.parse(value.text()) == value)
        } catch {
            #expect((0...bytes.count).contains(error.offset))
        }
    }

    @Test("The streaming reader takes and refuses the same arrays", arguments: SharedData.files(in: suite))
    func streamed(_ name: String) throws {
        let bytes = try SharedData.bytes("\(suite)/\(name)")
        guard let whole = try? JSONParser.parse(bytes), case .array(let elements) = whole else { return }
        var reader = JSONArrayReader(source: MemoryByteSource(bytes, portion: 3))
        var read: [JSON] = []
        while let element = try reader.next() { read.append(element.value) }
        #expect(read == elements)
    }
}
