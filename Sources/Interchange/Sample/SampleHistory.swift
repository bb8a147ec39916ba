package import Circulation
package import Desk
import Market
package import Storage

/// Makes the past of the sample library: people borrow, wait, bring back, rate and trade, day by day, under the policy in force at the
/// time, with a clock that travels. Nothing is written into the tables by hand; every loan was decided.
package struct SampleHistory {
    /// What was made.
    package struct Summary: Hashable, Sendable {
        package var days = 0
        package var loans = 0
        package var refused = 0
        package var returns = 0
        package var holds = 0
        package var offers = 0
        package var notices: Int64 = 0
    }

    private let store: any Store
    private let policies: any PolicyLoader
    private let habits: SampleHabits
    private let popular: Set<ISBN>
    private let first: CivilDate
    private let last: CivilDate
    private let seed: UInt64

    /// - Parameters:
    ///   - popular: the titles that most people read.
    ///   - first: the first day on which something is lent.
    ///   - last: the last one; loans that are not back by then stay open.
    ///   - seed: the same seed makes the same past.
    package init(
        store: any Store, policies: any PolicyLoader, habits: SampleHabits, popular: Set<ISBN> = [],
        from first: CivilDate, through last: CivilDate, seed: UInt64 = 1
    ) {
        self.store = store
        self.policies = policies
        self.habits = habits
        self.popular = popular
        self.first = first
        self.last = last
        self.seed = seed
    }

    /// Sweeps each morning, and then lives through the day in one transaction.
    package func make() throws -> Summary {
        let clock = ManualClock(Instant(seconds: 0))
        let desk = Desk(store: store, policies: policies, clock: clock, actor: .desk, extensions: [MarketExtension()])
        var life = try desk.read { try SampleLife($0, habits, popular: popular, from: first, seed: seed) }
        var day = first
        while day <= last {
            clock.set(life.zone.instant(of: day, try CivilTime(hour: 6, minute: 0)))
            life.summary.notices += try desk.sweep().notices
            try desk.write { try life.live(through: day, $0) }
            day = try day.adding(days: 1)
        }
        return life.summary
    }
}
