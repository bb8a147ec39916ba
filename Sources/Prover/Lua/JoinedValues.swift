// Values that several ways come to, put together as one of which the case decides what it is.

extension Value {
    private var condition: Condition? {
        if case .flag(let condition) = self { condition } else { nil }
    }

    /// What several ways come to; nil for values that cannot be put together.
    ///
    /// - Parameters:
    ///   - parts: what all ways come to, of which a case goes one.
    ///   - start: what it was before.
    static func joined(
        _ parts: [(way: Condition, value: Value)], from start: Value, _ texts: Texts
    ) -> Value? {
        func conditions() -> [(way: Condition, value: Condition)]? {
            let pairs = parts.compactMap { part in part.value.condition.map { (way: part.way, value: $0) } }
            return pairs.count == parts.count ? pairs : nil
        }
        func numbers(_ number: (Value) -> Number?) -> Number? {
            let pairs = parts.compactMap { part in number(part.value).map { (way: part.way, value: $0) } }
            guard pairs.count == parts.count else { return nil }
            // What is added is put together, so that what was there before stands in it once.
            if let before = number(start) {
                let added = pairs.compactMap { pair in pair.value.beyond(before).map { (way: pair.way, value: $0) } }
                if added.count == pairs.count { return before + .joined(added) }
            }
            return .joined(pairs)
        }
        switch parts.first?.value {
        case .flag?: return conditions().map { .flag(.joined($0)) }
        case .integer?: return numbers { if case .integer(let value) = $0 { value } else { nil } }.map { .integer($0) }
        case .money?: return numbers { if case .money(let value) = $0 { value } else { nil } }.map { .money($0) }
        case .date?: return numbers { if case .date(let value) = $0 { value } else { nil } }.map { .date($0) }
        case .instant(_, let nature)?:
            return numbers { if case .instant(let value, nature) = $0 { value } else { nil } }
                .map { .instant($0, nature) }
        case .text?:
            if let first = parts.first?.value, case .text(let text) = first,
                parts.allSatisfy({ if case .text(text) = $0.value { true } else { false } })
            {
                return first
            }
            return numbers { if case .text(let text) = $0 { texts.number(of: text) } else { nil } }
                .map { .text(.symbol($0)) }
        case .null?: return parts.allSatisfy(\.value.isNull) ? .null : nil
        default: return nil
        }
    }
}

extension Number {
    /// One of several numbers, by which way a case goes.
    fileprivate static func joined(_ parts: [(way: Condition, value: Number)]) -> Number {
        let groups = parts.grouped()
        return groups.dropLast().reversed().reduce(groups.last?.value ?? .constant(0)) {
            .either($1.way, $1.value, $0)
        }
    }
}

extension Condition {
    /// One of several conditions, by which way a case goes.
    fileprivate static func joined(_ parts: [(way: Condition, value: Condition)]) -> Condition {
        // What is known goes first: of the others only they themselves are left.
        let groups = parts.grouped()
        let known = groups.filter { $0.value.constant != nil } + groups.filter { $0.value.constant == nil }
        return known.dropLast().reversed().reduce(known.last?.value ?? .constant(false)) { rest, part in
            switch (part.value, rest) {
            case (.constant(true), _): part.way || rest
            case (.constant(false), _): part.way.negated && rest
            default: part.way && part.value || part.way.negated && rest
            }
        }
    }
}

extension Array {
    /// Each value once, with all ways that come to it.
    fileprivate func grouped<Part: Hashable>() -> [(way: Condition, value: Part)]
    where Element == (way: Condition, value: Part) {
        var groups: [(way: Condition, value: Part)] = []
        for (way, value) in self {
            if let index = groups.firstIndex(where: { $0.value == value }) {
                groups[index].way = groups[index].way || way
            } else {
                groups.append((way, value))
            }
        }
        return groups
    }
}
