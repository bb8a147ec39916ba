import Circulation
import LuaRuntime

extension LuaPolicy {
    /// When the membership ends of a patron who registers or renews it.
    func expiry(_ question: Case) throws -> Decision {
        let standard = { try self.tables.membershipEnd(for: question) { try self.condition($0, question) } }
        let answered = try ask(
            .expiry, question, nil, standard: { [LuaPolicy.luaEnd(try standard())] }
        ) { answer, reader in
            try reader.membershipEnd(answer, for: question)
        }
        var decision = Decision(point: .expiry, answer: .allow)
        decision.membership = try answered.flatMap { $0 } ?? standard()
        return decision
    }

    package var endsMemberships: Bool { !tables.source.membership.isEmpty || loaded.lua?[.expiry] != nil }

    private static func luaEnd(_ end: MembershipEnd?) -> LuaValue {
        guard let end else { return .nil }
        return end.date.map { LuaValue($0) } ?? .value(.unlimited)
    }
}
