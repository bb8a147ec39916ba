import Circulation
import Desk
import TestSupport
import Testing
import TextFormats

@testable import Interchange

@Suite("Records in exports")
struct RecordMembersTests {
    /// Writes a record out, reads it back and compares each field that names no other record.
    private func compare<Record: DeclaredRecord>(_ record: Record, _ members: RecordMembers<Record>) throws {
        let object = try ImportBench().desk.read { try $0.exported(record, members) }
        var reader = MemberReader(object: object, file: "export", line: 1, isExact: true)
        let back = reader.record(members)
        #expect(reader.problems.isEmpty, "\(Record.self)")
        let read = try #require(back)
        for member in members.members {
            if case .reference = member.field.meaning { continue }
            // They name other records.
            if member.field.kind == .items { continue }
            let value = member.field.value(record)
            // An export does not distinguish what is absent from what is as usual, and gives every record a key.
            if member.leavesOut(value, of: record) || value == .absent { continue }
            #expect(member.field.value(read) == value, "\(Record.self).\(member.name)")
        }
    }

    @Test("every field of every record comes back from what an export says of it", arguments: 1...12)
    func roundTrip(number: Int) throws {
        let records = RandomRecords(seed: "export")
        try compare(try records.record(number), ExportedRecords.title)
        try compare(try records.record(number), ExportedRecords.copy)
        try compare(try records.record(number), ExportedRecords.patron)
        try compare(try records.record(number), ExportedRecords.block)
        try compare(try records.record(number), ExportedRecords.loan)
        try compare(try records.record(number), ExportedRecords.hold)
        try compare(try records.record(number), ExportedRecords.inHouseUse)
        try compare(try records.record(number), ExportedRecords.ledgerEntry)
        try compare(try records.record(number), ExportedRecords.notice)
        try compare(try records.record(number), ExportedRecords.activation)
        try compare(try records.record(number), ExportedRecords.listing)
        try compare(try records.record(number), ExportedRecords.order)
        try compare(try records.record(number), ExportedRecords.orderItem)
        try compare(try records.record(number), ExportedRecords.rental)
        try compare(try records.record(number), ExportedRecords.cartLine)
        try compare(try records.record(number), ExportedRecords.favourite)
        try compare(try records.record(number), ExportedRecords.patronLink)
        try compare(try records.record(number), ExportedRecords.rating)
        try compare(try records.record(number), ExportedRecords.titleList)
        try compare(try records.record(number), ExportedRecords.listedTitle)
        try compare(try records.record(number), ExportedRecords.suggestion)
        try compare(try records.record(number), ExportedRecords.conversation)
        try compare(try records.record(number), ExportedRecords.message)
        try compare(try records.record(number), ExportedRecords.blockedWriter)
    }

    @Test("what is left out of an export is what an import takes for it")
    func leftOut() throws {
        let all = PatronBlock(
            patron: 1, kind: "manual", reason: "", actions: Set(BlockFacts.Action.allCases),
            createdAt: Instant(seconds: 0))
        let none = PatronBlock(
            patron: 1, kind: "manual", reason: "", actions: [], createdAt: Instant(seconds: 0))
        for block in [all, none] {
            let object = try ImportBench().desk.read { try $0.exported(block, ExportedRecords.block) }
            #expect((object["actions"] == nil) == (block.actions.count == BlockFacts.Action.allCases.count))
            var reader = MemberReader(object: object, file: "export", line: 1, isExact: true)
            #expect(reader.record(ExportedRecords.block)?.actions == block.actions)
        }
    }

    @Test("a word that is none of a member's names the member and the words that are")
    func unknownWord() throws {
        let object: JSONObject = [
            "id": 1, "key": "h1", "pickup_branch": "main", "placed_at": "2026-10-07T10:00:00Z", "state": "lying",
        ]
        var reader = MemberReader(object: object, file: "holds.jsonl", line: 3, isExact: true)
        #expect(reader.record(ExportedRecords.hold, required: ["import_key"]) == nil)
        let problem = try #require(reader.problems.first)
        #expect(problem.field == "state" && problem.line == 3 && problem.code == "bad_value")
        let words = Hold.State.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(problem.message == "'lying' is not known here; expected \(words)")
    }
}
