import Circulation
import Storage

/// The notices of one run that are merged: for each patron, stage and channel one message.
///
/// It is kept from page to page of a sweep. Whatever a page commits is complete in itself: a first notice goes out
/// under its own text; when a second one comes, a message that carries both takes its place, as long as it was not
/// sent. A run that was killed therefore leaves nothing unsaid, and the next one begins messages of its own.
struct DigestRun {
    struct Key: Hashable {
        var patron: Int64
        var stage: String
        var channel: String
    }

    /// A notice with its words, filled.
    struct Part {
        var notice: Notice
        var line: String
    }

    struct Group {
        /// The message that carries the parts, once there are two.
        var carrier: Int64?
        var parts: [Part] = []
        let texts: DigestTemplates
        let context: TemplateContext
    }

    /// When the run began, which distinguishes its messages from those of another run.
    let startedAt: Instant
    fileprivate(set) var groups: [Key: Group] = [:]
}

/// The notices of one page that are to be merged, each with its place among all of the page.
struct DigestPage {
    struct Found {
        var place: Int
        var key: DigestRun.Key
        var texts: DigestTemplates
        var line: String
        var context: TemplateContext
    }

    private(set) var found: [Found] = []

    /// Remembers a notice that asks to be merged.
    ///
    /// - Parameter place: among the page's notices.
    mutating func add(_ order: PlannedNotice, _ notice: Notice, place: Int, _ context: TemplateContext) {
        guard let texts = order.digest, !order.isSuperseded else { return }
        let line = Self.line(texts, context)
        found.append(
            Found(
                place: place,
                key: DigestRun.Key(patron: notice.patron, stage: notice.stage, channel: notice.channel), texts: texts,
                line: line, context: context))
    }

    /// The line of one loan among several.
    static func line(_ texts: DigestTemplates?, _ context: TemplateContext) -> String {
        TextTemplate(texts?.many?.line ?? NoticeDigest.standardLine.anyText(in: nil)).filled(with: context)
    }

    /// Merges what the page found with what the run has: the notices come back with what carries them.
    func merge(_ notices: [Notice], into run: inout DigestRun, _ service: NoticeService) throws -> MergedNotices {
        var merged = MergedNotices(notices: notices)
        var order: [DigestRun.Key] = []
        var places: [DigestRun.Key: [Found]] = [:]
        for one in found {
            if places[one.key] == nil { order.append(one.key) }
            places[one.key, default: []].append(one)
            if one.texts.many != nil { merged.notices[one.place].digest = .line(one.line) }
        }
        for key in order {
            guard let found = places[key], let first = found.first else { continue }
            var group = run.groups[key] ?? DigestRun.Group(texts: first.texts, context: first.context)
            try service.forgetSent(&group)
            group.parts += found.map { DigestRun.Part(notice: merged.notices[$0.place], line: $0.line) }
            if group.parts.count > 1 {
                let carrier = try service.carry(&group, key, run)
                for one in found {
                    merged.notices[one.place].state = .superseded
                    merged.notices[one.place].carriedBy = carrier.id
                }
                merged.carriers += carrier.isNew ? 1 : 0
                merged.withdrawn += carrier.withdrawn
            } else {
                merged.waiting.append((found[0].place, key))
            }
            run.groups[key] = group
        }
        return merged
    }
}

/// What merging made of a page's notices.
struct MergedNotices {
    var notices: [Notice]
    /// Messages that carry others and are new.
    var carriers: Int64 = 0
    /// Notices of earlier pages that go out in another message after all.
    var withdrawn: Int64 = 0
    /// Those that stand alone so far, by place: their ids are known once they are recorded.
    var waiting: [(place: Int, key: DigestRun.Key)] = []

    /// Passes the run the ids of what was recorded.
    func settle(_ recorded: [Notice], in run: inout DigestRun) {
        for (place, key) in waiting {
            let notice = notices[place]
            let found = recorded.first { other in
                other.subjectKey == notice.subjectKey && other.kind == notice.kind && other.dueAt == notice.dueAt
                    && other.stage == notice.stage && other.repetition == notice.repetition
            }
            if let found { run.groups[key]?.parts[0].notice = found } else { run.groups[key] = nil }
        }
    }
}

extension NoticeService {
    /// Begins a group anew if what it made so far went out, was read or taken back, and forgets the parts that it lost.
    fileprivate func forgetSent(_ group: inout DigestRun.Group) throws {
        guard let id = group.carrier ?? group.parts.first?.notice.id, id != 0 else { return }
        guard let notice = try transaction.notices.get(id), try canBeMerged(notice) else {
            group.carrier = nil
            group.parts = []
            return
        }
        guard group.carrier != nil else { return }
        let loans = try Set(transaction.notices.carried(by: id).map(\.loan))
        group.parts.removeAll { !loans.contains($0.notice.loan) }
    }

    /// The inbox delivers at once; until it is read, a message there can still be replaced.
    /// What was handed to a sender keeps its words: a try of it may have arrived.
    private func canBeMerged(_ notice: Notice) throws -> Bool {
        if notice.channel == NoticeChannel.inbox.name { return notice.state == .queued || notice.state == .sent }
        return try notice.state == .queued && !wasTried(notice.id)
    }

    /// Writes the message that carries all parts of the group, or writes it anew with the parts that came since.
    ///
    /// - Returns: its id, and how many recorded notices it takes the place of.
    fileprivate func carry(
        _ group: inout DigestRun.Group, _ key: DigestRun.Key, _ run: DigestRun
    ) throws -> (id: Int64, isNew: Bool, withdrawn: Int64) {
        let (subject, body) = Self.texts(of: group.parts, group.texts.many, group.context)
        if let id = group.carrier, var carrier = try transaction.notices.get(id) {
            (carrier.subject, carrier.body) = (subject, body)
            try transaction.notices.update(carrier)
            return (id, false, 0)
        }
        let templates = group.texts.many.map { DigestWords.templates(subject: $0.subject, body: $0.body) }
        let id = try carrier(key, subject, body, templates, run)
        group.carrier = id
        var withdrawn: Int64 = 0
        for index in group.parts.indices where group.parts[index].notice.id != 0 {
            group.parts[index].notice.state = .superseded
            group.parts[index].notice.carriedBy = id
            try session.record(.noticeChanged, NoticeChange(group.parts[index].notice))
            withdrawn += 1
        }
        return (id, true, withdrawn)
    }

    private func carrier(
        _ key: DigestRun.Key, _ subject: String, _ body: String, _ templates: DigestWords?, _ run: DigestRun
    ) throws -> Int64 {
        // Two runs may begin at the same instant of a clock that was set.
        for repetition in 0..<Self.mostRuns {
            let notice = Notice(
                kind: "digest", subjectKey: "patron:\(key.patron):\(key.channel)", patron: key.patron,
                dueAt: run.startedAt, stage: key.stage, repetition: repetition, channel: key.channel, subject: subject,
                body: body, createdAt: session.now, digest: templates)
            if let recorded = try record([notice]).first { return recorded.id }
        }
        throw DeskError.input(nil, "More than \(Self.mostRuns) messages to one patron at one instant.")
    }

    private static let mostRuns: Int64 = 10_000

    /// The texts for several, or the single texts one below the other.
    static func texts(
        of parts: [DigestRun.Part], _ many: DigestTemplates.Texts?, _ context: TemplateContext
    ) -> (subject: String, body: String) {
        guard let many else {
            let subject = parts.first.map { $0.notice.subject } ?? ""
            return ("\(subject) (+\(parts.count - 1))", parts.map(\.notice.body).joined(separator: "\n\n"))
        }
        var context = context
        context.digest = parts.map(\.line)
        // A subject is one line, whatever is filled in.
        let subject = TextTemplate(many.subject).filled(with: context).split(whereSeparator: \.isNewline)
        return (subject.joined(separator: " "), TextTemplate(many.body).filled(with: context))
    }
}
