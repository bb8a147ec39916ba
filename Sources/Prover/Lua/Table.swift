/// A table that a policy makes.
final class Table {
    private var content: [Key: Value] = [:]
    private var keys: [Key] = []
    /// How often anything of it was asked for.
    private(set) var reads = 0
    /// How often anything of it was changed.
    private(set) var writes = 0
    /// Whether it was made when the policy was loaded, and so stays as it is.
    var isFrozen = false
    /// After so many rounds of loops that stand for all rounds it was made.
    var age = 0
    /// Whether it has the functions of one of Lua's libraries, of which not all are known.
    var isOfLibrary = false
    /// Within how many conditions of several ways it was made: outside of all where that is not known.
    var depth = 0
    /// Elements of which there are any number, behind those that are known.
    var tail: Tail? { didSet { writes += 1 } }

    struct Tail {
        /// How many there are; none, perhaps.
        let count: Number
        /// The one that stands for all, another one each time.
        let element: () throws -> (value: Value, origin: Standing)
        /// What stands behind them.
        var after: [Value] = []
    }

    enum Key: Hashable, Comparable {
        case text(String)
        case integer(Int64)
        case flag(Bool)

        private var rank: Int {
            switch self {
            case .integer(let number): number > 0 ? 0 : 1
            case .text: 2
            case .flag: 3
            }
        }

        static func < (left: Key, right: Key) -> Bool {
            switch (left, right) {
            case (.integer(let one), .integer(let other)) where left.rank == right.rank: one < other
            case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
            case (.flag(let one), .flag(let other)): !one && other
            default: left.rank < right.rank
            }
        }
    }

    init(_ fields: [(String, Value)] = []) {
        for (name, value) in fields { self[.text(name)] = value }
    }

    init(list: [Value]) {
        for (index, value) in list.enumerated() { self[.integer(Int64(index + 1))] = value }
    }

    var fields: [Key: Value] {
        reads += 1
        return content
    }

    /// The keys in the order in which they were set first.
    var order: [Key] {
        reads += 1
        return keys
    }

    subscript(key: Key) -> Value {
        get { fields[key] ?? .null }
        set {
            writes += 1
            if newValue.isNull {
                if content.removeValue(forKey: key) != nil { keys.removeAll { $0 == key } }
            } else if content.updateValue(newValue, forKey: key) == nil {
                keys.append(key)
            }
        }
    }

    subscript(name: String) -> Value { self[.text(name)] }

    /// How many elements it has from 1 on.
    var length: Int64 {
        var length: Int64 = 0
        reads += 1
        while content[.integer(length + 1)] != nil { length += 1 }
        return length
    }

    /// How many elements it has, those of which there are any number among them.
    var size: Number {
        tail.map { .constant(length) + $0.count + .constant(Int64($0.after.count)) } ?? .constant(length)
    }

    /// It itself, where all elements are known.
    func whole(at site: Site) throws -> Table {
        if tail != nil { throw site.unsettled("a list of which the length is not known, taken apart") }
        return self
    }

    /// Whether elements stand behind one that is missing: then Lua may say either length.
    var hasGaps: Bool {
        let length = length
        return order.contains { if case .integer(let index) = $0 { index > length } else { false } }
    }

    /// The keys as policies go through them: whole numbers from 1 on, those below, texts by their bytes, false, true.
    var keysInOrder: [Key] { order.sorted(by: <) }

    var elements: [Value] { length == 0 ? [] : (1...length).map { self[.integer($0)] } }
}

/// Which elements one stands for of which there are any number.
struct Standing {
    /// As names of variables tell it from others.
    let name: String
    /// The same of the one that stands for all of its list behind those that are looked at one by one; nil where it is not one of these.
    var common: String?
    /// What is so of all of them, where they are not all that their list has there.
    var condition: Condition?

    /// The element at a place of a list, which stands for others.
    static func element(_ place: Int64, of list: List) -> Standing {
        Standing(name: list.element(named: place), common: list.element(named: List.any))
    }

    /// What adding up is called that is the same for whichever of the elements it is said.
    func sum(of addition: Number) -> String {
        let which = condition.map { " where \($0.smt)" } ?? ""
        return "sum of \((addition.smt + which).replacing(name, with: common ?? name))"
    }
}
