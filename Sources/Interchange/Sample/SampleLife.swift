import Circulation
import Desk

/// The people of the sample, what they have at home, and what they are going to do.
struct SampleLife {
    struct Reader {
        let id: Int64
        let category: String
        let home: String
    }

    let zone: Zone
    let habits: SampleHabits
    var summary = SampleHistory.Summary()
    var agenda = SampleAgenda()
    var random: SeededGenerator
    /// Titles that are known to stay in the library.
    var readInHouse: Set<Int64> = []

    private let branches: [Branch]
    let readers: [Reader]
    /// Those who offer and buy.
    let traders: [Reader]
    /// A few read much and many little: the place of each reader among all, the busiest first.
    private let busiest: [Int]
    private let genres: [String: [Int64]]
    private let titles: [Int64]

    init(
        _ session: DeskSession, _ habits: SampleHabits, popular: Set<ISBN>, from first: CivilDate, seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var readers: [Reader] = []
        try session.patrons.each { patron in
            readers.append(Reader(id: patron.id, category: patron.category, home: patron.homeBranch))
            return true
        }
        var titles: [Title] = []
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            titles.append(title)
            return true
        }
        titles.shuffle(using: &random)
        func isPopular(_ title: Title) -> Bool { title.isbn.map(popular.contains) ?? false }
        titles = titles.filter(isPopular) + titles.filter { !isPopular($0) }
        var genres: [String: [Int64]] = [:]
        for title in titles {
            for genre in title.genres { genres[genre, default: []].append(title.id) }
        }
        zone = try session.settings.library().zone
        branches = try session.settings.branches()
        self.habits = habits
        self.readers = readers
        traders = readers.filter { habits.traders.contains($0.category) }
        busiest = Array(readers.indices).shuffled(using: &random)
        self.genres = genres
        self.titles = titles.map(\.id)
        self.random = random
        for index in habits.lists.indices where !readers.isEmpty {
            plan(.beginList(index), on: try first.adding(days: Int64(5 + 9 * index)), from: 17, to: 22)
        }
    }

    // MARK: - Days

    /// Lives through a day and through what an earlier one left.
    mutating func live(through day: CivilDate, _ session: DeskSession) throws {
        let open = branches.filter { $0.calendar.isOpen(day) }
        if !open.isEmpty { summary.days += 1 }
        for branch in open { try planVisits(on: day, at: branch) }
        if day.weekday == .sunday { try planOffers(on: day) }
        if day.day == 12, let index = (0..<habits.suggestions.count).randomElement(using: &random) {
            plan(.suggest(index), on: day, from: 9, to: 21)
        }
        for (minute, act) in agenda.take(through: day) {
            let moment = zone.instant(of: day, try CivilTime(secondsSinceMidnight: 60 * minute))
            try perform(act, on: day, session.moved(to: moment))
        }
    }

    private mutating func perform(_ act: SampleAgenda.Act, on day: CivilDate, _ session: DeskSession) throws {
        switch act {
        case .visit(let reader, let branch): try visit(readers[reader], at: branch, on: day, session)
        case .bringBack(let loan, let branch): try bringBack(loan, at: branch, on: day, session)
        case .scan(let barcode, let branch): try scan(barcode, at: branch, on: day, session)
        case .fetch(let patron, let barcode, let branch): try fetch(patron, barcode, at: branch, on: day, session)
        case .renew(let loan): try renew(loan, on: day, session)
        case .lose(let loan, let branch): try lose(loan, at: branch, session)
        case .rate(let patron, let title): try rate(patron, title, session)
        case .beginList(let index): try beginList(index, on: day, session)
        case .addToList(let list, let patron, let genre): try add(to: list, of: patron, genre, session)
        case .suggest(let index): try suggest(index, on: day, session)
        case .decide(let suggestion): try decide(suggestion, on: day, session)
        case .buyCopy(let title, let branch):
            _ = try session.catalogue.addCopies(of: .id(title), branch: branch, acquiredOn: day)
        case .trade(let trade): try carryOut(trade, on: day, session)
        }
    }

    /// Terms are busier than the summer, and Saturdays than Wednesdays.
    private mutating func planVisits(on day: CivilDate, at branch: Branch) throws {
        let month = [0.8, 1.2, 1.2, 0.9, 1, 0.8, 0.5, 0.4, 1, 1.4, 1.3, 0.8][day.month - 1]
        let weekday =
            switch day.weekday {
            case .monday, .saturday: 1.3
            case .wednesday, .friday: 0.8
            default: 1.0
            }
        let home = readers.indices.filter { readers[$0].home == branch.code }.count
        let expected = 0.05 * Double(home) * month * weekday
        for _ in 0..<Int(expected.rounded(.down)) + (chance(of: expected.truncatingRemainder(dividingBy: 1)) ? 1 : 0) {
            guard let reader = readerWhoComes(to: branch.code) else { return }
            let minute = openMinute(of: branch, on: day)
            agenda.plan(.visit(reader: reader, branch: branch.code), on: day, minute: minute)
        }
    }

    /// Mostly those whose branch it is.
    private mutating func readerWhoComes(to branch: String) -> Int? {
        for _ in 0..<40 where !busiest.isEmpty {
            let place = Double.random(in: 0..<1, using: &random)
            let reader = busiest[Int(place * (0.4 + 0.6 * place) * Double(busiest.count))]
            if readers[reader].home == branch || chance(of: 0.1) { return reader }
        }
        return busiest.first
    }

    // MARK: - Chance

    mutating func chance(of share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    /// A minute at which a branch is open; more come at eleven and at four than early and late.
    mutating func openMinute(of branch: Branch, on day: CivilDate) -> Int {
        let hours = branch.calendar.hours(on: day).map {
            Int($0.opens.secondsSinceMidnight) / 60..<Int($0.closes.secondsSinceMidnight) / 60
        }
        guard let range = hours.randomElement(using: &random), !range.isEmpty else { return 12 * 60 }
        let tries = (0..<2).map { _ in Int.random(in: range, using: &random) }
        return tries.min { Self.distanceFromRush($0) < Self.distanceFromRush($1) } ?? range.lowerBound
    }

    private static func distanceFromRush(_ minute: Int) -> Int { min(abs(minute - 11 * 60), abs(minute - 16 * 60)) }

    /// What a reader of a category takes up: of the genres that they like, the titles that are read most above all.
    mutating func title(for category: String) -> Int64? {
        let tastes = (habits.tastes[category] ?? [:]).sorted { $0.key < $1.key }.filter { genres[$0.key] != nil }
            .map { (genre: $0.key, share: min(max(0, $0.value), 1_000_000)) }
        let sum = tastes.reduce(0) { $0 + $1.share }
        guard sum > 0 else { return popular(among: titles) }
        var place = Int.random(in: 0..<sum, using: &random)
        for (genre, share) in tastes {
            place -= share
            if place < 0 { return popular(among: genres[genre] ?? titles) }
        }
        return popular(among: titles)
    }

    mutating func title(ofAny wanted: [String]) -> Int64? {
        let known = wanted.filter { genres[$0] != nil }
        guard let genre = known.randomElement(using: &random) else { return popular(among: titles) }
        return popular(among: genres[genre] ?? titles)
    }

    private mutating func popular(among titles: [Int64]) -> Int64? {
        let place = Double.random(in: 0..<1, using: &random)
        return titles.isEmpty ? nil : titles[min(titles.count - 1, Int(place * place * Double(titles.count)))]
    }

    /// A reader who takes up titles of a genre.
    mutating func reader(fondOf genre: String) -> Reader? {
        let fond = readers.filter { habits.tastes[$0.category]?[genre] != nil }
        return (fond.isEmpty ? readers : fond).randomElement(using: &random)
    }

    // MARK: - Plans

    /// Plans what happens at home, at some time between two hours.
    mutating func plan(_ act: SampleAgenda.Act, on day: CivilDate, from: Int, to: Int) {
        agenda.plan(act, on: day, minute: Int.random(in: 60 * from..<60 * to, using: &random))
    }

    /// Plans what happens at a branch, on the first day from then on when it is open.
    mutating func plan(_ act: SampleAgenda.Act, at code: String, from day: CivilDate) throws {
        guard let branch = branches.first(where: { $0.code == code }) else { return }
        let open = try branch.calendar.nextOpen(onOrAfter: day)
        agenda.plan(act, on: open, minute: openMinute(of: branch, on: open))
    }
}

extension DeskSession {
    /// What a patron does from home.
    func asPatron<Result>(_ patron: Int64, _ body: () throws -> Result) rethrows -> Result {
        try acting(as: Actor(name: ActorName.patron(patron), role: .patron, channel: .web), body)
    }

    /// What staff do at the desk of a branch.
    func atDesk<Result>(of branch: String, _ body: () throws -> Result) rethrows -> Result {
        var actor = Actor.desk
        actor.branch = branch
        return try acting(as: actor, body)
    }
}
