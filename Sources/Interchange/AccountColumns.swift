import Circulation
import Desk
import TextFormats

/// Blocks, lines of accounts, messages and uses in the house as exports write them.
struct AccountColumns {
    let session: DeskSession

    static func json(_ block: PatronBlock) -> JSON {
        var object: JSONObject = ["kind": .string(block.kind)]
        if !block.reason.isEmpty { object["reason"] = .string(block.reason) }
        let actions = BlockFacts.Action.allCases.filter(block.actions.contains)
        if actions.count < BlockFacts.Action.allCases.count {
            object["actions"] = .array(actions.map { .string($0.rawValue) })
        }
        object["created_at"] = .string(block.createdAt.description)
        object["ends"] = block.ends.map { .string($0.description) }
        object["lifted_at"] = block.liftedAt.map { .string($0.description) }
        return .object(object)
    }

    func json(_ entry: LedgerEntry) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(entry.id), "key": .string(entry.key)]
        object["username"] = try username(entry.patron)
        object["loan"] = try loan(entry.loan)
        object["kind"] = .string(entry.kind.rawValue)
        object["amount"] = .string(entry.amount.description)
        object["label"] = .string(entry.label)
        object["at"] = .string(entry.at.description)
        return object
    }

    func json(_ notice: Notice) throws -> JSONObject {
        var object: JSONObject = [
            "id": .integer(notice.id), "kind": .string(notice.kind), "subject_key": .string(notice.subjectKey),
        ]
        object["username"] = try username(notice.patron)
        object["loan"] = try loan(notice.loan)
        object["due_at"] = notice.dueAt.map { .string($0.description) }
        object["stage"] = .string(notice.stage)
        if notice.repetition != 0 { object["repetition"] = .integer(notice.repetition) }
        object["channel"] = .string(notice.channel)
        object["subject"] = .string(notice.subject)
        object["body"] = .string(notice.body)
        object["state"] = .string(notice.state.rawValue)
        object["created_at"] = .string(notice.createdAt.description)
        object["sent_at"] = notice.sentAt.map { .string($0.description) }
        object["read_at"] = notice.readAt.map { .string($0.description) }
        if notice.tries != 0 { object["tries"] = .integer(notice.tries) }
        object["carried_by"] = notice.carriedBy.map { .integer($0) }
        switch notice.digest {
        case .line(let line): object["digest_line"] = .string(line)
        case .templates(let subject, let body):
            object["digest_subject"] = .string(subject)
            object["digest_body"] = .string(body)
        case nil: break
        }
        object["failure"] = notice.failure.map { .string($0) }
        return object
    }

    func json(_ use: InHouseUse) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(use.id)]
        object["barcode"] = try use.copy.flatMap { try session.catalogue.copy(id: $0)?.barcode }.map { .string($0) }
        TitleColumns.name(try use.title.flatMap { try session.catalogue.get(.id($0)) }, in: &object)
        object["item_type"] = use.itemType.map { .string($0) }
        object["branch"] = use.branch.map { .string($0) }
        object["used_at"] = .string(use.usedAt.description)
        return object
    }

    private func username(_ patron: Int64) throws -> JSON? {
        guard patron != 0 else { return nil }
        return try session.patrons.get(.id(patron)).map { .string($0.username) }
    }

    private func loan(_ id: Int64?) throws -> JSON? {
        try id.flatMap { try session.exports.loan($0) }.map { .string($0.exportKey) }
    }
}
