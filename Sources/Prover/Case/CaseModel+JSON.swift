import Circulation
import TextFormats

extension CaseModel {
    /// A case that goes this way, as ``Case/init(json:_:)`` reads it; nil where it is too large to be looked at.
    func json(_ assignment: Assignment) -> JSONObject? {
        let writer = CaseWriter(self, assignment)
        return writer.object()
    }
}

/// Writes what is known of a case.
private final class CaseWriter {
    /// What stands at a place of the case.
    private final class Node {
        var value: JSON?
        var members: [(name: String, node: Node)] = []
        var elements: [Int: Node] = [:]
        var isList = false

        func member(_ name: String) -> Node {
            if let known = members.first(where: { $0.name == name }) { return known.node }
            let node = Node()
            members.append((name, node))
            return node
        }

        func element(_ index: Int) -> Node {
            isList = true
            if let known = elements[index] { return known }
            let node = Node()
            elements[index] = node
            return node
        }

        var json: JSON {
            if let value { return value }
            if isList { return .array(elements.keys.sorted().map { elements[$0]?.json ?? .null }) }
            var object = JSONObject()
            for (name, node) in members { object[name] = node.json }
            return .object(object)
        }
    }

    private let model: CaseModel
    private let assignment: Assignment
    private let root = Node()
    private let looks: Explorer.Looks
    /// Texts that stand nowhere in the sources and fit what is made of them.
    private let made: [Int64: String]

    /// More loans than a person reads.
    private static let mostElements: Int64 = 2_000

    init(_ model: CaseModel, _ assignment: Assignment) {
        let fitting = model.library.map { FittingTexts($0, model.texts, model.path.conditions, assignment) }
        (self.model, self.assignment, made) = (model, fitting?.assignment ?? assignment, fitting?.found ?? [:])
        looks = model.path.allLooks
    }

    func object() -> JSONObject? {
        root.member("point").value = .string(model.point.rawValue)
        if model.domain.currency != .eur { root.member("currency").value = .string(model.domain.currency.code) }
        for read in looks.reads where assignment.value(read.way) ?? false {
            if let json = json(read.value, read.path) { node(read.path).value = json }
        }
        for (path, optional) in model.optionals {
            let isThere = assignment.value(optional.isThere) ?? false
            node(path).value = isThere ? json(optional.value, path) : .null
        }
        for (name, meaning) in looks.chains { writeChain(name, meaning) }
        // Lists within elements of others come first: elements that there are not are gone with them.
        for path in looks.lists.keys.sorted(by: >) where node(path).value == nil {
            guard write(listAt: path) else { return nil }
        }
        writeLoans()
        writeBlocks()
        writeBirthDate()
        writeCalendar()
        return root.json.objectValue
    }

    /// A birth date of which the age follows, where rows of `membership` ask for one.
    private func writeBirthDate() {
        guard assignment.conditions["patron.birth_date is there"] == true,
            assignment.conditions["patron.age is there"] == true, let age = assignment.numbers["patron.age"],
            let day = (try? model.today()).flatMap(assignment.value),
            let born = try? CivilDate(dayNumber: day).adding(months: -12 * age)
        else { return }
        root.member("patron").member("birth_date").value = .string(born.description)
    }

    private func node(_ path: String) -> Node {
        path.split(separator: ".").reduce(root) { node, part in
            guard let bracket = part.firstIndex(of: "["),
                let index = Int(part[part.index(after: bracket)...].dropLast())
            else { return node.member(String(part)) }
            return node.member(String(part[..<bracket])).element(index)
        }
    }

    private func json(_ value: Value, _ path: String) -> JSON? {
        switch value {
        case .null: return .null
        case .flag(let condition): return .bool(assignment.value(condition) ?? false)
        case .integer(let number): return assignment.value(number).map { .integer($0) }
        case .text(.known(let text)): return .string(text)
        case .text(.symbol(let number)):
            // What belongs to a chain is written with it.
            if case .variable(let variable) = number, looks.chains[variable.name] != nil { return nil }
            return assignment.value(number).map { .string(made[$0] ?? model.texts.word($0)) }
        case .money(let number):
            return assignment.value(number).map {
                .string(Money(minorUnits: $0, currency: model.domain.currency).description)
            }
        case .date(let number):
            return assignment.value(number).flatMap { try? CivilDate(dayNumber: $0) }.map { .string($0.description) }
        case .instant(let number, _):
            return assignment.value(number).map { .string(Instant(microseconds: $0).description) }
        case .period(let count, let unit): return assignment.value(count).map { .string(Period($0, unit).isoText) }
        case .opaque(let name):
            return .number(Fraction.number(at: assignment.numbers[Fraction.name(name)] ?? Fraction.steps / 2))
        default: return nil
        }
    }

    private func writeChain(_ name: String, _ meaning: CaseMeaning) {
        let codes = Chain.codes(name, model.domain.codes.tree(meaning), in: assignment, model.texts)
        guard let codes, let first = codes.first else { return }
        let isAlone = codes.count == 1 || name == "hold.category"
        node(name).value = isAlone ? .string(first) : .array(codes.map { .string($0) })
    }

    /// - Returns: false for a list that is too long.
    private func write(listAt path: String) -> Bool {
        let list = node(path)
        list.isList = true
        let length = assignment.numbers["#\(path)"] ?? 0
        guard length <= Self.mostElements else { return false }
        let isOfTexts = looks.lists[path] ?? false
        var members = isOfTexts ? self.members(of: path) : []
        // Of those behind the ones that are looked at one by one, some are known by what holds of them; one stands for all others.
        let behind = list.elements.keys.filter { $0 < 0 }.sorted(by: >)
        let known = (List.firstOfRounds + 1)...List.firstWitness
        let standing = behind.first { !known.contains(Int64($0)) }.flatMap { list.elements[$0] }
        var witnesses = behind.filter { known.contains(Int64($0)) }.compactMap { list.elements[$0] }
        for index in behind { list.elements[index] = nil }
        let texts = Set(list.elements.values.compactMap { $0.value?.stringValue })
        members.removeAll(where: texts.contains)
        for index in stride(from: 1, through: Int(length), by: 1) where list.elements[index] == nil {
            let element = list.element(index)
            if let other = witnesses.popLast() ?? standing {
                (element.value, element.members) = (other.value, other.members)
            }
            guard isOfTexts, element.value == nil else { continue }
            element.value = .string(members.isEmpty ? other(of: path, index) : members.removeFirst())
        }
        for index in list.elements.keys where index > Int(length) { list.elements[index] = nil }
        return true
    }

    /// A text of a list of which nothing is known.
    private func other(of path: String, _ index: Int) -> String {
        guard path.hasSuffix(".actions") else { return "other \(index)" }
        // These are words that the desk fixes.
        return CaseModel.actions.last { assignment.conditions["\(path) has \($0)"] != false } ?? CaseModel.actions[0]
    }

    /// The texts that a list has.
    private func members(of path: String) -> [String] {
        let prefix = "\(path) has "
        return assignment.conditions.filter { $0.value && $0.key.hasPrefix(prefix) }
            .map { String($0.key.dropFirst(prefix.count)) }.sorted()
    }

    private func writeLoans() {
        if let counts = model.loanCounts {
            var kinds: [LoanCounts.Kind] = []
            for kind in counts.kinds {
                kinds += Array(
                    repeating: kind,
                    count: Int(clamping: min(assignment.value(kind.count) ?? 0, Self.mostElements)))
            }
            for path in ["patron.loans", "request.granted"] where looks.lists[path] != nil {
                let list = node(path)
                for index in list.elements.keys.sorted() {
                    let kind = kinds.popLast()
                    let element = list.element(index).member("item_type")
                    if element.value == nil {
                        let types = kind?.itemTypes ?? []
                        element.value = .array((types.isEmpty ? ["other"] : types).map { .string($0) })
                    }
                    if kind?.isClaimed == true {
                        let claimed = list.element(index).member("claimed")
                        claimed.value = claimed.value ?? true
                    }
                }
            }
        }
        writeWindows()
        if assignment.conditions["patron.loans have the title"] == true {
            let id = root.member("title").members.first { $0.name == "id" }?.node.value ?? .integer(1)
            let title = node("patron.loans").element(1).member("title")
            title.value = title.value ?? id
        }
    }

    /// Loans of windows, or of the title, so that rows of `limits` count as many as this way has them count.
    private func writeWindows() {
        for (row, count) in model.loanCounts?.windows ?? [] {
            let isOpen = row.within == nil
            let list = node(isOpen ? "patron.loans" : "patron.history")
            guard isOpen || looks.lists["patron.history"] == nil else { continue }
            list.isList = true
            let number = Int(clamping: min(assignment.value(count) ?? 0, Self.mostElements))
            let first = isOpen ? 0 : list.elements.keys.max() ?? 0
            for place in 0..<number { write(row, at: list.element(first + place + 1)) }
        }
    }

    private func write(_ row: LimitRow, at loan: Node) {
        let conditions = row.conditions
        if row.isPerTitle {
            loan.member("title").value =
                root.member("title").members.first { $0.name == "id" }?.node.value ?? .integer(1)
        }
        for (name, codes) in [
            ("item_type", conditions.itemTypes), ("branch", conditions.branches),
            ("copy_branch", conditions.copyBranches), ("channel", conditions.channels),
        ] {
            let member = loan.member(name)
            if member.value == nil { member.value = codes?.first.map { .string($0) } ?? member.value }
            if member.value == nil { loan.members.removeAll { $0.name == name } }
        }
        if let onSite = conditions.onSite { loan.member("on_site").value = .bool(onSite) }
    }

    /// A calendar that moves dates as this way takes it; none where it moves none.
    private func writeCalendar() {
        var closed: [JSON] = []
        for closure in looks.closures where assignment.value(closure.way) ?? false {
            guard let first = assignment.value(closure.first), let last = assignment.value(closure.last), first <= last,
                let start = try? CivilDate(dayNumber: first), let end = try? CivilDate(dayNumber: last)
            else { continue }
            let days = JSON.array([.string(start.description), .string(end.description)])
            if !closed.contains(days) { closed.append(days) }
        }
        if !closed.isEmpty { root.member("calendar").value = ["closed": .array(closed)] }
    }

    /// Blocks that the desk finds, where the policy looks at none: those that it looks at are written already.
    private func writeBlocks() {
        let blocks = node("patron").member("blocks")
        for (isSuspension, kind) in [(false, "block"), (true, PatronBlock.suspensionKind)] {
            guard looks.lists[CaseModel.blocks] == nil, let name = CaseModel.blockNames[isSuspension],
                assignment.conditions[name] == true
            else { continue }
            blocks.element((blocks.elements.keys.max() ?? 0) + 1).member("kind").value = .string(kind)
        }
        if blocks.elements.isEmpty && !blocks.isList { root.member("patron").members.removeAll { $0.name == "blocks" } }
    }
}
