/// The hosts of a URL, in turns.
///
/// libpq goes on to the next host if one cannot be reached, and gives up if one takes the connection and then drops it: as
/// a proxy does whose server is gone. So each attempt begins with another host.
struct PostgresHosts: Sendable {
    /// `host`, `hostaddr` and `port`, as far as they are lists of several.
    private let lists: [(keyword: String, values: [String])]

    init(_ values: [String: String]) {
        lists = ["host", "hostaddr", "port"].compactMap { keyword in
            let list = (values[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return list.count > 1 ? (keyword, list) : nil
        }
    }

    /// What replaces the URL's own order; nothing for the first attempt.
    func parameters(attempt: Int) -> [(String, String)] {
        lists.compactMap { keyword, values in
            let first = attempt % values.count
            guard first > 0 else { return nil }
            return (keyword, (values[first...] + values[..<first]).joined(separator: ","))
        }
    }
}
