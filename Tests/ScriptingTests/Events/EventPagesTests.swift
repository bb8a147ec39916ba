import Desk
import Scripting
import Testing
import TextFormats

@Suite("What is written about events")
struct EventPagesTests {
    @Test("programs have all events with their fields and an example")
    func json() throws {
        let events = try #require(try JSONParser.parse(EventPages.json())["events"]?.arrayValue)
        #expect(events.map { $0["name"] } == EventDeclaration.all.map { .string($0.name) })
        let lost = try #require(events.first { $0["name"] == "loan.lost" })
        let fields = lost["fields"]?.arrayValue ?? []
        let copy = try #require(fields.first { $0["name"] == "copy" })
        #expect(copy["type"] == "copy" && copy["required"] == false && copy["personal"] == false)
        #expect(fields.first { $0["name"] == "reason" }?["personal"] == true)
        #expect(lost["example"]?["item_type"] == "book")
        // What stays in the library is in no example for programs outside.
        #expect(lost["example"]?["reason"] == nil)
    }

    @Test("the page has a section for each event, to which its table of contents leads")
    func markdown() {
        let page = EventPages.markdown()
        for declaration in EventDeclaration.all {
            #expect(page.contains("\n## \(declaration.name)\n\n\(declaration.summary)\n"))
            #expect(page.contains("| [\(declaration.name)](#\(declaration.name.replacing(".", with: ""))) |"))
        }
    }

    @Test("help knows events by name")
    func help() {
        #expect(HelpText.about("hold.shelved")?.contains("pickup_branch") == true)
        #expect(HelpText.unknown("hold.shelfed").contains("did you mean 'hold.shelved'?"))
    }

    @Test("reading the log by a name that no event has is an error with the nearest")
    func unknownKind() throws {
        let said = try APISample().evaluate(#"store.events{ kind = "loan.maid" }"#)
        #expect(said.contains("did you mean 'loan.made'?"))
    }
}
