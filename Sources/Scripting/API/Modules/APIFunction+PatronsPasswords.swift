import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let patronsSetPassword = APIFunction(
        "set_password", "Sets a patron's password, and ends their sessions.",
        details:
            "What is kept is a hash, which no function gives. It takes a twentieth of a second, within `store.transaction` too, "
            + "where others wait meanwhile.",
        [.required("patron", .reference(.patron)), .required("password", .text(maximum: 4096))],
        returns: .written(.record("patron")), refusals: ["unknown_patron", "weak_password"], needs: .patronsWrite,
        examples: APIExample(#"patrons.set_password("bob", "a good password").username"#, #""bob""#),
        APIExample(#"select(2, patrons.set_password("bob", "short")).code"#, #""weak_password""#)
    ) { call in
        let key = try call.patronKey("patron")
        let outcome = try call.script.setPassword(try call.arguments.need("password"), of: key)
        return call.answer(outcome, APIRecord.patron.table)
    }

    static let patronsVerify = APIFunction(
        "verify", "Whether a password is a patron's: gives the patron if it is.",
        details:
            "An unknown patron is refused like a wrong password, and takes as long. After five wrong passwords for one patron "
            + "nothing is looked at for a while, `too_many_tries`; one try is forgiven every half minute.",
        [.required("patron", .reference(.patron)), .required("password", .text(maximum: 4096))],
        returns: .written(.record("patron")), refusals: ["wrong_log_in", "too_many_tries"], needs: .patronsWrite,
        examples: APIExample(
            #"patrons.set_password("bob", "a good password") return patrons.verify("bob", "a good password").name"#,
            #""Bob""#),
        APIExample(#"select(2, patrons.verify("bob", "a wrong password")).code"#, #""wrong_log_in""#)
    ) { call in
        let key = try call.patronKey("patron")
        let outcome = try call.script.verify(try call.arguments.need("password"), of: key)
        return call.answer(outcome, APIRecord.patron.table)
    }
}
