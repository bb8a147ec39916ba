import Glibc
import Testing
import TextFormats

@Suite("Bytes of files")
struct FileByteSourceTests {
    @Test("A pipe is read to its end and closed")
    func pipes() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let text = "barcode;title\n1;Momo\n"
        #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
        close(ends[1])
        do {
            var reader = CSVReader(source: FileByteSource(takingOver: ends[0], name: "standard input"))
            #expect(try reader.next()?.fields == ["barcode", "title"])
            #expect(try reader.next()?.fields == ["1", "Momo"])
            #expect(try reader.next() == nil)
        }
    }

    @Test("A descriptor that is not open is an error that names its source")
    func closed() throws {
        let source = FileByteSource(takingOver: -1, name: "standard input")
        var buffer = [UInt8](repeating: 0, count: 8)
        let error = try #require(throws: FileByteSource.Failure.self) {
            try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
        }
        #expect(error.path == "standard input")
        #expect(error.code == EBADF)
    }
}
