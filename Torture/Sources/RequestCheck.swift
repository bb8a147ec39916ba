import Circulation
import Desk

/// Holds journals against events: what was acknowledged happened once, what was not at most once, and nothing else.
struct RequestCheck {
    let journals: [[JournalLine]]
    let events: [Event]
    /// Events up to this one belong to the making of the library.
    let begunAfter: Int64

    /// What a journal tells of one request.
    private struct Asked {
        var effect: Effect?
        /// The process died, or the store said that it cannot know, before the last answer.
        var isOpen = false
        var answers = 0
    }

    func findings() -> [Finding] {
        let written = Dictionary(grouping: events.filter { $0.sequence > begunAfter }, by: \.request)
        var findings: [Finding] = []
        var known: Set<String> = []
        for (number, journal) in journals.enumerated() {
            for (request, asked) in Self.requests(journal) {
                guard known.insert(request).inserted else {
                    findings.append(Finding("journal", "process \(number) asked \(request), as another did"))
                    continue
                }
                findings += check(request, asked, written[request] ?? [])
            }
        }
        for request in written.keys.sorted() where !known.contains(request) && !request.hasPrefix("plugin:") {
            findings.append(Finding("nobody asked", "no journal has the request \(request) that the events tell of"))
        }
        return findings
    }

    private static func requests(_ journal: [JournalLine]) -> [String: Asked] {
        var requests: [String: Asked] = [:]
        for line in journal {
            switch line {
            case .asked(let request, _, _, _): requests[request] = Asked()
            case .done(let request, let effect, _):
                requests[request, default: Asked()].effect = effect
                requests[request, default: Asked()].answers += 1
            case .failed(let request, _, let isOpen, _):
                if isOpen { requests[request, default: Asked()].isOpen = true }
            case .recovered: continue
            }
        }
        return requests
    }

    private func check(_ request: String, _ asked: Asked, _ events: [Event]) -> [Finding] {
        var findings: [Finding] = []
        if events.map(\.ordinal).sorted() != Array(0..<Int64(events.count)) {
            findings.append(Finding("half", "\(request) left some of its events: \(Self.told(events))"))
        }
        guard let effect = asked.effect else { return findings }
        if asked.answers > 1 { findings.append(Finding("journal", "\(request) was answered \(asked.answers) times")) }
        if let difference = Self.difference(effect, events) {
            let rule = events.isEmpty ? "lost" : "not as acknowledged"
            findings.append(Finding(rule, "\(request) was told \(effect.text): \(difference); \(Self.told(events))"))
        }
        return findings
    }

    /// What the events of a request have that its answer does not speak of, or the other way round; nil if they agree.
    private static func difference(_ effect: Effect, _ events: [Event]) -> String? {
        func subjects<Content>(_ kind: EventKind<Content>, _ id: (Event) -> Int64?) -> [Int64?] {
            events.filter { $0.kind == kind.name }.map(id)
        }
        let made = subjects(.loanMade, \.loan)
        let found: [Int64?]
        let told: [Int64]
        switch effect {
        case .nothing: return events.isEmpty ? nil : "nothing was to be done"
        case .found: return events.isEmpty ? "it was said to be there" : nil
        case .refused(let code):
            let codes = events.compactMap(\.refusalCode)
            if codes != [code] { return "refusals are \(codes)" }
            return events.contains(where: \.isChange) ? "something has been updated all the same" : nil
        case .lent(let loans): (found, told) = (made, loans)
        case .returned(let loan): (found, told) = (subjects(.loanReturned, \.loan), [loan])
        case .renewed(let loan): (found, told) = (subjects(.loanRenewed, \.loan), [loan])
        case .held(let hold): (found, told) = (subjects(.hold(.placed), \.holdID), [hold])
        case .cancelled(let hold): (found, told) = (subjects(.hold(.cancelled), \.holdID), [hold])
        case .charged(let line), .paid(let line): (found, told) = (events.flatMap(\.ledgerLines), [line])
        }
        if case .lent = effect {} else if !made.isEmpty { return "a loan was made" }
        return found == told ? nil : "found \(found.map { $0.map(String.init) ?? "none" })"
    }

    private static func told(_ events: [Event]) -> String {
        events.isEmpty ? "no events" : "events " + events.map { "\($0.sequence) \($0.kind)" }.joined(separator: ", ")
    }
}

extension Event {
    fileprivate var holdID: Int64? {
        (try? body().content(HoldChange.self))?.hold.id
    }

    fileprivate var ledgerLines: [Int64] {
        (try? body()[.ledgerPosted])?.map(\.id) ?? []
    }

    fileprivate var refusalCode: String? {
        (try? body()[.requestRefused])?.refusal.code
    }

    /// Whether it changed loans, holds or accounts.
    fileprivate var isChange: Bool {
        kind.hasPrefix("loan.") || kind.hasPrefix("hold.") || kind == EventKind.ledgerPosted.name
    }
}
