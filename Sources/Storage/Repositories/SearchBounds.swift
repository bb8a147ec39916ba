/// How much a search sorts, and how far it looks, before it goes another way; which way it goes changes no answer but by `few`.
struct SearchBounds: Hashable, Sendable {
    /// So many matches are put in order, so many titles that begin with the words, the titles of so many copies; of more the first are
    /// shown by their place.
    var few = 1_000
    /// With so many titles that begin with the words a page is nearly always full.
    var firstFew: Int64 = 64
    /// So many copies are all looked at where no words are asked for.
    var rare: Int64 = 10_000
    /// How many rows are looked at in the order of places before it is clear how common words are. They cost about 2 us each.
    var walk: Int64 = 4_000
    /// The same for rows as they come, which cost an eighth.
    var sample: Int64 = 20_000

    /// So many words that begin alike are asked for one by one.
    var beginnings = 128

    static let standard = SearchBounds()
}
