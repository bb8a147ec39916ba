test("Calibre's catalogue has authors between ampersands, dates with times and ratings of ten", function()
    local report = import("calibre.csv", "\u{FEFF}author_sort,authors,comments,cover,id,identifiers,isbn,languages,"
        .. "pubdate,publisher,rating,series,series_index,tags,title,title_sort\n"
        .. "\"Le Guin, Ursula K.\",Ursula K. Le Guin,<p>An <i>envoy</i>.</p>,/c/1.jpg,1,,9780441478125,eng,"
        .. "1987-03-15T00:00:00+00:00,Ace,10,Hainish Cycle,4.0,\"sf, winter\",The Left Hand of Darkness,x\n"
        .. "\"Niven, Larry & Pournelle, Jerry\",Larry Niven & Jerry Pournelle,,,2,isbn:9780671741921,,eng,"
        .. "0101-01-01T00:00:00+00:00,,,,1.0,,The Mote in God's Eye,x\n")
    expect(report.rejected, 0)
    local title = catalogue.get "9780441478125"
    expect(title.year, 1987)
    expect(title.stars, 5)
    expect(title.description, "An envoy.")
    expect(title.series, "Hainish Cycle")
    expect(title.series_number, "4")
    expect(title.subjects, { "sf", "winter" })
    local other = catalogue.get "9780671741921"
    expect(other.authors, { "Larry Niven", "Jerry Pournelle" })
    expect(other.series_number, nil)
    expect(other.series, nil)
end)

test("Libib's lists come with the number of copies and either ISBN", function()
    local report = import("libib.csv", "item_type,title,creators,first_name,last_name,ean_isbn13,upc_isbn10,"
        .. "description,publisher,publish_date,tags,rating,copies\n"
        .. "book,Kindred,Octavia E. Butler,Octavia,Butler,9780807083697,,\"Time, travelled\",Beacon,2004-02-01,,3.5,2\n"
        .. "book,Dawn,Octavia E. Butler,Octavia,Butler,,0446603775,,Aspect,1997-04-01,xeno,,1\n")
    expect(report.rejected, 0)
    expect(catalogue.get("9780807083697").copies, 2)
    expect(catalogue.get("9780807083697").stars, 4)
    expect(catalogue.get("9780446603775").year, 1997)
end)

test("BookWyrm and The StoryGraph give titles and authors, and keep what was read to themselves", function()
    expect(import("bookwyrm.csv", "title,author_text,remote_id,isbn_10,isbn_13,rating,shelf,review_content\n"
        .. "Dune,Frank Herbert,https://b.example/1,,9780441013593,4,read,Good\n").added, 1)
    expect(catalogue.get("9780441013593").stars, 4)
    expect(import("storygraph.csv", "Title,Authors,ISBN/UID,Format,Read Status,Star Rating,Tags\n"
        .. "Emma,Jane Austen,9780141439587,paperback,read,4.75,classic\n").added, 1)
    expect(catalogue.get("9780141439587").authors, { "Jane Austen" })
    expect(catalogue.get("9780141439587").stars, 5)
end)

test("of Zotero's items those come that are works of their own", function()
    local report = import("zotero.csv", "Key,Item Type,Publication Year,Author,Title,Publication Title,ISBN,Date\n"
        .. "A1,book,2011,\"Kahneman, Daniel; Lee, Ann\",Thinking,,978-0-374-27563-1,2011\n"
        .. "A2,journalArticle,1979,\"Tversky, Amos\",Prospect Theory,Econometrica,,1979\n")
    expect(report.added, 1)
    expect(report.rejected, 1)
    expect(report.problems[1].line, 3)
    expect(catalogue.get("9780374275631").authors, { "Daniel Kahneman", "Ann Lee" })
end)
