import Floors
import Glibc

/// A database as a C program uses it: prepared statements and nothing around them.
final class FloorStore {
    private let pointer: OpaquePointer

    init(path: String, isReadOnly: Bool = false, settings: String = "") throws {
        guard let pointer = floor_store_open(path, isReadOnly, settings) else {
            throw BenchFailure("the floor cannot open \(path)")
        }
        self.pointer = pointer
    }

    deinit {
        floor_store_close(pointer)
    }

    func prepare(_ script: RecordedScript) throws {
        let texts = script.texts.map { Array($0.utf8CString) }
        var pointers: [UnsafePointer<CChar>?] = []
        let bytes = texts.flatMap(\.self)
        let isPrepared = bytes.withUnsafeBufferPointer { buffer in
            var offset = 0
            for text in texts {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += text.count
            }
            return floor_store_prepare(pointer, pointers, Int32(pointers.count))
        }
        guard isPrepared else { throw BenchFailure("the floor cannot prepare its statements") }
    }

    func run(_ script: RecordedScript, _ rounds: Range<Int>) throws {
        guard script.run(rounds, on: pointer) else { throw BenchFailure("the floor's statements failed") }
    }

    func execute(_ text: String) throws {
        guard floor_store_execute(pointer, text) else { throw BenchFailure("the floor's statement failed: \(text)") }
    }

    func number(_ query: String) throws -> Int64 {
        let number = floor_store_number(pointer, query)
        guard number >= 0 else { throw BenchFailure("the floor's query failed: \(query)") }
        return number
    }

    func text(_ query: String) throws -> String {
        guard let text = floor_store_text(pointer, query) else {
            throw BenchFailure("the floor's query failed: \(query)")
        }
        defer { free(text) }
        return String(cString: text)
    }
}
