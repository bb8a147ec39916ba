import Circulation
import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Desk

@Suite("Records in events")
struct RecordPayloadTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Golden/payloads.jsonl")

    /// An event of each kind of record, about the record of a number.
    private static func bodies(_ number: Int) throws -> [EventBody] {
        let records = RandomRecords(seed: "payload")
        // What is known was written when copies had no fields of the library's own and stood nowhere in particular, loans
        // said nothing of notices before them, sellers recommended nothing, neither titles nor offers had
        // pictures, and titles were volumes of no series.
        var title: Title = try records.record(number)
        (title.cover, title.series, title.seriesNumber) = (nil, nil, nil)
        var copy: Copy = try records.record(number)
        copy.extra = [:]
        (copy.location, copy.acquiredOn, copy.callNumber) = (nil, nil, nil)
        var loan: Loan = try records.record(number)
        loan.noticesSentUntil = nil
        var listing: Listing = try records.record(number)
        (listing.recommended, listing.pictures) = (false, [])
        return [
            EventBody(.titleAdded, title), EventBody(.copyAdded, copy),
            EventBody(.copyUsedInHouse, try records.record(number)),
            EventBody(.patronAdded, PatronChange(try records.record(number), fields: ["name"])),
            EventBody(.patronBlocked, try records.record(number)), EventBody(.loanMade, loan),
            EventBody(.holdsMoved, [try records.record(number)]),
            EventBody(.policyActivated, ActivatedPolicy(try records.record(number), bundle: nil)),
            EventBody(.noticeRecorded, [try records.record(number)]),
            EventBody(.ledgerPosted, [try records.record(number)]),
            EventBody(.listing(.published), ListingChange(.published, listing)),
            EventBody(.orderPlaced, try records.record(number)), EventBody(.rentalBegun, try records.record(number)),
            EventBody(.cartChanged, CartChange(patron: 1, lines: [try records.record(number)])),
            EventBody(.favouriteAdded, try records.record(number)),
            EventBody(.suggestion(.submitted), SuggestionChange(.submitted, try records.record(number))),
        ]
    }

    private static func payload(_ body: EventBody) -> String {
        var writer = JSONWriter()
        body.write(to: &writer)
        return writer.text
    }

    @Test("the payloads of records stay, byte for byte, what events of the past have")
    func goldenPayloads() throws {
        let lines = try (1...8).flatMap { try Self.bodies($0) }.map { "\($0.kind) \(Self.payload($0))" }
        guard let known = try? String(contentsOf: Self.golden, encoding: .utf8) else {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.golden)
            Issue.record("\(Self.golden.lastPathComponent) was not there and was written; look at it")
            return
        }
        let knownLines = known.split(separator: "\n").map(String.init)
        #expect(lines.count == knownLines.count)
        for (line, knownLine) in zip(lines, knownLines) { #expect(line == knownLine) }
    }

    @Test("a record comes back from its payload, without what is personal", arguments: 1...8)
    func roundTrip(number: Int) throws {
        for body in try Self.bodies(number) {
            let event = Event(
                sequence: 1, at: Instant(seconds: 0), actor: "a", channel: "desk", kind: body.kind, version: 1,
                payload: Self.payload(body), request: "r", ordinal: 0)
            #expect(try event.body() == body.withoutPersonal)
        }
    }

    @Test("a payload that lacks what a record must have is an error that names it")
    func missing() throws {
        let payload = "{\"id\":1,\"title\":2,\"pickup_branch\":\"main\",\"state\":\"waiting\"}"
        let event = Event(
            sequence: 1, at: Instant(seconds: 0), actor: "a", channel: "desk", kind: "hold.placed", version: 1,
            payload: payload, request: "r", ordinal: 0)
        let error = #expect(throws: DeskError.self) { try event.body() }
        #expect(error?.message.contains("placed_at") == true)
    }
}

extension EventBody {
    /// What a reader of the event can know.
    fileprivate var withoutPersonal: EventBody {
        if let change = self[.patronAdded] {
            return EventBody(.patronAdded, PatronChange(change.patron.withoutPersonal, fields: change.fields))
        }
        if let block = self[.patronBlocked] { return EventBody(.patronBlocked, block.withoutPersonal) }
        if let loan = self[.loanMade] { return EventBody(.loanMade, loan.withoutPersonal) }
        if let notices = self[.noticeRecorded] {
            return EventBody(.noticeRecorded, notices.map(\.withoutPersonal))
        }
        if let change = content(ListingChange.self) {
            return EventBody(.listing(change.step), ListingChange(change.step, change.listing.withoutPersonal))
        }
        if let change = content(SuggestionChange.self) {
            return EventBody(
                .suggestion(change.step), SuggestionChange(change.step, change.suggestion.withoutPersonal))
        }
        return self
    }
}

extension DeclaredRecord {
    fileprivate var withoutPersonal: Self {
        var record = self
        for field in Self.declaration.fields {
            // A payload does not distinguish what is absent from what is as usual.
            let isUnknown = field.isPersonal || field.value(record) == .absent
            if isUnknown { _ = field.set(&record, field.usual.value(record) ?? field.value(.blank)) }
        }
        return record
    }
}
