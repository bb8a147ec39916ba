/// How often a title was lent, in classes that double: 0 never, 1 once, 2 two or three times, 3 four to seven times and so on.
///
/// By it and their ids titles have a place in the search index, whose order that is: the higher standing first, within one standing the
/// title that was added first. A title changes its place seldom, however often it is lent.
enum Standing {
    /// How many places each standing has; a title whose id is not less has none but 0.
    static let width: Int64 = 1 << 52

    static func of(lendings: Int64) -> Int64 { lendings > 0 ? Int64(Int64.bitWidth - lendings.leadingZeroBitCount) : 0 }

    static func place(title: Int64, standing: Int64) -> Int64 { title - standing * width }

    static func title(at place: Int64) -> Int64 { place < 0 ? place & (width - 1) : place }

    /// The place of a row of `titles` in SQL.
    static let placeOfTitle = """
        titles.id - COALESCE((SELECT standing FROM title_standing WHERE title_standing.title = titles.id), 0) * \(width)
        """

    /// The title of a row of `title_search` in SQL.
    static let titleAtPlace = """
        CASE WHEN title_search.{searchKey} < 0 THEN title_search.{searchKey} & \(width - 1) ELSE title_search.{searchKey} END
        """
}
