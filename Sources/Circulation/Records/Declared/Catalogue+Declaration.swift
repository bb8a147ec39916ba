extension Title: DeclaredRecord {
    package static let blank = Title(title: "")

    package static let declaration = RecordDeclaration<Title>(
        "a title", in: "titles",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("isbn", \.isbn),
            .init("title", \.title),
            .init("authors", \.authors),
            .init("publisher", \.publisher),
            .init("year", \.year),
            .init("language", \.language),
            .init("genres", \.genres),
            .init("subjects", \.subjects),
            .init("courses", \.courses),
            .init("college", \.college),
            .init("edition", \.edition),
            .init("description", \.description),
            .init("cover_url", \.coverURL),
            .init("preview_url", \.previewURL),
            .init("stars", \.stars),
            .init("recommended", \.recommended),
            .init("extra", \.extra),
        ])
}

extension Copy: DeclaredRecord {
    package static let blank = Copy(barcode: "", title: 0, branch: "", itemType: "")

    package static let declaration = RecordDeclaration<Copy>(
        "a copy", in: "copies",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("barcode", \.barcode),
            .init("title", \.title),
            .init("branch", \.branch),
            .init("item_type", \.itemType),
            .init("status", \.status),
            .init(
                "replacement_price", \.replacementPrice, columns: ["replacement_price", "replacement_currency"]),
        ])
}

extension InHouseUse: DeclaredRecord {
    package static let blank = InHouseUse(copy: nil, title: nil, usedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<InHouseUse>(
        "a use in the house", in: "in_house_uses",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("copy", \.copy),
            .init("title", \.title),
            .init("item_type", \.itemType),
            .init("branch", \.branch),
            .init("used_at", \.usedAt),
        ])
}
