/// Texts as C takes them, in one block of memory.
struct CStrings: Equatable {
    private var bytes: [CChar] = []
    private var starts: [Int?] = []

    init() {}

    init(_ texts: [String]) {
        for text in texts { append(text) }
    }

    var count: Int { starts.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    /// The texts again, nil for null.
    var texts: [String?] {
        withPointers { pointers in (0..<count).map { pointers?[$0].map { String(cString: $0) } } }
    }

    /// The text must not contain a NUL.
    mutating func append(_ text: String) {
        starts.append(bytes.count)
        bytes.append(contentsOf: text.utf8.lazy.map { CChar(bitPattern: $0) })
        bytes.append(0)
    }

    mutating func appendNull() {
        starts.append(nil)
    }

    /// Calls `body` with a pointer to each text, and a null pointer behind the last.
    func withPointers<T>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T) -> T {
        bytes.withUnsafeBufferPointer { block in
            var pointers: [UnsafePointer<CChar>?] = []
            pointers.reserveCapacity(starts.count + 1)
            for start in starts {
                pointers.append(start.flatMap { start in block.baseAddress.map { $0 + start } })
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
