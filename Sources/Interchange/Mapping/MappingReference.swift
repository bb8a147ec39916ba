import Circulation
package import TextFormats

/// What mapping files can name: every field of every kind of record, from the same declaration by which they are read.
package enum MappingReference {
    package static var markdown: String {
        var lines = [
            "# What a mapping file can name", "",
            "Every kind of record and every field of it that a column of a table can give; [Importing](importing.md#mapping-files)"
                + " says how. Titles,",
            "copies and patrons have the library's own fields as well, as `extra.NAME`.",
        ]
        for kind in NativeRecords.ofTables {
            lines += ["", "## \(kind.plural)", "", "| field | a cell holds | |", "|---|---|---|"]
            for member in kind.cellMembers {
                let name = "`\(member.name)`" + (member.isRequired && member.name != "key" ? " (required)" : "")
                lines.append("| \(name) | \(member.holds) | \(member.documentation) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package static var json: JSON {
        .object(
            NativeRecords.ofTables.reduce(into: JSONObject()) { object, kind in
                object[kind.plural] = .array(
                    kind.cellMembers.map { member in
                        [
                            "field": .string(member.name), "holds": .string(member.holds),
                            "required": .bool(member.isRequired && member.name != "key"),
                            "documentation": .string(member.documentation),
                        ]
                    })
            })
    }
}

extension RecordMember {
    /// In words, what is read of a cell.
    var holds: String {
        if case .choice(let words) = kind { return why("one of \(words.map { "`\($0)`" }.joined(separator: ", "))") }
        if case .period = kind { return why("a period, as `P7D`") }
        return switch cell {
        case .text, .word, .any, nil: why("a text")
        case .integer: why("a whole number")
        case .amount: why("an amount")
        case .flag: why("`yes` or `no`, `true` or `false`, `1` or `0`")
        case .list: why("a list")
        case .date: why("a date")
        case .moment: why("a date, with a time behind it or not")
        case .year: why("a year")
        case .isbn, .isbns: why("an ISBN")
        case .password, TranslatedColumn.Kind.none?: why("nothing")
        }
    }
}
