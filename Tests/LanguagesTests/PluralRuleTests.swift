import Testing

@testable import Languages

@Suite("Plural rules")
struct PluralRuleTests {
    /// Rules as GNU gettext's manual lists them, with numbers and the forms that they take.
    @Test(
        "numbers take the forms of their language",
        arguments: [
            ("nplurals=1; plural=0;", [(0, 0), (1, 0), (5, 0)]),
            ("nplurals=2; plural=n > 1;", [(0, 0), (1, 0), (2, 1)]),
            ("nplurals=2; plural=(n != 1);", [(0, 1), (1, 0), (-1, 0), (2, 1)]),
            (
                "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;",
                [(1, 0), (2, 1), (5, 2), (11, 2), (12, 2), (21, 0), (22, 1), (111, 2)]
            ),
            (
                "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
                [(0, 0), (1, 1), (2, 2), (3, 3), (10, 3), (11, 4), (99, 4), (100, 5), (102, 5), (103, 3)]
            ),
        ] as [(String, [(Int64, Int)])])
    func forms(text: String, numbers: [(Int64, Int)]) throws {
        let rule = try #require(PluralRule(text))
        for (number, form) in numbers { #expect(rule.form(of: number) == form, "\(number)") }
    }

    @Test(
        "what is no rule is none",
        arguments: [
            "", "nplurals=2;", "plural=n;", "nplurals=0; plural=0;", "nplurals=2; plural=n ! 1;",
            "nplurals=2; plural=(n;",
            "nplurals=2; plural=n ? 1;", "nplurals=2; plural=system(1);", "nplurals=99; plural=n;",
            "nplurals=2; plural=" + String(repeating: "(", count: 400) + "n" + String(repeating: ")", count: 400),
            "nplurals=2; plural=" + String(repeating: "!", count: 400) + "n",
        ])
    func none(text: String) { #expect(PluralRule(text) == nil) }

    @Test("a rule beyond its forms takes the last, and divides nothing by nothing")
    func bounds() throws {
        #expect(try #require(PluralRule("nplurals=2; plural=n;")).form(of: 7) == 1)
        #expect(try #require(PluralRule("nplurals=2; plural=n % 0 + n / 0;")).form(of: .min) == 0)
    }
}
