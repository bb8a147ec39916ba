local COLUMNS = {
    "Book Id", "Title", "Sort Character", "Primary Author", "Primary Author Role", "Secondary Author",
    "Secondary Author Roles", "Publication", "Date", "Rating", "Summary", "Media", "Barcode", "Tags", "Collections",
    "Languages", "ISBN", "ISBNs", "Copies", "Entry Date",
}

--- The text of an export with a row for each table of fields.
local function file(rows)
    local lines = { table.concat(COLUMNS, "\t") }
    for _, row in ipairs(rows) do
        local fields = {}
        for place, column in ipairs(COLUMNS) do
            fields[place] = row[column] or ""
        end
        table.insert(lines, table.concat(fields, "\t"))
    end
    return table.concat(lines, "\r\n") .. "\r\n"
end

local ROAD = {
    ["Book Id"] = "140529", Title = "On the Road", ["Sort Character"] = "1", ["Primary Author"] = "Kerouac, Jack",
    ["Secondary Author"] = "Brinkley, Douglas|Charters, Ann", Date = "2007", Copies = "2", ISBN = "[1598530127]",
    Publication = "Library of America (2007), Edition: 1st, Hardcover, 864 pages", Tags = "beat, road trip",
}
local MAP = { ["Book Id"] = "7", Title = "Map of the quarter", ["Sort Character"] = "1", ISBN = "[]", Copies = "1" }

test("an export becomes titles, with authors the right way round and copies", function()
    local report = import("librarything_desk.tsv", file { ROAD, MAP })
    expect(report.added, 2)
    expect(#report.problems, 0)
    local road = catalogue.get "9781598530124"
    expect(road.authors, { "Jack Kerouac", "Douglas Brinkley", "Ann Charters" })
    expect(road.publisher, "Library of America")
    expect(road.subjects, { "beat", "road trip" })
    expect(road.copies, 2)
end)

test("an export in UTF-16 reads the same", function()
    local text = file { ROAD, MAP }
    local wide = text:gsub(".", "%0\0")
    local report = import("librarything_desk.tsv", "\xFF\xFE" .. wide)
    expect(report.added, 2)
    expect(catalogue.get("9781598530124").title, "On the Road")
end)

test("a barcode is the copy's", function()
    local map = { ["Book Id"] = "71", Title = "Map", ["Sort Character"] = "1", Barcode = "LT-00071", ISBN = "[]" }
    import("one.tsv", file { map })
    expect(catalogue.copy("LT-00071").barcode, "LT-00071")
    expect(import("one.tsv", file { map }).unchanged, 1)
end)

test("languages and subjects of a newer export come along, and an ISBN from the list of all", function()
    local text = "Book Id\tTitle\tSort Character\tPrimary Author\tTags\tLanguages\tISBN\tISBNs\tSubjects\n"
        .. "7\tMomo\t1\tEnde, Michael\ttime\tGerman\t[]\t9783522202558, 3522202554\tTime|Friendship\n"
    expect(import("librarything.tsv", text).added, 1)
    local momo = catalogue.get "9783522202558"
    expect(momo.language, "German")
    expect(momo.subjects, { "Time", "Friendship" })
    expect(momo.genres, { "time" })
end)

test("the export as JSON, which has each book under its number", function()
    local text = [[{"7101":{"books_id":"7101","title":"Kindred","primaryauthor":"Butler, Octavia E.",
        "authors":[{"lf":"Butler, Octavia E.","fl":"Octavia E. Butler"}],"publication":"Beacon (2004), 287 pages",
        "date":"2004","language":["English"],"isbn":{"0":"0807083690","2":"9780807083697"},"tags":["sf"],"copies":"2"},
        "7102":{"books_id":"7102","title":"Untitled","authors":[],"isbn":[],"copies":"1","barcode":{"1":"B7"}}}]]
    for _, written in ipairs { text, (text:gsub("%s*\n%s*", "")) } do
        local report = import("librarything.json", written)
        expect(report.rejected, 0)
        expect(report.read, 2)
    end
    local title = catalogue.get "9780807083697"
    expect(title.authors, { "Octavia E. Butler" })
    expect(title.publisher, "Beacon")
    expect(title.year, 2004)
    expect(title.copies, 2)
    expect(catalogue.copy("B7").barcode, "B7")
end)
