local BOOKS = "[\n{\"author\":\"A; B\",\"categories\":\"ui, android\",\"id\":4,"
    .. "\"lastCheckedOut\":\"2014-02-11 18:00:00\",\"lastCheckedOutBy\":null,\"publisher\":null,"
    .. "\"title\":\"Java\",\"url\":\"/books/4/\"}\n]\n"

test("the shelf comes in and goes out as it was", function()
    expect(import("books.json", BOOKS).added, 1)
    expect(export "books.json", BOOKS)
    expect(import("books.json", BOOKS).unchanged, 1)
end)

test("a borrower of that name is found", function()
    desk { patrons = { ada = "patron" } }
    import("books.json", (BOOKS:gsub('By":null', 'By":"ada"')))
    expect(loans.history({ patron = "ada" })[1].title, 4)
end)

test("a name that is that of no patron is said", function()
    local report = import("books.json", (BOOKS:gsub('By":null', 'By":"Nemo"')))
    expect(report.added, 1)
    expect(report.problems[1].field, "lastCheckedOutBy")
end)
