import Foundation
import MARC
import TestSupport
import TextFormats

/// Files of records from libraries and from the tests of other programs.
enum MARCFiles {
    static let folders = ["data/marc/evergreen", "data/marc/pymarc", "data/marc/ruby-marc"]

    static let binary = files([".marc", ".mrc", ".dat"])
    static let xml = files([".xml"])

    private static func files(_ endings: [String]) -> [String] {
        folders.flatMap { folder in
            SharedData.files(in: folder).filter { name in endings.contains { name.hasSuffix($0) } }
                .map { "\(folder)/\($0)" }
        }
    }

    static func items(
        _ bytes: [UInt8], isXML: Bool = false, encoding: MARCEncoding? = nil, portion: Int = .max
    ) throws -> [MARCItem] {
        var reader = try MARCReader(
            MemoryByteSource(bytes, portion: portion), isXML: isXML, encoding: encoding)
        var items: [MARCItem] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    static func written(_ records: [MARCRecord], _ form: MARCForm, encoding: MARCEncoding = .utf8) throws -> [UInt8] {
        let writer = try MARCWriter(form, encoding: encoding)
        return try writer.beginning + records.flatMap { try writer.bytes(of: $0) } + writer.end
    }

    /// What `yaz-marcdump` makes of a file, a line a field, without leaders, which hold lengths.
    static func dumped(_ bytes: [UInt8], _ options: [String] = []) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "marc-\(UUID())")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/yaz-marcdump")
        process.arguments = options + ["-o", "line", file.path(percentEncoded: false)]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init).filter { line in
            !line.hasPrefix("(") && line.firstMatch(of: #/^.{20}4[0-9a-z ]/#) == nil
        }
    }
}
