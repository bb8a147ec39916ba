import Circulation
import LuaRuntime

extension LuaPolicy {
    func hold(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let reasons = tables.standardHold(for: question, rule: rule)
        var verdict = verdict(of: reasons, rule)
        let answer = try ask(.hold, question, rule, standard: { LuaPolicy.answer(of: verdict) }) {
            (try $1.permission($0, zone: question.zone), $1.origin)
        }
        var priority: Int64?
        if let (answer, origin) = answer {
            verdict.add(answer, origin: origin, title: question.title?.id)
            if case .allow(_, _, let answered) = answer {
                priority = answered
            }
        }
        var decision = decision(question.point, verdict, rule: rule)
        // Staff who override what is refused keep the place that the policy gives.
        if decision.answer == .allow || decision.refusal?.mayBeOverridden == true { decision.priority = priority }
        return decision
    }

    func recall(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let answered = try ask(.recall, question, rule, standard: { [.nil] }) { answer, reader in
            (try reader.due(answer, zone: question.zone), reader.origin)
        }
        var decision = Decision(point: .recall, answer: .allow, rule: rule)
        guard let answered, let answer = answered.0 else { return decision }
        let origin = answered.1
        do {
            switch answer {
            case .date(let date):
                decision.due = try tables.recallTime(answered: date, for: question, rule: rule)
            case .exactly(let instant):
                decision.due = try tables.recallTime(answeredExactly: instant, for: question)
            }
        } catch let failure as PolicyFailure {
            throw PolicyFailure(
                code: failure.code, message: failure.message, file: failure.file ?? origin.file,
                line: failure.line ?? origin.line)
        }
        return decision
    }

    func notify(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = question.event.map { [$0.standardNotice] } ?? []
        let answered = try ask(
            .notify, question, rule, standard: { [.table(LuaTable(array: standard.map(LuaPolicy.luaNotice)))] }
        ) { answer, reader in
            try reader.effects(answer)?.map {
                let stage = question.event?.rawValue
                return Decision.Effect.notice(try reader.notice($0, currency: question.currency, stage: stage))
            }
        }
        let effects = answered.flatMap { $0 } ?? standard.map { .notice($0) }
        return Decision(point: .notify, answer: .allow, rule: rule, effects: effects)
    }
}
