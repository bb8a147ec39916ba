import Scripting
import TestSupport
import Testing

@testable import Server

@Suite("Forms with files")
struct MultipartFormTests {
    static let type = "multipart/form-data; boundary=\"----mark 7\""
    static let boundary = Array("----mark 7".utf8)

    static func body(_ parts: [String]) -> [UInt8] {
        Array((parts.map { "------mark 7\r\n\($0)\r\n" }.joined() + "------mark 7--\r\n").utf8)
    }

    static let seal = "Content-Disposition: form-data; name=\"seal\"\r\n\r\nabc"
    static let file =
        "Content-Disposition: form-data; name=\"image\"; filename=\"a;\\\"b.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\r\n-bytes\r\n--"

    @Test("fields and files are told apart, and bytes stay as they are")
    func reading() throws {
        #expect(MultipartForm.boundary(of: Self.type) == Self.boundary)
        let form = try MultipartForm(Self.body([Self.seal, Self.file]), boundary: Self.boundary)
        #expect(form.members.map(\.name) == ["seal"] && form.members.map(\.value) == ["abc"])
        #expect(form.files == ["image": .init(name: "a;\"b.jpg", bytes: Array("\r\n-bytes\r\n--".utf8))])
    }

    @Test("a field that was left empty has no bytes")
    func empty() throws {
        let none = "Content-Disposition: form-data; name=\"image\"; filename=\"\"\r\n\r\n"
        let form = try MultipartForm(Self.body([none]), boundary: Self.boundary)
        #expect(form.files == ["image": .init(name: "", bytes: [])])
        #expect(try MultipartForm(Self.body([]), boundary: Self.boundary).members.isEmpty)
    }

    @Test(
        "a media type that is none of a form with files has no boundary",
        arguments: [
            nil, "", "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"a\n\"",
            "multipart/mixed; boundary=a", "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=" + String(repeating: "a", count: 71), "multipart/form-data; boundary=\"a ",
        ] as [String?])
    func types(type: String?) {
        #expect(MultipartForm.boundary(of: type) == nil)
    }

    @Test(
        "what no browser sends is a problem",
        arguments: [
            [], ["------mark 7"], ["------mark 7\r\n"], ["x------mark 7--"], ["------mark 7--\r\nmore"],
            ["------mark 7\r\n\(seal)"], ["------mark 7\r\n\r\nabc\r\n------mark 7--"],
            ["------mark 7\r\nContent-Type: text/plain\r\n\r\nabc\r\n------mark 7--"],
            ["------mark 7\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nabc\r\n------mark 7--"],
            ["------mark 7\r\nContent-Disposition: form-data; name=\"\"\r\n\r\nabc\r\n------mark 7--"],
            ["------mark 7\r\nnothing\r\n\r\nabc\r\n------mark 7--"],
            ["------mark 7\r\nX: \(String(repeating: "x", count: 3_000))\r\n\(seal)\r\n------mark 7--"],
        ])
    func malformed(lines: [String]) {
        #expect(throws: Problem.self) { try MultipartForm(Array(lines.joined().utf8), boundary: Self.boundary) }
    }

    @Test("a name that occurs twice, text that is no text and too many parts are problems")
    func limits() throws {
        #expect(throws: Problem.self) { try MultipartForm(Self.body([Self.seal, Self.seal]), boundary: Self.boundary) }
        #expect(throws: Problem.self) { try MultipartForm(Self.body([Self.file, Self.file]), boundary: Self.boundary) }
        let parts = (0..<65).map { "Content-Disposition: form-data; name=\"n\($0)\"\r\n\r\n" }
        #expect(throws: Problem.self) { try MultipartForm(Self.body(parts), boundary: Self.boundary) }
        #expect(try MultipartForm(Self.body(Array(parts.prefix(64))), boundary: Self.boundary).members.count == 64)
        var broken = Self.body([Self.seal])
        broken[broken.count - 20] = 0xFF
        #expect(throws: Problem.self) { try MultipartForm(broken, boundary: Self.boundary) }
    }

    @Test("a damaged form is read or refused", arguments: 1...4 as ClosedRange<UInt64>)
    func damage(seed: UInt64) {
        var mutator = ByteMutator(seed: seed)
        let whole = Self.body([Self.seal, Self.file])
        var read = 0
        for _ in 0..<500 {
            let form = try? MultipartForm(mutator.mutate(whole), boundary: Self.boundary)
            read += form == nil ? 0 : 1
            #expect((form?.files["image"]?.bytes.count ?? 0) < 200_000)
        }
        #expect(read > 0 && read < 500)
    }
}
