import Circulation
import LuaSyntax

/// The events of which a policy's files speak: as a text (`case.event == "returned"`), as a field (`words.returned`) or as a
/// key of a table (`{ returned = "..." }`).
struct EventWords: LuaVisitor {
    private var events: Set<NotifyEvent> = []

    static func events(in chunks: [Chunk]) -> Set<NotifyEvent> {
        var words = EventWords()
        for chunk in chunks { chunk.walk(&words) }
        return words.events
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .string: add(expression.stringLiteral)
        case .table(let table): for entry in table.entries { add(entry.name?.name) }
        case .suffixed(let suffixed):
            for suffix in suffixed.suffixes {
                if case .field(let name) = suffix.kind { add(name.name) }
            }
        default: break
        }
    }

    private mutating func add(_ word: String?) {
        if let event = word.flatMap(NotifyEvent.init) { events.insert(event) }
    }
}
