import Circulation
import Prover
import TextFormats

/// What rows ask of a case, as one case has it: each code with those above it.
struct RowWitness: Hashable {
    var categories: [String]
    var itemTypes: [String]
    var branches: [String]
    var copyBranches: [String]
    var homeBranches: [String]
    var location: String?
    var channel: String?
    var onSite: Bool

    /// The codes in a case as a file has it.
    func write(to object: inout JSONObject, at point: DecisionPoint) {
        var patron = object["patron"]?.objectValue ?? [:]
        patron["category"] = Self.chain(categories)
        patron["home_branch"] = Self.chain(homeBranches)
        object["patron"] = patron.isEmpty ? nil : .object(patron)
        var copy = object["copy"]?.objectValue ?? [:]
        copy["item_type"] = Self.chain(itemTypes)
        copy["branch"] = Self.chain(copyBranches)
        copy["location"] = location.map { .string($0) }
        if !copy.isEmpty, point != .request { object["copy"] = .object(copy) }
        object["branch"] = Self.chain(branches)
        if let channel { object["actor"] = ["channel": .string(channel)] }
        if onSite {
            let part = point.isAboutLoan ? "loan" : "request"
            var fields = object[part]?.objectValue ?? [:]
            fields["on_site"] = true
            object[part] = .object(fields)
        }
    }

    private static func chain(_ codes: [String]) -> JSON? {
        codes == [RowWitnesses.other] ? nil : codes.count == 1 ? .string(codes[0]) : .array(codes.map { .string($0) })
    }

    /// The same in a case that is asked about again and again.
    func fill(_ question: inout Case) {
        question.patron.categories = categories
        question.patron.homeBranches = homeBranches
        question.copy?.itemTypes = itemTypes
        question.copy?.branches = copyBranches
        question.copy?.location = location
        question.branches = branches
        question.request?.onSite = onSite
        question.actor.channel = channel.flatMap(ActorFacts.Channel.init(rawValue:)) ?? .desk
    }
}

/// Finds codes of a case that meets two rows.
///
/// Where any code may lie below any other, a case needs no more than one code for each condition of either row: with more of
/// them it meets more rows, not fewer.
struct RowWitnesses {
    private let codes: ProofDomain.Codes

    /// What stands for a code that no row names.
    static let other = "other"
    /// More combinations of codes are not tried.
    private static let most = 4_096

    /// The conditions that any row has.
    private let used: Set<String>

    init(_ codes: ProofDomain.Codes, rows: [RowConditions]) {
        self.codes = codes
        used = Set(RowConditions.names.filter { name in rows.contains { $0.has(name) } })
    }

    /// Whether one is found that a case accepts; nil: there are too many to be tried.
    func find(_ one: RowConditions, _ other: RowConditions, _ accepts: (RowWitness) throws -> Bool) rethrows -> Bool? {
        var left = Self.most
        if let wanted = one.onSite, other.onSite == !wanted { return false }
        let onSite = (one.onSite ?? other.onSite).map { [$0] } ?? (used.contains("on_site") ? [false, true] : [false])
        for codes in allCodes(one, other) {
            for channel in channels(one.channels, other.channels) {
                for onSite in onSite {
                    left -= 1
                    if left < 0 { return nil }
                    let witness = RowWitness(
                        categories: codes[0], itemTypes: codes[1], branches: codes[2], copyBranches: codes[3],
                        homeBranches: codes[4], location: codes[5].first, channel: channel, onSite: onSite)
                    if try accepts(witness) { return true }
                }
            }
        }
        return false
    }

    /// Codes for each condition, all combinations as they are asked for.
    private func allCodes(_ one: RowConditions, _ other: RowConditions) -> some Sequence<[[String]]> {
        let choices = [
            chains("category", one.categories, other.categories, codes.categories),
            chains("item_type", one.itemTypes, other.itemTypes, codes.itemTypes),
            chains("branch", one.branches, other.branches, codes.branches),
            chains("copy_branch", one.copyBranches, other.copyBranches, codes.branches),
            chains("home_branch", one.homeBranches, other.homeBranches, codes.branches),
            locations(one.locations, other.locations),
        ]
        let count = choices.reduce(1) { $0.multipliedReportingOverflow(by: $1.count).partialValue }
        return (0..<min(max(count, 0), Self.most + 1)).lazy.map { index in
            var rest = index
            return choices.map { chains in
                defer { rest /= chains.count }
                return chains[rest % chains.count]
            }
        }
    }

    /// Those that meet both conditions, each alone, and none where it need not be.
    private func locations(_ one: [String]?, _ other: [String]?) -> [[String]] {
        let all = (one ?? other ?? []).filter { other?.contains($0) ?? true }.map { [$0] }
        return one == nil && other == nil ? [[]] : all
    }

    private func channels(_ one: [String]?, _ other: [String]?) -> [String?] {
        let all = ActorFacts.Channel.allCases.map(\.rawValue)
        guard used.contains("channel") else { return [nil] }
        return all.filter { (one?.contains($0) ?? true) && (other?.contains($0) ?? true) }
    }

    /// Codes with those above them that meet both conditions.
    private func chains(
        _ name: String, _ one: [String]?, _ other: [String]?, _ tree: [String: [String]]?
    ) -> [[String]] {
        guard used.contains(name) else { return [[Self.other]] }
        if let tree {
            let chains = tree.sorted { $0.key < $1.key }.map { [$0.key] + $0.value }
            return chains.filter { chain in
                [one, other].allSatisfy { wanted in wanted.map { $0.contains(where: chain.contains) } ?? true }
            }
        }
        switch (one, other) {
        case (nil, nil): return [[Self.other]]
        case (let wanted?, nil), (nil, let wanted?): return wanted.map { [$0] }
        case (let wanted?, let otherWanted?):
            let common = wanted.filter(otherWanted.contains).map { [$0] }
            let pairs = wanted.flatMap { code in otherWanted.filter { $0 != code }.map { [code, $0] } }
            return common + pairs + pairs.map { $0.reversed() }
        }
    }
}
