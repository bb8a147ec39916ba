package import Circulation

/// Writes random policies in Lua with random properties, the same for the same seed.
///
/// What they read and what they compare it with are drawn from few values, so that cases that name the same meet each other's
/// boundaries.
package struct PolicyWriter {
    var random: SeededGenerator
    /// Of what came later, so that the rest stays the same for the same seed.
    var later: SeededGenerator
    /// The point whose functions are written.
    package let point: DecisionPoint
    /// What may be read here: names of variables by their kind.
    var variables: [Kind: [String]] = [:]
    /// Variables that functions inside may change.
    var changeable: [(name: String, kind: Kind)] = []
    private var names = 0
    /// Functions of the file's top, by what they give; each takes a case and a whole number.
    var functions: [Kind: [String]] = [:]

    /// What an expression is meant to give; now and then it gives something else.
    enum Kind: CaseIterable { case whole, truth, money, text, date, instant, period, any }

    /// A policy, and the properties beside it.
    package struct Text: Sendable {
        package var policy: String
        package var properties: String
        package var point: DecisionPoint

        package init(policy: String, properties: String, point: DecisionPoint) {
            (self.policy, self.properties, self.point) = (policy, properties, point)
        }
    }

    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        later = SeededGenerator(seed: ~seed)
        let points: [DecisionPoint] =
            DecisionPoint.allCases.filter { $0 != .expiry } + [.checkout, .checkout, .checkout, .fine, .renew, .hold]
        let drawn = points[Int.random(in: points.indices, using: &random)]
        var ends = SeededGenerator(seed: seed &* 31 &+ 7)
        point = Double.random(in: 0..<1, using: &ends) < 0.06 ? .expiry : drawn
    }

    package mutating func write() -> Text {
        var lines = [
            "local WORDS = { \"a\", \"b\", \"child\" }", "local STEPS = { child = 1, adult = 3, b = 2, [2] = 5 }",
        ]
        for index in 0..<Int.random(in: 1...4, using: &random) { lines.append(contentsOf: function(index)) }
        if Double.random(in: 0..<1, using: &later) < 0.5 {
            lines.append(walk("walk"))
            functions[.truth, default: []] += ["walk", "walk"]
        }
        let rows = tables()
        var members = ["api = 1", rows]
        for asked in asked() {
            var body = body(of: asked)
            if asked == .price, Double.random(in: 0..<1, using: &later) < 0.6 { body = pricedLines() }
            members.append("\(asked.rawValue) = function(case, rule)\n\(body)\n    end")
        }
        let policy =
            lines.joined(separator: "\n") + "\nreturn policy {\n    " + members.joined(separator: ",\n    ") + "\n}\n"
        return Text(policy: policy, properties: properties(), point: point)
    }

    /// The functions of the policy: that of the point, and now and then that of the due time.
    private mutating func asked() -> [DecisionPoint] {
        if chance(0.1) { return point == .checkout ? [.due] : [] }
        return point == .checkout && chance(0.25) ? [.checkout, .due] : [point]
    }

    // MARK: - Choices

    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    mutating func whole(_ range: ClosedRange<Int> = 0...5) -> Int { Int.random(in: range, using: &random) }

    mutating func name(_ stem: String) -> String {
        names += 1
        // Now and then a name that stands for something else further out.
        return chance(0.15) ? stem : "\(stem)\(names)"
    }

    /// Runs `body`, whose variables are not seen afterwards.
    mutating func inside<Result>(_ body: (inout Self) -> Result) -> Result {
        let (before, changing) = (variables, changeable)
        defer { (variables, changeable) = (before, changing) }
        return body(&self)
    }

    // MARK: - Functions of the file

    private mutating func function(_ index: Int) -> [String] {
        let kind = pick([Kind.truth, .truth, .truth, .whole, .text, .money, .any])
        let name = "f\(index)"
        defer { functions[kind, default: []].append(name) }
        if chance(0.2), kind == .truth {
            // One function of one text, with other values around it.
            functions[.truth, default: []].append("g\(index)")
            let test = inside {
                $0.variables = [.whole: ["k", "n"]]; return $0.truth(2)
            }
            return [
                "local function make\(index)(k) return function(case, n) return \(test) end end",
                "local \(name), g\(index) = make\(index)(\(whole())), make\(index)(\(whole()))",
            ]
        }
        if chance(0.15) {
            let (end, step) = inside { writer in
                writer.variables = [.whole: ["n"]]
                return (writer.expression(kind, 1), writer.truth(1))
            }
            return [
                """
                local function \(name)(case, n)
                    if n <= 0 or n > 8 or \(step) then return \(end) end
                    return \(name)(case, n - 1)
                end
                """
            ]
        }
        let block = inside { writer in
            writer.variables = [.whole: ["n"]]
            return writer.block(2, indent: "    ") { $0.answer(kind) }
        }
        return ["local function \(name)(case, n)\n\(block)\nend"]
    }

    private mutating func answer(_ kind: Kind) -> String {
        if kind == .truth, chance(0.08) { return "return \(truth(1)), \(expression(.any, 1))" }
        if chance(0.06) { return "return" }
        return "return \(expression(chance(0.05) ? .any : kind, 2))"
    }
}
