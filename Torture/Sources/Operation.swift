import Circulation
import Desk
import TestSupport

/// What a worker asks of the desk, by chance.
enum Operation: String, CaseIterable {
    /// One title, often one of the few that everybody wants.
    case checkout
    /// Several titles, all or none.
    case several
    /// What waits on the hold shelf for a patron.
    case pickup
    case checkin
    case renew
    case hold
    case cancel
    case charge
    case pay

    /// How often each is asked, out of the sum of all.
    private var weight: Int {
        switch self {
        case .checkout: 22
        case .several: 6
        case .pickup: 10
        case .checkin: 24
        case .renew: 8
        case .hold: 10
        case .cancel: 3
        case .charge: 7
        case .pay: 10
        }
    }

    static func any(_ random: inout SplitMix) -> Operation {
        var place = Int.random(in: 0..<allCases.reduce(0) { $0 + $1.weight }, using: &random)
        for operation in allCases {
            place -= operation.weight
            if place < 0 { return operation }
        }
        return .checkout
    }

    /// Carries it out in one transaction.
    ///
    /// - Parameter random: what is chosen depends on it and on the state of the library alone.
    func perform(_ session: DeskSession, _ random: inout SplitMix) throws -> Effect {
        let patron = PatronKey.username(
            TortureLibrary.username(.random(in: 0..<TortureLibrary.patrons, using: &random)))
        switch self {
        case .checkout: return try Self.lend([Self.title(session, &random)], to: patron, session)
        case .several:
            let titles = try (0..<Int.random(in: 2...3, using: &random)).map { _ in try Self.title(session, &random) }
            return try Self.lend(titles, to: patron, session)
        case .pickup:
            guard let title = try session.holds.of(patron).first(where: { $0.hold.isSetAside })?.hold.title else {
                return .nothing
            }
            return try Self.lend([.id(title)], to: patron, session)
        case .checkin:
            guard let loan = try session.loans.active(of: patron).randomElement(using: &random) else { return .nothing }
            return Self.effect(of: try session.loans.checkin(.id(loan.id))) { _ in .returned(loan.id) }
        case .renew:
            guard let loan = try session.loans.active(of: patron).randomElement(using: &random) else { return .nothing }
            return Self.effect(of: try session.loans.renew(.id(loan.id))) { _ in .renewed(loan.id) }
        case .hold:
            let request = HoldRequest(patron: patron, wanted: .title(try Self.title(session, &random)))
            return Self.effect(of: try session.holds.place(request)) { .held($0.hold.id) }
        case .cancel:
            guard let hold = try session.holds.of(patron).randomElement(using: &random) else { return .nothing }
            return Self.effect(of: try session.holds.cancel(hold.hold.id)) { .cancelled($0.hold.id) }
        case .charge:
            let amount = Money(minorUnits: .random(in: 10...300, using: &random), currency: .eur)
            return Self.effect(of: try session.fees.charge(patron, amount: amount, label: "Card")) { .charged($0.id) }
        case .pay: return try Self.pay(patron, session, &random)
        }
    }

    private static func title(_ session: DeskSession, _ random: inout SplitMix) throws -> TitleKey {
        let isWantedByAll = Int.random(in: 0..<3, using: &random) == 0
        let number = Int.random(
            in: 0..<(isWantedByAll ? TortureLibrary.wantedTitles : TortureLibrary.titles), using: &random)
        return .isbn(try TortureLibrary.isbn(number))
    }

    private static func lend(_ titles: [TitleKey], to patron: PatronKey, _ session: DeskSession) throws -> Effect {
        let outcome = try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles(titles)))
        return effect(of: outcome) { .lent($0.map(\.id)) }
    }

    /// Mostly what is owed or less, at times more.
    private static func pay(
        _ patron: PatronKey, _ session: DeskSession, _ random: inout SplitMix
    ) throws -> Effect {
        let owed = try session.fees.owed(by: patron).minorUnits
        guard owed > 0 else { return .nothing }
        let amount = Money(minorUnits: .random(in: 1...owed + owed / 10, using: &random), currency: .eur)
        return effect(of: try session.fees.pay(patron, amount: amount)) { .paid($0.id) }
    }

    private static func effect<Value>(of outcome: Outcome<Value>, _ done: (Value) -> Effect) -> Effect {
        switch outcome {
        case .done(let value): done(value)
        case .refused(let refusal): .refused(refusal.code)
        }
    }
}
