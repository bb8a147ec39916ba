import CLua
import LuaSyntax
import TestSupport
import Testing

@Suite("Expressions are read as Lua reads them")
struct ExpressionTests {
    @Test(
        "operators bind by Lua's precedence and associativity",
        arguments: [
            ("a + b * c", "(a + (b * c))"), ("a * b + c", "((a * b) + c)"), ("a - b - c", "((a - b) - c)"),
            ("a ^ b ^ c", "(a ^ (b ^ c))"), ("-a ^ b", "(- (a ^ b))"), ("a ^ -b", "(a ^ (- b))"),
            ("a .. b .. c", "(a .. (b .. c))"), ("a .. b + c", "(a .. (b + c))"), ("not a == b", "((not a) == b)"),
            ("a or b and c", "(a or (b and c))"), ("a and b or c and d", "((a and b) or (c and d))"),
            ("a < b == c", "((a < b) == c)"), ("a | b ~ c & d", "(a | (b ~ (c & d)))"),
            ("a & b << c + d", "(a & (b << (c + d)))"), ("a << b >> c", "((a << b) >> c)"),
            ("a // b % c", "((a // b) % c)"), ("#a .. b", "((# a) .. b)"), ("~a ~ ~b", "((~ a) ~ (~ b))"),
            ("(a + b) * c", "(<(a + b)> * c)"), ("a == b ~= c", "((a == b) ~= c)"), ("2 ^ 3 * 4", "((2 ^ 3) * 4)"),
            ("a .. b == c .. d", "((a .. b) == (c .. d))"), ("- - a", "(- (- a))"),
        ])
    func precedence(source: String, tree: String) throws {
        #expect(try returned(source).map(TreePrinter.text) == [tree])
    }

    @Test(
        "fields, indices, calls and methods follow one another",
        arguments: [
            ("a.b[c].d", "a.b[c].d"), ("f 'x' {1} (2)", #"f("x")({1: 1})(2)"#), ("a:b(1):c'd'", #"a:b(1):c("d")"#),
            ("('x'):rep(3)", #"<"x">:rep(3)"#), ("f\n(g)", "f(g)"), ("f(g)(...)", "f(g)(...)"),
            ("{ 1, x = 2, [3] = 4; 5 }", "{1: 1, x: 2, [3]: 4, 2: 5}"), ("function(a, b) end", "function/2"),
        ])
    func suffixes(source: String, tree: String) throws {
        #expect(try returned(source).map(TreePrinter.text) == [tree])
    }

    @Test(
        "string escapes stand for their bytes",
        arguments: [
            (#""\a\b\f\n\r\t\v\\\"\'""#, [7, 8, 12, 10, 13, 9, 11, 92, 34, 39]), (#""\x41\xfF""#, [0x41, 0xFF]),
            (#""\0\65\0651\255""#, [0, 65, 65, 0x31, 255]),
            (#""\u{0}\u{7F}\u{80}\u{7FF}""#, [0, 0x7F, 0xC2, 0x80, 0xDF, 0xBF]),
            (#""\u{20AC}\u{10FFFF}""#, [0xE2, 0x82, 0xAC, 0xF4, 0x8F, 0xBF, 0xBF]),
            (#""\u{7FFFFFFF}""#, [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]), (#""\u{0000000041}""#, [0x41]),
            ("'a\\z \n\t b'", [0x61, 0x62]), ("'a\\\r\nb'", [0x61, 10, 0x62]),
            ("[[\r\na\r\nb\n\rc]]", [0x61, 10, 0x62, 10, 0x63]),
            ("[==[]]]=]]==]", [0x5D, 0x5D, 0x5D, 0x3D, 0x5D]), ("''", []), ("[[]]", []),
        ] as [(String, [UInt8])])
    func strings(source: String, bytes: [UInt8]) throws {
        #expect(try returned(source).map(\.kind) == [.string(bytes)])
        #expect(LuaOracle().string(ofLiteral: source) == bytes)
    }

    @Test(
        "numerals are integers or floats as Lua has them",
        arguments: [
            ("0", .integer(0)), ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(0x1p63)),
            ("0xffffffffffffffff", .integer(-1)), ("0x1ffffffffffffffff", .integer(-1)), ("0xA", .integer(10)),
            ("3.", .number(3)), (".5", .number(0.5)), ("1e2", .number(100)), ("0x.8", .number(0.5)),
            ("0xA.8p1", .number(21)),
            ("0x1p-1074", .number(.leastNonzeroMagnitude)), ("0x1p-1075", .number(0)),
            ("0x1.8p-1075", .number(0x1p-1074)),
            ("0x1p1024", .number(.infinity)), ("1e400", .number(.infinity)), ("1e-400", .number(0)),
            ("0x1fffffffffffff.8p0", .number(0x1p53)), ("0x1.00000000000008p0", .number(1)),
            ("0x1.000000000000081p0", .number(1.0.nextUp)), ("1e99999999999999999999", .number(.infinity)),
            ("0x0p99999999999999999999", .number(0)), ("007", .integer(7)), ("1E+2", .number(100)),
        ] as [(String, Expression.Kind)])
    func numerals(source: String, kind: Expression.Kind) throws {
        #expect(try returned(source).map(\.kind) == [kind])
        #expect(LuaOracle().number(source) == kind)
    }

    @Test("random numerals have Lua's value to the last bit", arguments: 1...4)
    func randomNumerals(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let oracle = LuaOracle()
        for _ in 0..<1500 {
            let source = NumeralGenerator.next(using: &random)
            let value = try? returned(source).first?.kind
            #expect(value == oracle.number(source), "\(source)")
        }
    }
}

/// Makes text that is, or nearly is, a numeral.
private enum NumeralGenerator {
    static func next(using random: inout SplitMix) -> String {
        let isHexadecimal = Bool.random(using: &random)
        let digits = isHexadecimal ? Array("0123456789abcdefABCDEF") : Array("0123456789")
        var text = isHexadecimal ? "0x" : ""
        text += run(of: digits, upTo: 24, using: &random)
        if Int.random(in: 0..<3, using: &random) > 0 { text += "." + run(of: digits, upTo: 24, using: &random) }
        if Bool.random(using: &random) {
            let exponent = Int.random(in: isHexadecimal ? -1200...1200 : -400...400, using: &random)
            text += (isHexadecimal ? "p" : "e") + "\(exponent)"
        }
        return text.first?.isNumber == true || text.first == "." && text.count > 1 ? text : "0" + text
    }

    private static func run(of digits: [Character], upTo count: Int, using random: inout SplitMix) -> String {
        String((0..<Int.random(in: 0...count, using: &random)).compactMap { _ in digits.randomElement(using: &random) })
    }
}
