import ForeignFacts
import TextFormats

/// Facts that expect something else than they did.
enum Perturbation {
    static func of(_ fact: Fact) -> Fact {
        var other = fact
        for entry in fact.expect { other.expect[entry.key] = changed(entry.value) }
        return other
    }

    /// Dates a day later, numbers and amounts one more, the opposite of yes and no, other words.
    static func changed(_ value: JSON) -> JSON {
        switch value {
        case .null: .string("something")
        case .bool(let flag): .bool(!flag)
        case .integer(let number): .integer(number + 1)
        case .number(let number): .number(number + 1)
        case .string(let text): .string(changed(text))
        case .array(let list): list.isEmpty ? .array(["something"]) : .array(list.map(changed))
        case .object(let object): changed(object)
        }
    }

    private static func changed(_ object: JSONObject) -> JSON {
        var other = object
        for entry in object { other[entry.key] = changed(entry.value) }
        return .object(other)
    }

    /// The last digit of a date's day or of an amount becomes another; other texts get a word more.
    private static func changed(_ text: String) -> String {
        let isDate = text.count >= 10 && text.prefix(10).allSatisfy { $0.isNumber || $0 == "-" }
        let end = isDate ? text.index(text.startIndex, offsetBy: 10) : text.endIndex
        let head = text[..<end]
        guard let digit = head.last?.wholeNumberValue, isDate || head.allSatisfy({ $0.isNumber || "-.".contains($0) })
        else { return text + " indeed" }
        return head.dropLast() + "\((digit + 1) % 10)" + text[end...]
    }
}

extension Perturbation {
    /// A neutral fact in which each expectation that still reads is another, with the names of those.
    static func ofNeutral(_ fact: JSONObject) -> (fact: JSONObject, fields: Set<String>) {
        var (other, fields) = (fact, Set<String>())
        for entry in fact["expect"]?.objectValue ?? [:] {
            var expect = other["expect"]?.objectValue ?? [:]
            expect[entry.key] = changed(entry.value)
            take(entry.key, "expect", .object(expect), &other, &fields)
        }
        for (index, step) in (fact["steps"]?.arrayValue ?? []).enumerated() {
            for entry in step["expect"]?.objectValue ?? [:] {
                guard var steps = other["steps"]?.arrayValue, var object = steps[index].objectValue else { continue }
                var expect = object["expect"]?.objectValue ?? [:]
                expect[entry.key] = changed(entry.value)
                object["expect"] = .object(expect)
                steps[index] = .object(object)
                take("steps[\(index + 1)].\(entry.key)", "steps", .array(steps), &other, &fields)
            }
        }
        return (other, fields)
    }

    private static func take(
        _ name: String, _ key: String, _ value: JSON, _ fact: inout JSONObject, _ fields: inout Set<String>
    ) {
        var other = fact
        other[key] = value
        guard (try? Fact.reading(Array(JSON.object(other).text().utf8))) != nil else { return }
        fact = other
        fields.insert(name)
    }
}
