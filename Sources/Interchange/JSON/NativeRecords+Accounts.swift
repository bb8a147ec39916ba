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
        reader.allow(only: ["kind", "reason", "actions", "created_at", "ends", "lifted_at"])
        let createdAt = reader.required("created_at", reader.instant("created_at"))
        guard let kind = reader.requiredText("kind"), let createdAt else { return nil }
        var block = PatronBlock(patron: 0, kind: kind, reason: reader.text("reason") ?? "", createdAt: createdAt)
        if reader.value("actions") != nil {
            let words = reader.texts("actions")
            block.actions = Set(words.compactMap(BlockFacts.Action.init(rawValue:)))
            if block.actions.count != words.count {
                reader.reject("actions", "bad_value", "an action is not known here")
            }
        }
        block.ends = reader.date("ends")
        block.liftedAt = reader.instant("lifted_at")
        return ImportedBlock(username: username, block: block)
    }

    static func ledgerEntry(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ["id", "key", "username", "loan", "kind", "amount", "label", "at"])
        let key = reader.requiredText("key")
        let kind = reader.required("kind", reader.choice("kind", LedgerEntry.Kind.self))
        let at = reader.required("at", reader.instant("at"))
        let amount = reader.required("amount", amount(&reader))
        guard let key, let kind, let at, let amount, !reader.isRejected else { return [] }
        let entry = LedgerEntry(
            id: reader.integer("id") ?? 0, key: key, patron: 0, kind: kind, amount: amount,
            label: reader.text("label") ?? "", at: at)
        let imported = ImportedLedgerEntry(
            username: reader.text("username"), loan: reader.text("loan"), entry: entry)
        return reader.isRejected ? [] : [.ledgerEntry(imported)]
    }

    private static func amount(_ reader: inout MemberReader) -> Money? {
        guard let text = reader.text("amount") else { return nil }
        do throws(MoneyError) {
            return try Money(parsing: text)
        } catch {
            reader.reject("amount", "bad_money", "\(error)")
            return nil
        }
    }

    static func notice(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: [
            "id", "kind", "subject_key", "username", "loan", "due_at", "stage", "repetition", "channel", "subject",
            "body", "state", "created_at", "sent_at", "read_at", "tries", "carried_by", "digest_line", "digest_subject",
            "digest_body", "failure",
        ])
        let kind = reader.requiredText("kind")
        let key = reader.requiredText("subject_key")
        let username = reader.requiredText("username")
        let createdAt = reader.required("created_at", reader.instant("created_at"))
        guard let kind, let key, let username, let createdAt else { return [] }
        let notice = Notice(
            id: reader.integer("id") ?? 0, kind: kind, subjectKey: key, patron: 0, dueAt: reader.instant("due_at"),
            stage: reader.text("stage") ?? "", repetition: reader.integer("repetition") ?? 0,
            channel: reader.text("channel") ?? "", subject: reader.text("subject") ?? "",
            body: reader.text("body") ?? "", state: reader.choice("state") ?? .queued, createdAt: createdAt,
            sentAt: reader.instant("sent_at"), readAt: reader.instant("read_at"), tries: reader.integer("tries") ?? 0,
            carriedBy: reader.integer("carried_by"), digest: digestWords(&reader), failure: reader.text("failure"))
        let imported = ImportedStoredNotice(username: username, loan: reader.text("loan"), notice: notice)
        return reader.isRejected ? [] : [.storedNotice(imported)]
    }

    private static func digestWords(_ reader: inout MemberReader) -> DigestWords? {
        let subject = reader.text("digest_subject")
        if let body = reader.text("digest_body") { return .templates(subject: subject ?? "", body: body) }
        return reader.text("digest_line").map(DigestWords.line)
    }

    static func inHouseUse(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: [
            "id", "barcode", "isbn", "title_id", "title", "authors", "year", "item_type", "branch", "used_at",
        ])
        let work = work(&reader)
        guard let usedAt = reader.required("used_at", reader.instant("used_at")) else { return [] }
        let use = InHouseUse(
            id: reader.integer("id") ?? 0, copy: nil, title: nil, itemType: reader.text("item_type"),
            branch: reader.text("branch"), usedAt: usedAt)
        let imported = ImportedInHouseUse(work: work, barcode: reader.text("barcode"), use: use)
        return reader.isRejected ? [] : [.inHouseUse(imported)]
    }
}
