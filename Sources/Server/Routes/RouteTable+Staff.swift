import Circulation
import Desk
import Scripting
import TextFormats

// The accounts of colleagues, for administrators.
extension RouteTable {
    static let staff: [Route] = [staffAccounts, closeAccount, openAccount, makeLink]

    static let staffAccount = APIRecordType(
        name: "staff_account", summary: "A staff account and its state.",
        fields: [
            .required("id", .id, "of the patron"), .required("username", .text, ""),
            .required("name", .text, "first and last name"), .required("role", .words(Patron.Role.self), ""),
            .required("has_password", .boolean, "whether a password was ever set"),
            .optional("last_log_in_at", .instant, "the latest over a network that is known"),
            .optional("closed_at", .instant, "since when nobody gets in; absent: it is open"),
        ])

    static let passwordLink = APIRecordType(
        name: "password_link", summary: "A link with which the holder of an account sets a password, once.",
        fields: [.required("link", .text, "it is shown this once"), .required("expires_at", .instant, "")])

    private static let staffAccounts = own(
        .get, "/staff", "staff_accounts",
        "Lists the accounts of staff and administrators, at most \(AccountService.mostOfStaff), in order of their "
            + "numbers.", [],
        .value(.list(.record("staff_account"))), .admin
    ) { call, _ in
        try StaffRequests(call).list()
    }

    private static let closeAccount = own(
        .post, "/patrons/{patron}/close-account", "close_account",
        "Closes an account other than one's own: nobody can log in to it, and its sessions, keys and links end. The "
            + "password is kept.",
        [.required("patron", .reference(.patron), "")], .written(.record("patron")),
        refusals: ["account_closed", "own_account"], .admin
    ) { call, arguments in
        try StaffRequests(call).close(arguments)
    }

    private static let openAccount = own(
        .post, "/patrons/{patron}/open-account", "open_account",
        "Reopens a closed account; its holder logs in with the same password as before.",
        [.required("patron", .reference(.patron), "")], .written(.record("patron")), refusals: ["account_open"], .admin
    ) { call, arguments in
        try StaffRequests(call).open(arguments)
    }

    private static let makeLink = own(
        .post, "/patrons/{patron}/password-link", "make_password_link",
        "Creates a link, valid once and for \(AccountManager.hoursOfHandedLink) hours, with which the holder of an "
            + "account sets a new password. Earlier links end; the password stays until then.",
        [.required("patron", .reference(.patron), "")], .value(.record("password_link")),
        refusals: ["account_closed"], .admin
    ) { call, arguments in
        try StaffRequests(call).link(arguments)
    }
}
