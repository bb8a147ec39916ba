local HEADER = "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,"
    .. "Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
    .. "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"

local EMMA = [[6969,Emma,Jane Austen,"Austen, Jane","Fiona Stafford, Ann Lee","=""0141439580""","=""9780141439587""",]]
    .. [[5,4.05,Penguin Books,Paperback,474,2003,1815,2024/03/04,2023/12/30,"classics, read-again",]]
    .. [["classics (#3)",read,"Good, very good.",,,2,1]] .. "\n"
local NO_ISBN = [[77,The Club Newsletter,Reading Club,"Club, Reading",,"=""""","=""""",0,0.00,,,,,,,2024/01/02,,,]]
    .. "to-read,,,,0,0\n"

test("an export becomes titles with their ISBNs, authors and copies", function()
    local report = import("goodreads_library_export.csv", HEADER .. EMMA .. NO_ISBN)
    expect(report.added, 2)
    expect(#report.problems, 0)
    local emma = catalogue.get "9780141439587"
    expect(emma.authors, { "Jane Austen", "Fiona Stafford", "Ann Lee" })
    expect(emma.year, 2003)
    expect(emma.stars, 5)
    expect(emma.copies, 1)
    local letter = catalogue.search { query = "newsletter" }[1]
    expect(letter.isbn, nil)
    expect(letter.copies, 0)
end)

test("the same export again adds nothing", function()
    import("goodreads_library_export.csv", HEADER .. EMMA .. NO_ISBN)
    expect(import("goodreads_library_export.csv", HEADER .. EMMA .. NO_ISBN).unchanged, 2)
end)

test("a wrong ISBN is said, and the title is kept", function()
    local report = import("books.csv", HEADER .. EMMA:gsub("9780141439587", "9780141439588"):gsub("0141439580", ""))
    expect(report.added, 1)
    expect(report.problems[1].field, "ISBN13")
    expect(report.problems[1].line, 2)
end)
