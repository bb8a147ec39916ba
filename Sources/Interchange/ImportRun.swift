import Circulation
import Storage
import TextFormats

/// What an import has to remember from one record of a file to the next.
///
/// An export calls records by the ids that they had. Where those are free they stay; where they are not, later records of the
/// same file are led to the new ones from here. It holds nothing for records that kept their ids, so that it stays small.
final class ImportRun {
    let tally: RowCounter
    private var moved: [Kind: [Int64: Int64]] = [:]
    /// Titles without an ISBN that a record of the file stands for already, so that a second one that says the same is
    /// another title.
    private var claimedTitles: Set<Int64> = []
    /// Of titles that say the same, the last one before which the file stands for all.
    private var claimedThrough: [Identity: Int64] = [:]
    /// The activations of policies that came from the file.
    var activations: Set<Int64> = []
    /// Whether the file is a whole library that comes into another one.
    var joinsLibrary = false
    /// Item types whose parent comes later in the file, by that parent.
    var waitingForParent: [String: [String]] = [:]

    /// What refers to patrons who come later in the file.
    var waitingReferences: [WaitingReference] = []
    /// Guardians who come later in the file.
    var waitingGuardians: [WaitingGuardian] = []
    /// Whether records are compared with those that are there: those of a library that comes back whole are not.
    var looksForDuplicates = true
    /// How many records of the file are likely duplicates.
    var duplicates = 0
    /// Where the record in hand stands.
    var (file, line) = ("", 0)
    /// What the places of the file's records are called.
    var unit = "line"
    /// Whether the row in hand stands for one record and nothing else.
    var isAlone = true
    /// What becomes of a later record of the file with the key of an earlier one.
    let repeated: RepeatedRecords
    /// How many keys were met.
    var serial: Int64 = 0
    /// The keys that the record in hand is the first to have.
    var keysOfRecord: [String] = []

    /// The codes that the record in hand is the first to use.
    private var declared: [UndescribedCode] = []
    private var unnamedLocations: Set<String> = []
    /// What was found out about the record in hand, which is taken nevertheless.
    private var warnings: [RefusedRecord] = []

    enum Kind: String, Hashable { case title, patron, loan, hold, entry, notice, listing, order, rental, suggestion }

    /// What two titles without an ISBN have in common that are taken to be the same.
    struct Identity: Hashable {
        let title: String
        let authors: [String]
        let year: Int64?

        init(_ title: Title) {
            self.title = TextFolding.folded(title.title)
            authors = title.authors
            year = title.year
        }
    }

    /// Copies of the file that are out without a loan, as its titles say.
    var given: [GivenCopies] = []
    /// Of the passwords of the file.
    let passwords: PasswordApplier
    /// What the library chose for the loans of the file.
    let arrivals: ArrivalChoice
    /// What became of the loans of the record in hand.
    private var arrived = ArrivalReport()

    init(
        tally: RowCounter, arrivals: ArrivalChoice = ArrivalChoice(), repeated: RepeatedRecords = .refuse,
        passwords: PasswordApplier = .none
    ) {
        self.tally = tally
        self.passwords = passwords
        self.arrivals = arrivals
        self.repeated = repeated
    }

    /// Takes a record in hand.
    func begin(_ record: ReadRecord) {
        (file, line) = (record.file, record.line)
        unit = record.translation?.record == nil ? "line" : "record"
        isAlone = record.records.count == 1
        keysOfRecord = []
    }

    func note(_ change: (inout ArrivalReport) -> Void) { change(&arrived) }

    /// What became of the loans of the record in hand, which stands there.
    func takeArrivals() -> ArrivalReport {
        defer { arrived = ArrivalReport() }
        for place in arrived.examples.indices {
            (arrived.examples[place].file, arrived.examples[place].line) = (file, line)
        }
        return arrived
    }

    /// Notes under which id a record of the file is in the store.
    func note(_ kind: Kind, _ id: Int64?, isNow stored: Int64) {
        guard let id, id != 0 else { return }
        if kind == .title { claimedTitles.insert(stored) }
        if id != stored || moved[kind]?[id] != nil { moved[kind, default: [:]][id] = stored }
    }

    /// - Parameter other: the other record that the warning is about.
    func warn(_ field: String?, _ code: String, _ message: String, other: JSON? = nil) {
        var warning = RefusedRecord(field: field, code: code, message: message)
        warning.other = other
        warnings.append(warning)
    }

    func hasWarned(of code: String) -> Bool { warnings.contains { $0.code == code } }

    func declare(_ kind: UndescribedCode.Kind, _ code: String) { declared.append(UndescribedCode(kind, code)) }

    /// Notes once that a location has no name; those of a file in which each copy has its own are not all noted.
    func meet(unnamedLocation code: String) {
        guard unnamedLocations.count < ArrivalReport.mostCodes, unnamedLocations.insert(code).inserted else { return }
        declare(.location, code)
    }

    /// Forgets the codes of the record in hand, which is refused.
    func forgetDeclared() {
        for code in takeDeclared() where code.kind == .location { unnamedLocations.remove(code.code) }
    }

    func takeDeclared() -> [UndescribedCode] {
        defer { declared = [] }
        return declared
    }

    func takeWarnings() -> [RefusedRecord] {
        defer { warnings = [] }
        return warnings
    }

    /// The store's id of what the file calls by this one.
    func stored(_ kind: Kind, _ id: Int64) -> Int64 { moved[kind]?[id] ?? id }

    func isClaimed(title id: Int64) -> Bool { claimedTitles.contains(id) }

    func isClaimed(title id: Int64, under own: Int64) -> Bool {
        claimedTitles.contains(id) && stored(.title, own) == id
    }

    /// The title of those alike up to which, by id, the file stands for each.
    func claimedThrough(_ identity: Identity) -> Int64 { claimedThrough[identity] ?? .min }

    /// Notes that the file stands for each of those alike up to this one.
    func claim(_ identity: Identity, through id: Int64) {
        claimedThrough[identity] = max(id, claimedThrough(identity))
    }

    /// A key with the store's ids in place of the file's: `charge:loan:17:...`, and of a patron's own line `payment:3#12`.
    func rewritten(_ key: String) -> String {
        if moved.isEmpty { return key }
        var words = key.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        for place in words.indices.dropFirst() {
            if let kind = Kind(rawValue: words[place - 1]), let id = Int64(words[place]) {
                words[place] = String(stored(kind, id))
            }
        }
        if words.count > 1, LedgerEntry.Kind(rawValue: words[0]) != nil { words[1] = rewritten(account: words[1]) }
        return words.joined(separator: ":")
    }

    /// The patron at the head of an account's key, and the line that stands behind a `#`.
    private func rewritten(account text: String) -> String {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let patron = Int64(digits) else { return text }
        let rest = text.dropFirst(digits.count)
        let entry = rest.first == "#" ? Int64(rest.dropFirst()).map { "#\(stored(.entry, $0))" } : nil
        return "\(stored(.patron, patron))\(entry ?? String(rest))"
    }
}
