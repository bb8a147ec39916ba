extension Branch: NestedCode {
    package static let blank = Branch(code: "", name: "")

    package static let declaration = RecordDeclaration<Branch>(
        "a branch", in: "branches",
        [
            .init("code", \.code, "its key"),
            .init("name", \.name),
            .init("parent", \.parent, "the code of the branch it is a part of"),
            .init("zone", \.zone, "nil: the library's"),
            .init("calendar", \.calendar, "`weekly`, `closed`, `yearly`, `open`"),
        ])
}

extension Category: NestedCode {
    package static let blank = Category(code: "", name: "")

    package static let declaration = RecordDeclaration<Category>(
        "a category", in: "categories",
        [
            .init("code", \.code, "its key"),
            .init("name", \.name),
            .init("parent", \.parent, "the code of the category it belongs to"),
        ])
}

extension ItemType: NestedCode {
    package static let blank = ItemType(code: "", name: "")

    package static let declaration = RecordDeclaration<ItemType>(
        "an item type", in: "item_types",
        [
            .init("code", \.code, "its key"),
            .init("name", \.name),
            .init("parent", \.parent, "the code of the type it belongs to"),
        ])
}

extension ShelvingLocation: DeclaredCode {
    package static let blank = ShelvingLocation(code: "", name: "")

    package static let declaration = RecordDeclaration<ShelvingLocation>(
        "a shelving location", in: "locations",
        [
            .init("code", \.code, "its key: the `location` of its copies"),
            .init("name", \.name),
        ])
}
