extension Title: NumberedRecord {
    package static let blank = Title(title: "")

    package static let declaration = RecordDeclaration<Title>(
        "a title", in: "titles",
        [
            .init("id", \.id, "the number under which the desk keeps it", isNoneAsZero: true),
            .init("isbn", \.isbn, "13 digits; a title may have none"),
            .init("title", \.title),
            .init("authors", \.authors, "in the order of the title page"),
            .init("publisher", \.publisher),
            .init("year", \.year, "of publication; negative before the common era"),
            .init("language", \.language, "an ISO 639 code as the source gives it"),
            .init("genres", \.genres),
            .init("subjects", \.subjects),
            .init("courses", \.courses, "courses that use it"),
            .init("college", \.college),
            .init("edition", \.edition),
            .init("series", \.series, "the series that it is a volume of"),
            .init("series_number", \.seriesNumber, "which volume, as the title page has it"),
            .init("description", \.description),
            .init("cover_url", \.coverURL),
            .init("cover", \.cover, "the name of the picture of it that the library keeps"),
            .init("preview_url", \.previewURL),
            .init("stars", \.stars, "", .range(0...5)),
            .init("recommended", \.recommended, "chosen by the library"),
            .init("extra", \.extra, "fields of the library's own"),
        ])
}

extension Copy: NumberedRecord {
    package static let blank = Copy(barcode: "", title: 0, branch: "", itemType: "")

    package static let declaration = RecordDeclaration<Copy>(
        "a copy", in: "copies",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("barcode", \.barcode, "unique"),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("branch", \.branch, "the code of its own branch"),
            .init("item_type", \.itemType, "the code of its item type"),
            .init("status", \.status, "where it is"),
            .init(
                "replacement_price", \.replacementPrice, columns: ["replacement_price", "replacement_currency"]),
            .init("location", \.location, "where it stands in its branch, in a word of the library's own"),
            .init("acquired_on", \.acquiredOn, "the day on which the library got it"),
            .init("call_number", \.callNumber, "the mark by which it stands there, as on its spine label"),
            .init("extra", \.extra, "fields of the library's own"),
        ])
}

extension InHouseUse: NumberedRecord {
    package static let blank = InHouseUse(copy: nil, title: nil, usedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<InHouseUse>(
        "a use in the house", in: "in_house_uses",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("copy", \.copy, "the copy's id", .reference(.copy)),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("item_type", \.itemType),
            .init("branch", \.branch, "where it was used"),
            .init("used_at", \.usedAt),
        ])
}
