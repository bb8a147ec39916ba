// How people say what is decided on a way.
extension Path {
    /// Notes how people say a condition where it holds and where it does not; nil: it goes without saying.
    func say(_ condition: Condition, _ holds: String?, _ fails: String?) {
        if case .not(let inner) = condition { return say(inner, fails, holds) }
        explorer.words.conditions[condition] = (holds, fails)
    }

    /// Notes the function that says whether a condition holds, where it has too many parts to be said.
    func name(_ condition: Condition, _ function: String) {
        if condition.size > 4, words.conditions[condition] == nil {
            say(condition, "`\(function)`", "not `\(function)`")
        }
    }

    /// Notes what people call a number.
    func say(_ number: Number, _ words: String) { explorer.words.numbers[number] = words }

    /// Notes what a number is made of, as people say it.
    func say(_ number: Number, _ pieces: SpokenTerms.Made.Piece..., isDate: Bool) {
        explorer.words.made[number] = SpokenTerms.Made(pieces: pieces, isDate: isDate)
    }
}
