import CSheets
import Foundation

/// How many more bytes may be read of a spreadsheet: one count for all its parts.
final class ByteBudget {
    /// However small the file is, its parts may unfold to this; beyond that to so many times its size.
    private static let freeBytes: Int64 = 64 << 20
    private static let mostTimesLarger: Int64 = 200

    fileprivate let rest: UnsafeMutablePointer<Int64>

    /// - Parameter size: of the file.
    init(size: Int) {
        rest = .allocate(capacity: 1)
        rest.initialize(to: max(Self.freeBytes, Self.mostTimesLarger * Int64(size)))
    }

    deinit { rest.deallocate() }
}

/// A ZIP archive with the parts of a spreadsheet, used by one thread.
final class SheetArchive {
    private let archive: UnsafeMutableRawPointer
    private let budget: ByteBudget

    init(path: String, size: Int) throws(SheetFault) {
        try SheetFault.check()
        var why: UnsafePointer<CChar>?
        guard let archive = moonshelf_zip_open(path, &why) else {
            throw SheetFault(
                .damaged, "the archive of the spreadsheet cannot be read: \(why.map { String(cString: $0) } ?? "")")
        }
        self.archive = archive
        budget = ByteBudget(size: size)
    }

    deinit { moonshelf_zip_close(archive) }

    func has(_ name: String) -> Bool { moonshelf_zip_find(archive, name) >= 0 }

    /// A part as XML; nil where there is none of the name.
    func part(_ name: String) throws(SheetFault) -> XMLPart? {
        let place = moonshelf_zip_find(archive, name)
        guard place >= 0 else { return nil }
        guard let reader = moonshelf_xml_open(archive, place, budget.rest) else {
            throw SheetFault.damaged(name, "there is no memory")
        }
        return XMLPart(reader, name: name, budget, of: self)
    }
}

/// A part of a spreadsheet, or a file that is one, read forwards.
final class XMLPart {
    enum Node {
        case start, end, text
    }

    private let reader: UnsafeMutableRawPointer
    /// Open as long as a part of it is read.
    private let archive: SheetArchive?
    private let budget: ByteBudget
    private let name: String

    fileprivate init(
        _ reader: UnsafeMutableRawPointer, name: String, _ budget: ByteBudget, of archive: SheetArchive
    ) {
        self.reader = reader
        self.archive = archive
        self.budget = budget
        self.name = name
    }

    /// A file of its own.
    init(path: String, size: Int) throws(SheetFault) {
        try SheetFault.check()
        name = "the XML"
        archive = nil
        budget = ByteBudget(size: size)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SheetFault(.damaged, "it cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard let reader = moonshelf_xml_open_file(descriptor, budget.rest) else {
            throw SheetFault.damaged(name, "there is no memory")
        }
        self.reader = reader
    }

    deinit { moonshelf_xml_close(reader) }

    /// Goes on to the next start, end or text; nil at the end.
    func next() throws(SheetFault) -> Node? {
        switch Int(moonshelf_xml_next(reader)) {
        case moonshelf_xml_end: return nil
        case moonshelf_xml_start_of_element: return .start
        case moonshelf_xml_end_of_element: return .end
        case moonshelf_xml_text: return .text
        default:
            let why = moonshelf_xml_why(reader).map { String(cString: $0) } ?? ""
            throw budget.rest.pointee < 0 ? SheetFault(.tooLarge, "\(name): \(why)") : .damaged(name, why)
        }
    }

    /// Whether the element is called so, without its prefix.
    func isNamed(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            guard let value = moonshelf_xml_value(reader) else { return false }
            for index in 0..<name.count where UInt8(bitPattern: value[index]) != name[index] { return false }
            return value[name.count] == 0
        }
    }

    var text: String { moonshelf_xml_value(reader).map { String(cString: $0) } ?? "" }

    func attribute(_ name: String) -> String? {
        moonshelf_xml_attribute(reader, name).map { String(cString: $0) }
    }

    /// Goes on to the end of the element that began last.
    func skipElement() throws(SheetFault) {
        var depth = 1
        while depth > 0, let node = try next() {
            if node == .start { depth += 1 }
            if node == .end { depth -= 1 }
        }
    }
}
