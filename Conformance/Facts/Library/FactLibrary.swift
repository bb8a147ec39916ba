import Circulation
import Desk
import Market
import Scripting
import Storage
import TextFormats

/// The library in which a fact is tried: a store in memory, a clock that travels, and a record of all that was done.
final class FactLibrary {
    let store: any Store
    let clock: ManualClock
    let desk: Desk
    let zone: Zone
    private(set) var journal: [String] = []

    static let branch = "main"
    static let reader = "reader"

    /// A library of one branch, one reader and item type `book`.
    init(zone: Zone, calendar: OpeningCalendar, at epoch: Instant, store: (any Store)? = nil) throws {
        let store = try store ?? SQLiteStore.open(.memory, create: true)
        self.store = store
        self.zone = zone
        clock = ManualClock(epoch)
        desk = Desk(
            store: store, policies: LuaPolicyLoader(), clock: clock, actor: .desk, extensions: [MarketExtension()])
        try desk.prepare()
        try desk.write { session in
            _ = try session.settings.setLibrary(name: nil, zone: zone, currency: nil).done("zone")
            _ = try session.settings.changeCalendar(of: Self.branch) { $0 = calendar }.done("calendar")
        }
        try addPatron(Self.reader)
    }

    var now: Instant { clock.now() }

    /// Travels to a moment, later or earlier.
    func travel(to instant: Instant) {
        clock.set(instant)
    }

    func note(_ words: String) {
        let local = zone.local(of: now)
        journal.append("\(local.date) \(local.time)  \(words)")
    }

    /// What an operation came to, for the record.
    ///
    /// - Throws: ``NotExpressed`` where the policy failed, which answers nothing.
    @discardableResult
    func noted<Value>(
        _ words: String, _ outcome: Outcome<Value>, _ result: (Value) -> String = { _ in "done" }
    ) throws -> Outcome<Value> {
        switch outcome {
        case .done(let value): note("\(words): \(result(value))")
        case .refused(let refusal):
            note("\(words): refused, \(refusal.code) (\(refusal.message))")
            if refusal.code == Refusal.Code.policyFailed { throw NotExpressed("the policy failed: \(refusal.message)") }
        }
        return outcome
    }

    // MARK: Settings

    func addBranch(_ code: String, calendar: OpeningCalendar = .alwaysOpen) throws {
        guard try desk.read({ try $0.settings.branch(code) }) == nil else { return }
        _ = try desk.write { try $0.settings.addBranch(Branch(code: code, name: code, calendar: calendar)) }
            .done("the branch \(code)")
    }

    func addItemType(_ code: String, parent: String? = nil) throws {
        guard try desk.read({ try $0.settings.itemType(code) }) == nil else { return }
        _ = try desk.write { try $0.settings.addItemType(ItemType(code: code, name: code, parent: parent)) }
            .done("the item type \(code)")
    }

    func addCategory(_ code: String) throws {
        guard try desk.read({ try $0.settings.category(code) }) == nil else { return }
        _ = try desk.write { try $0.settings.addCategory(Category(code: code, name: code)) }
            .done("the category \(code)")
    }

    /// Puts a policy into force, through the language and its checks.
    func activate(_ policy: PolicyText) throws {
        let bundle = try ParsedPolicy(name: "\(policy.name).lua", source: policy.text).bundle
        let outcome = try desk.write { try $0.policies.activate(bundle, note: "conformance") }
        _ = try noted("policy \(policy.name) comes into force", outcome).done("the policy \(policy.name)")
    }

    // MARK: Records

    @discardableResult
    func addPatron(
        _ name: String, category: String = "patron", home: String = FactLibrary.branch, extra: JSONObject = [:]
    ) throws -> Patron {
        try desk.write { session in
            try session.patrons.add(
                Patron(
                    username: name, name: name, email: "\(name)@example.org", category: category, homeBranch: home,
                    extra: extra)
            ).done("the patron \(name)")
        }
    }

    func change(_ patron: String = FactLibrary.reader, _ change: (inout Patron) throws -> Void) throws {
        _ = try desk.write { try $0.patrons.update(.username(patron), change) }.done("the patron \(patron)")
    }

    /// A title with copies whose barcodes begin with its name.
    @discardableResult
    func addTitle(
        _ name: String, copies: Int = 1, branch: String = FactLibrary.branch, itemType: String = "book",
        price: Money? = nil, extra: JSONObject = [:]
    ) throws -> FactTitle {
        try desk.write { session in
            let title = try session.catalogue.add(Title(title: name, authors: ["A. \(name)"], extra: extra))
                .done("the title \(name)")
            guard copies > 0 else { return FactTitle(id: title.id, barcodes: []) }
            let added = try session.catalogue.addCopies(
                of: .id(title.id), count: copies, branch: branch, itemType: itemType,
                barcodes: (1...copies).map { "\(name)-\($0)" }, replacementPrice: price
            ).done("copies of \(name)")
            return FactTitle(id: title.id, barcodes: added.map(\.barcode))
        }
    }
}

/// A title of the fact's library.
struct FactTitle {
    var id: Int64
    var barcodes: [String]
}

extension Outcome {
    /// The value of what must be possible for the fact to be tried at all.
    func done(_ what: String) throws -> Value {
        switch self {
        case .done(let value): return value
        case .refused(let refusal): throw NotExpressed("\(what): the desk refuses it, \(refusal.message)")
        }
    }
}
