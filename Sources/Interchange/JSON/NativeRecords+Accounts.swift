import Circulation
import TextFormats

// What belongs to patrons: blocks, lines of accounts, messages; and uses in the house.
extension NativeRecords {
    static func blocks(_ reader: inout MemberReader, of username: String) -> [ImportedRecord] {
        guard let value = reader.value("blocks") else { return [] }
        guard let elements = value.arrayValue?.compactMap(\.objectValue), elements.count == value.arrayValue?.count
        else {
            reader.reject("blocks", "wrong_type", "expected a list of blocks")
            return []
        }
        var records: [ImportedRecord] = []
        for (index, element) in elements.enumerated() {
            var part = reader.part(element, path: "blocks[\(index + 1)]")
            if let block = block(&part, of: username) { records.append(.block(block)) }
            reader.take(part.problems)
        }
        return records
    }

    private static func block(_ reader: inout MemberReader, of username: String) -> ImportedBlock? {
        reader.record(ExportedRecords.block, required: ["created_at", "kind"])
            .map { ImportedBlock(username: username, block: $0) }
    }

    static func patronLink(_ reader: inout MemberReader) -> [ImportedRecord] {
        let link = reader.record(ImportShapes.patronLink)
        let (username, other) = (reader.requiredText("username"), reader.requiredText("other"))
        guard let link, let username, let other, !reader.isRejected else { return [] }
        return [.patronLink(ImportedPatronLink(username: username, other: other, link: link))]
    }

    static func ledgerEntry(_ reader: inout MemberReader) -> [ImportedRecord] {
        let entry = reader.record(ImportShapes.ledgerEntry)
        let (username, loan) = (reader.text("username"), reader.text("loan"))
        guard let entry, !reader.isRejected else { return [] }
        return [.ledgerEntry(ImportedLedgerEntry(username: username, loan: loan, entry: entry))]
    }

    static func notice(_ reader: inout MemberReader) -> [ImportedRecord] {
        let notice = reader.record(ImportShapes.notice)
        let (username, loan) = (reader.requiredText("username"), reader.text("loan"))
        guard let notice, let username, !reader.isRejected else { return [] }
        return [.storedNotice(ImportedStoredNotice(username: username, loan: loan, notice: notice))]
    }

    static func inHouseUse(_ reader: inout MemberReader) -> [ImportedRecord] {
        let work = work(&reader)
        let use = reader.record(ImportShapes.inHouseUse)
        let barcode = reader.text("barcode")
        guard let use, !reader.isRejected else { return [] }
        return [.inHouseUse(ImportedInHouseUse(work: work, barcode: barcode, use: use))]
    }
}
