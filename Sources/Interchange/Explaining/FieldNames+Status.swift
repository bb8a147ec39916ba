import Circulation

/// How systems call the status of a copy.
extension FieldNames {
    /// The status that a word stands for, an empty text where loans and holds say it; nil for any other word.
    static func status(_ word: String) -> String? {
        if let status = CopyStatus(rawValue: word) { return status.rawValue }
        let key = key(word)
        return statuses.first { $0.words.contains(key) }?.status
    }

    private static let statuses: [(status: String, words: Set<String>)] = [
        (
            CopyStatus.available.rawValue,
            [
                "available", "in", "inlibrary", "instock", "iteminplace", "onshelf", "checkedin", "verfugbar",
                "vorhanden",
                "prasent", "disponible", "enrayon", "disponibile", "ascaffale", "beschikbaar",
            ]
        ),
        (
            "",
            [
                "onloan", "checkedout", "out", "issued", "lent", "loaned", "charged", "entliehen", "ausgeliehen",
                "verliehen", "emprunte", "enpret", "prestado", "inprestito", "uitgeleend", "onhold", "reserved",
                "vorgemerkt",
                "reserve", "reservado", "prenotato",
            ]
        ),
        (
            CopyStatus.lost.rawValue,
            ["lost", "missing", "verloren", "vermisst", "perdu", "manquant", "perdido", "smarrito", "perso", "vermist"]
        ),
        (
            CopyStatus.withdrawn.rawValue,
            [
                "withdrawn", "discarded", "weeded", "deleted", "ausgeschieden", "ausgesondert", "makuliert", "pilonne",
                "elimine", "expurgado", "baja", "scartato", "afgeschreven",
            ]
        ),
    ]
}
