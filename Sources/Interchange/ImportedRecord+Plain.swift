import Circulation
import TextFormats

extension ImportedRecord {
    /// The record as JSON has it, for a person to look at; nil for what is no record of its own.
    var plain: JSON? {
        switch self {
        case .title(let title): ["title": .object(title.plain)]
        case .copy(let copy): ["copy": .object(copy.plain)]
        case .patron(let patron, _): ["patron": .object(ExportedRecords.patron.plain(patron))]
        case .loan(let loan): ["loan": .object(loan.plain)]
        case .hold(let hold):
            ["hold": .object(Self.named(hold.work, hold.username, ExportedRecords.hold.plain(hold.hold)))]
        case .branch(let branch): ["branch": ["code": .string(branch.code), "name": .string(branch.name)]]
        case .category(let one): ["category": ["code": .string(one.code), "name": .string(one.name)]]
        case .itemType(let one): ["item_type": ["code": .string(one.code), "name": .string(one.name)]]
        case .location(let one): ["location": ["code": .string(one.code), "name": .string(one.name)]]
        case .ledgerEntry(let one):
            ["ledger_entry": .object(Self.named(nil, one.username, ExportedRecords.ledgerEntry.plain(one.entry)))]
        case .patronLink(let one):
            ["patron_link": .object(Self.named(nil, one.username, one.plain))]
        case .guardians(let one):
            [
                "guardians": [
                    "username": .string(one.username), "guardian": .array(one.guardians.map { .string($0) }),
                ]
            ]
        case .reader(let one): one.plain
        case .storedNotice(let one):
            ["notice": .object(Self.named(nil, one.username, ExportedRecords.notice.plain(one.notice)))]
        case .inHouseUse(let one):
            ["in_house_use": .object(Self.named(one.work, nil, ExportedRecords.inHouseUse.plain(one.use)))]
        case .course(let course):
            [
                "course": [
                    "code": .string(course.code), "name": course.name.map { .string($0) } ?? .null,
                    "isbn": course.isbn.map { .string($0.digits13) } ?? .null,
                ]
            ]
        case .library, .notice, .block, .policyActivation, .market, .wholeLibrary: nil
        }
    }

    fileprivate static func named(
        _ work: ImportedLoan.Work?, _ username: String?, _ others: JSONObject
    ) -> JSONObject {
        var object = JSONObject()
        switch work {
        case .isbn(let isbn): object["isbn"] = .string(isbn.digits13)
        case .title(let title), .whole(let title):
            object["isbn"] = title.isbn.map { .string($0.digits13) }
            object["title"] = .string(title.title)
            if !title.authors.isEmpty { object["authors"] = .array(title.authors.map { .string($0) }) }
            object["year"] = title.year.map { .integer($0) }
        case nil: break
        }
        object["username"] = username.map { .string($0) }
        return object.overlaid(by: others)
    }
}

extension ImportedPatronLink {
    fileprivate var plain: JSONObject {
        var object: JSONObject = ["other": .string(other)]
        for member in ExportedRecords.patronLink.plain(link) { object[member.key] = member.value }
        return object
    }
}

extension ImportedReaderRecord {
    fileprivate var plain: JSON {
        switch self {
        case .rating(let rating, let names):
            return [
                "rating": .object(
                    ImportedRecord.named(names.work, names.username, ExportedRecords.rating.plain(rating)))
            ]
        case .list(let list, let username):
            return ["title_list": .object(ImportedRecord.named(nil, username, ExportedRecords.titleList.plain(list)))]
        case .listedTitle(let listed, let names, let list):
            var object = ImportedRecord.named(names.work, names.username, ["list": .string(list)])
            for member in ExportedRecords.listedTitle.plain(listed) { object[member.key] = member.value }
            return ["listed_title": .object(object)]
        }
    }
}

extension ImportedTitle {
    fileprivate var plain: JSONObject {
        var object = ExportedRecords.title.plain(title)
        if copies > 0 { object["copies"] = .integer(Int64(copies)) }
        if !barcodes.isEmpty { object["copies"] = .array(barcodes.map { .object($0.plain) }) }
        return object
    }
}

extension ImportedCopy {
    fileprivate var plain: JSONObject {
        var object: JSONObject = ["barcode": .string(barcode)]
        object["isbn"] = isbn.map { .string($0.digits13) }
        object["title"] = title.map { .string($0.title) }
        object["branch"] = branch.map { .string($0) }
        object["item_type"] = itemType.map { .string($0) }
        object["status"] = status.map { .string($0.rawValue) }
        object["replacement_price"] = replacementPrice.map { .string($0) }
        object["location"] = location.map { .string($0) }
        object["call_number"] = callNumber.map { .string($0) }
        object["acquired_on"] = acquiredOn.map { .string($0.description) }
        if !extra.isEmpty { object["extra"] = .object(extra) }
        return object
    }
}

extension ImportedLoan {
    fileprivate var plain: JSONObject {
        var object = ImportedRecord.named(work, username, [:])
        object["borrower"] = borrower.map { .string($0) }
        object["barcode"] = barcode.map { .string($0) }
        object["category"] = category.map { .string($0) }
        object["branch"] = branch.map { .string($0) }
        object["item_type"] = itemType.map { .string($0) }
        if let lentAt {
            object["lent_at"] = .string(lentAt.description)
        } else {
            object["lent_on"] = .string(lentOn.description)
        }
        object["due_on"] = dueOn.map { .string($0.description) }
        object["returned_on"] = returnedOn.map { .string($0.description) }
        object["returned_at"] = returnedAt.map { .string($0.description) }
        if renewals > 0 { object["renewals"] = .integer(renewals) }
        return object
    }
}
