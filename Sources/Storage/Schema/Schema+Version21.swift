// Usernames are found by what `Username.key` makes of them: digits and letters that are taken for each other are the same there.
extension Schema {
    static let likeUsernames: String = {
        let stems = [
            ("0", "o"), ("1", "l"), ("i", "l"), ("3", "e"), ("4", "a"), ("5", "s"), ("7", "t"), ("8", "b"),
        ]
        let key = stems.reduce("username_key") { "replace(\($0), '\($1.0)', '\($1.1)')" }
        return "UPDATE patrons SET username_key = \(key);"
    }()
}
