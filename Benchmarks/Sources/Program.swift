import Floors
import Foundation

/// A program that is run from its beginning to its end.
struct Program {
    var arguments: [String]

    /// The command as it was built, beside the program that measures.
    static func moonshelf(_ arguments: [String]) throws -> Program {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(filePath: own).deletingLastPathComponent().appending(path: "moonshelf")
            .path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchFailure("\(path) is missing; build the product 'moonshelf' in the same way first")
        }
        return Program(arguments: [path] + arguments)
    }

    /// What a run took, in nanoseconds.
    func run() throws -> Cost {
        let cost = try run(looksAtMemory: false)
        return Cost(cpu: Double(cost.cpu), wall: Double(cost.wall))
    }

    /// How many bytes of memory a run had at most.
    func peak() throws -> Int64 {
        try run(looksAtMemory: true).peak
    }

    private func run(looksAtMemory: Bool) throws -> floor_child_cost {
        let texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        var cost = floor_child_cost()
        let pointers = texts.map { UnsafePointer($0) } + [nil]
        guard floor_child(pointers, looksAtMemory, &cost) else {
            throw BenchFailure("\(arguments.joined(separator: " ")) did not end with 0")
        }
        return cost
    }
}
