import Scripting
import Testing

@Suite("Arguments of the API")
struct APIArgumentTests {
    @Test(
        "a wrong argument is named, with what was expected and what came",
        arguments: [
            ("catalogue.get()", "catalogue.get: 'isbn_or_id' is missing, expected an ISBN, an id or a title"),
            (
                "catalogue.get(true)",
                "catalogue.get: 'isbn_or_id' must be an ISBN, an id or a title, got the boolean true"
            ),
            ("catalogue.get(0/0)", "catalogue.get: 'isbn_or_id' must be an ISBN, an id or a title, got the number"),
            ("patrons.get({})", "patrons.get: 'patron' must be a username, an id or a patron, got a table"),
            ("patrons.get(1, 2)", "patrons.get: takes at most 1 argument, got 2"),
            ("catalogue.search{ quer = 1 }", "catalogue.search: has no argument 'quer'; did you mean 'query'?"),
            ("catalogue.search{ qeury = 1 }", "catalogue.search: has no argument 'qeury'; did you mean 'query'?"),
            ("catalogue.search{ limit = 0 }", "'limit' must be an integer from 1 to 1000, got the integer 0"),
            ("catalogue.search{ by = \"isnb\" }", "'by' must be one of \"all\", \"title\""),
            ("catalogue.search{ 1, 2 }", "catalogue.search: takes named arguments, got one without a name"),
            ("loans.checkout{ patron = \"ada\" }", "loans.checkout: one of 'isbn', 'isbns' and 'barcode' is needed"),
            (
                "loans.checkout{ patron = \"ada\", isbns = { \"1\" } }", "loans.checkout: 'isbns[1]'"
            ),
            ("fees.charge{ patron = \"ada\", amount = 1.5, label = \"x\" }", "'amount' must be money or text"),
            (
                "fees.waive{ patron = \"ada\", reason = \"x\" }",
                "fees.waive: one of 'amount' and 'entry' is needed, and not both"
            ),
            (
                "fees.refund{ patron = \"ada\", amount = \"1.00\", entry = 1, reason = \"x\" }",
                "fees.refund: one of 'amount' and 'entry' is needed, and not both"
            ),
            (
                "fees.refund{ patron = \"ada\", entry = 1, key = \"k\", reason = \"x\" }",
                "fees.refund: 'key' goes with 'amount'"
            ),
            ("fees.waive{ patron = \"ada\", entry = 1, reason = \" \" }", "'reason' must not be empty"),
            ("fees.waive{ patron = \"ada\", entry = 1 }", "'reason' is missing"),
            (
                "fees.waive{ patron = \"ada\", entry = \"1\", reason = \"x\" }",
                "'entry' must be an id or a ledger_entry"
            ),
            ("calendar.is_open(\"2026-02-30\")", "calendar.is_open: 'date': there is no day 30"),
            ("json.encode(print)", "json.encode: 'value' must be a value that JSON can hold, got a function"),
            ("json.encode(1/0)", "json.encode: 'value' must be a finite number"),
            (
                "patrons.add{ username = \"a\\0b\" }",
                "patrons.add: 'username' must be text of at most 200 bytes, got text with a NUL"
            ),
            ("patrons.add{ username = \"\\xff\" }", "got a string that is not UTF-8 text"),
        ])
    func wrongArguments(line: String, message: String) throws {
        let text = try APISample().evaluate(line)
        #expect(text.hasPrefix("lua_error: "))
        #expect(text.contains(message), "\(text)")
    }

    @Test("the only or first named argument may stand alone")
    func alone() throws {
        #expect(try APISample().evaluate("#loans.active(\"ada\")") == "2")
    }

    @Test(
        "a record stands for itself as an argument",
        arguments: [
            ("catalogue.get(catalogue.get(3)).title", "\"Dune\""),
            ("#catalogue.copies(catalogue.get(1))", "2"),
            ("patrons.get(patrons.get(\"ada\")).username", "\"ada\""),
            ("loans.renew(loans.get(1)).renewals", "1"),
            ("calendar.is_open(today(), branches.get(\"main\"))", "true"),
        ])
    func records(line: String, result: String) throws {
        #expect(try APISample().evaluate(line) == result)
    }

    @Test("an unknown global names the nearest one")
    func unknownGlobal() throws {
        #expect(try APISample().evaluate("catalouge.get(1)").contains("did you mean 'catalogue'?"))
    }

    @Test("no name of the API is a keyword of Lua, and every name is declared once")
    func names() {
        let names = LuaAPI.functions.map(\.fullName)
        #expect(Set(names).count == names.count)
        let keywords: Set = ["end", "repeat", "return", "function", "local", "nil", "not", "and", "or", "in", "goto"]
        for function in LuaAPI.functions { #expect(!keywords.contains(function.name)) }
        for record in LuaAPI.records {
            for field in record.fields { #expect(!keywords.contains(field.name), "\(record.name).\(field.name)") }
        }
    }

    @Test("a refusal is a table with code, message and details")
    func refusal() throws {
        let line = """
            local loan, refusal = loans.checkout{ patron = "nobody", isbn = "9780441013593" }
            return loan, refusal.code, type(refusal.message), refusal.details.reasons[1].code, refusal.where
            """
        #expect(try APISample().evaluate(line) == #"nil, "unknown_patron", "string", "unknown_patron", nil"#)
    }
}
