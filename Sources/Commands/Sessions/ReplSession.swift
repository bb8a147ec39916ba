import ArgumentParser
import Circulation
import Desk
import Foundation
import LuaRuntime
import Scripting
import Storage
import Terminal

/// The state of an interactive session: its desk, its clock, the current actor, a trial.
final class ReplSession {
    let workplace: Workplace
    let granted: Set<Capability>
    let clock: SessionClock
    let evaluator: ScriptEvaluator
    /// The library's own desk, for staff.
    private let library: Desk
    private let zone: Zone
    /// The patron for whom statements run, in place of staff.
    private(set) var patron: Patron?
    var trial: ReplTrial?
    /// Ends a trial that blocks others.
    var lockEnding: LockEnding?

    enum LockEnding { case commit, rollback }

    init(_ workplace: Workplace, granted: Set<Capability>, branch: String?) throws {
        self.workplace = workplace
        self.granted = granted
        let clock = SessionClock(try workplace.clock())
        self.clock = clock
        library = try workplace.desk(granted.writes ? .writing : .reading, clock: clock, branch: branch, onTrial: true)
        zone = try library.read { try $0.settings.library().zone }
        evaluator = try ScriptEvaluator(
            desk: library, clock: clock.now, output: ReplOutput(workplace.console), granted: granted)
        evaluator.allowRequire(from: ScriptFolder(path: FileManager.default.currentDirectoryPath))
    }

    /// What the prompt shows beside the store.
    var marks: [String] {
        var marks: [String] = []
        switch trial {
        case .copy: marks.append("trial")
        case .lock: marks.append("trial, others wait")
        case nil: break
        }
        if let patron { marks.append("as \(patron.username)") }
        if let instant = clock.standing {
            let (date, time) = zone.local(of: instant)
            marks.append("\(date) \(String(time.description.prefix(5)))")
        }
        return marks
    }

    /// The desk at which statements work: the library's or the trial's, for the current actor.
    var desk: Desk {
        let desk = if case .copy(let copy)? = trial { copy.desk } else { library }
        guard let patron else { return desk }
        let actor = Actor(
            name: "patron:\(patron.id)", role: .patron, channel: .web, branch: desk.actor.branch)
        return desk.acting(as: actor)
    }

    /// The options for commands in a session: the trial's copy and the session's clock.
    var place: Workplace {
        get throws {
            var options = try GlobalOptions.parse([])
            if case .copy(let copy)? = trial { options.store = "sqlite:\(copy.path)" }
            if let instant = clock.standing { options.now = instant.description }
            return workplace.with(options)
        }
    }

    // MARK: - :now and :as

    func travel(_ words: SessionWords) -> ScriptFailure? {
        if case .lock? = trial {
            return Self.failure("In this trial time stands still: it is one transaction. ':rollback' ends it.")
        }
        guard !words.text.isEmpty else {
            clock.stand(at: nil)
            return nil
        }
        do {
            clock.stand(at: try clock.moment(words.text, in: zone))
            return nil
        } catch {
            return Self.failure("\(error) A moment is '2026-12-24', '2026-12-24T18:00' or '+14' for days from now.")
        }
    }

    func act(_ words: SessionWords) -> ScriptFailure? {
        if case .lock? = trial { return Self.failure("This trial is one transaction of staff. ':rollback' ends it.") }
        guard let name = words.words.first else {
            patron = nil
            evaluator.context.work(at: desk)
            return nil
        }
        do {
            let key = Int64(name).map(PatronKey.id) ?? .username(name)
            guard let found = try evaluator.desk.acting(as: library.actor).read({ try $0.patrons.get(key) }) else {
                return Self.failure("There is no patron '\(name)'.")
            }
            patron = found
            evaluator.context.work(at: desk)
            return nil
        } catch {
            return ScriptFailure(error)
        }
    }

    static func failure(_ message: String) -> ScriptFailure { ScriptFailure(LuaHostError(message)) }
}
