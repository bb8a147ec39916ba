import Desk
import Foundation
import LuaRuntime
import Scripting
import Storage
import Terminal

/// `:begin`, `:commit`, `:rollback`
extension ReplSession {
    /// How long a trial that blocks others may be idle, in milliseconds.
    private var idleLimit: Int32 {
        workplace.environment["MOONSHELF_TRIAL_IDLE"].flatMap { Int32($0) }.map { $0 &* 1000 } ?? 60_000
    }

    /// The largest store that is copied, in bytes.
    private var copyLimit: Int64? {
        workplace.environment["MOONSHELF_TRIAL_COPY"].flatMap { Int64($0) }.map { $0 << 20 }
    }

    func begin(_ repl: Repl) -> ScriptFailure? {
        guard trial == nil else {
            return Self.failure("A trial is under way: ':commit' keeps it, ':rollback' drops it.")
        }
        guard granted.writes else {
            return Self.failure("Nothing can be changed in this session, nor tried: start it with --write.")
        }
        do {
            let location = try workplace.location()
            guard try TrialCopy.suits(location, desk, limit: copyLimit) else { return lock(repl, location) }
            let copy = try TrialCopy(of: location, in: workplace, clock: clock, branch: desk.actor.branch)
            trial = .copy(copy)
            evaluator.context.work(at: desk)
            evaluator.context.beginJournal()
            repl.session.beginTrial()
            repl.tell(
                "A trial on a copy of the store: others go on. ':commit' does it in the library, ':rollback' forgets it."
            )
            return nil
        } catch let error as CommandFailure {
            return Self.failure(error.words)
        } catch {
            return Self.failure(CommandFailure(error).words)
        }
    }

    func rollback(_ repl: Repl) -> ScriptFailure? {
        switch trial {
        case nil: return Self.failure("No trial is under way; ':begin' begins one.")
        case .lock: lockEnding = .rollback
        case .copy:
            leaveCopy()
            repl.session.endTrial(isKept: false)
            repl.tell("The trial is forgotten; the library is as it was.")
        }
        return nil
    }

    func commit(_ repl: Repl) -> ScriptFailure? {
        switch trial {
        case nil: return Self.failure("No trial is under way; ':begin' begins one.")
        case .lock: lockEnding = .commit
        case .copy: return repeatTrial(repl)
        }
        return nil
    }

    /// The session ends, and the trial with it.
    func end(_ repl: Repl) {
        guard case .copy? = trial else { return }
        leaveCopy()
        repl.tell("The trial was not committed and is forgotten.")
    }

    private func leaveCopy() {
        evaluator.context.endJournal()
        trial = nil
        evaluator.context.work(at: desk)
    }

    // MARK: - Over a copy

    /// Repeats the trial's work in the library: all of it in one transaction, or nothing.
    private func repeatTrial(_ repl: Repl) -> ScriptFailure? {
        let journal = evaluator.context.endJournal()
        let kept = trial
        trial = nil
        evaluator.context.work(at: desk)
        var repetition = TrialRepetition()
        do {
            try evaluator.inTransaction {
                for write in journal.writes where !write.isRefused { try repetition.perform(write, by: evaluator) }
            }
        } catch {
            trial = kept
            evaluator.context.work(at: desk)
            evaluator.context.resume(journal)
            let reason = (error as? TrialRepetition.Refused)?.message ?? ScriptFailure(error).message
            return Self.failure("Nothing was done in the library, and the trial goes on: \(reason)")
        }
        repl.session.endTrial(isKept: true)
        let count = repetition.count == 1 ? "1 change is" : "\(repetition.count) changes are"
        repl.tell(
            "\(count) done in the library\(repetition.differences.isEmpty ? ", as in the trial." : "; otherwise than in the trial:")"
        )
        for difference in repetition.differences { repl.tell("  " + difference) }
        return nil
    }

    // MARK: - Over the library itself

    private func lock(_ repl: Repl, _ location: StoreLocation) -> ScriptFailure? {
        struct Undone: Error {}
        if location != .memory {
            repl.tell(
                "WARNING: this store is too large to be copied. Other users cannot change anything until ':commit' or "
                    + "':rollback'; after \(idleLimit / 1000) s without a key the trial is rolled back.")
        }
        var ending = Repl.LoopEnding.over
        lockEnding = nil
        do {
            try evaluator.inTransaction {
                trial = .lock
                repl.session.beginTrial()
                defer { trial = nil }
                ending = repl.loop(idleLimit: location == .memory ? nil : idleLimit) { self.lockEnding != nil }
                guard case .over = ending, lockEnding == .commit else { throw Undone() }
            }
            repl.session.endTrial(isKept: true)
            repl.tell("Done in the library.")
            return nil
        } catch is Undone {
            repl.session.endTrial(isKept: false)
            switch ending {
            case .over: repl.tell("The trial is forgotten; the library is as it was.")
            case .left: repl.tell("The trial was not committed and is forgotten.")
            case .idle: repl.tell("The session was idle for too long: the trial was rolled back, and others can go on.")
            case .failed(let failure): return failure
            }
            return nil
        } catch {
            repl.session.endTrial(isKept: false)
            return Self.failure("Nothing was done in the library: \(CommandFailure(error).words)")
        }
    }
}
