/// A field of a cron expression: what it counts, what it may say.
struct CronField: Sendable {
    /// As a message calls it.
    let name: String
    let range: ClosedRange<Int>
    /// The highest value that a step without an end reaches.
    let last: Int
    /// Three letters each, in the order of the values from the first on.
    let names: [String]

    static let second = CronField(name: "second", range: 0...59)
    static let minute = CronField(name: "minute", range: 0...59)
    static let hour = CronField(name: "hour", range: 0...23)
    static let dayOfMonth = CronField(name: "day of the month", range: 1...31)
    static let month = CronField(
        name: "month", range: 1...12,
        names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
    /// 0 and 7 are Sunday.
    static let weekday = CronField(
        name: "weekday", range: 0...7, last: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])

    private init(name: String, range: ClosedRange<Int>, last: Int? = nil, names: [String] = []) {
        self.name = name
        self.range = range
        self.last = last ?? range.upperBound
        self.names = names
    }

    /// A number without a sign.
    static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// The value of a number or a name.
    func value(_ text: Substring) throws(CronError) -> Int {
        if let place = names.firstIndex(of: text.lowercased()) { return place + (range.lowerBound == 0 ? 0 : 1) }
        guard let number = Self.number(text), range.contains(number) else {
            throw CronError("'\(text)' is not a valid \(name); expected \(expected)")
        }
        return number
    }

    private var expected: String {
        let numbers = "\(range.lowerBound) to \(range.upperBound)"
        guard let first = names.first, let last = names.last else { return numbers }
        return "\(numbers), or \(first) to \(last)"
    }

    /// The values of an entry without a list: `*`, `5`, `1-5`, `*/10`, `2-10/2`, `5/15`.
    func values(_ entry: Substring) throws(CronError) -> CronValues {
        let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { throw CronError("'\(entry)' has more than one step") }
        let step = parts.count == 2 ? try self.step(parts[1], of: entry) : 1
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        let first: Int
        let last: Int
        switch (parts[0], ends.count) {
        case ("*", _), ("?", _): (first, last) = (range.lowerBound, self.last)
        case (_, 1):
            first = try value(ends[0])
            last = parts.count == 2 ? max(first, self.last) : first
        case (_, 2): (first, last) = (try value(ends[0]), try value(ends[1]))
        default:
            throw CronError("'\(entry)' is not a range; expected two ends, such as \(range.lowerBound)-\(self.last)")
        }
        guard first <= last else {
            throw CronError("The range '\(entry)' goes backwards; write it as two with a comma between them")
        }
        var values = CronValues()
        for value in stride(from: first, through: last, by: step) { values.insert(value) }
        values.isUnrestricted = ["*", "?"].contains(parts[0]) && step == 1
        return values
    }

    private func step(_ text: Substring, of entry: Substring) throws(CronError) -> Int {
        guard let step = Self.number(text), step > 0 else {
            throw CronError("'\(entry)' has no step; expected a number from 1 on behind the slash")
        }
        return step
    }

    /// The entries of a list.
    func entries(_ text: Substring) throws(CronError) -> [Substring] {
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        guard !entries.contains("") else { throw CronError("The \(name) '\(text)' has an empty entry in its list") }
        return entries
    }

    /// The values of a whole field.
    func parse(_ text: Substring) throws(CronError) -> CronValues {
        var values = CronValues()
        for entry in try entries(text) { values.formUnion(try self.values(entry)) }
        return values
    }
}

/// Numbers from 0 to 63.
struct CronValues: Hashable, Sendable {
    private var bits: UInt64 = 0
    /// `*` or `?` stood there, so that the field says nothing.
    var isUnrestricted = false

    var isEmpty: Bool { bits == 0 }

    mutating func insert(_ value: Int) { bits |= 1 << UInt64(value) }

    mutating func formUnion(_ other: CronValues) {
        bits |= other.bits
        isUnrestricted = isUnrestricted || other.isUnrestricted
    }

    func contains(_ value: Int) -> Bool { bits & (1 << UInt64(value)) != 0 }

    /// The least value that is not below `value`.
    func first(atLeast value: Int) -> Int? {
        guard value < 64 else { return nil }
        let rest = bits & (UInt64.max << UInt64(value))
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }
}
