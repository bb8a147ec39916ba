/// How people say conditions and numbers that are made of several parts.
struct SpokenTerms {
    var conditions: [Condition: (holds: String?, fails: String?)] = [:]
    var numbers: [Number: String] = [:]
    /// Numbers that are made of others.
    var made: [Number: Made] = [:]

    struct Made {
        enum Piece {
            case text(String)
            case number(Number)
            case date(Number)
        }

        let pieces: [Piece]
        let isDate: Bool
    }
}
