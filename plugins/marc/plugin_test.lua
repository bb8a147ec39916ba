-- The marks of ISO 2709: end of a record, of a field, beginning of a subfield.
local RECORD, FIELD, MARK = "\29", "\30", "\31"

--- A binary record of fields, each a tag and a text with `$` before the code of a subfield.
local function binary(fields, leader)
    local directory, data = "", ""
    for _, field in ipairs(fields) do
        local content = field[2]:gsub("%$", MARK) .. FIELD
        directory = directory .. ("%s%04d%05d"):format(field[1], #content, #data)
        data = data .. content
    end
    local base = 24 + #directory + 1
    local head = ("%05dnam a22%05d%s4500"):format(base + #data + 1, base, leader or " i ")
    return head .. directory .. FIELD .. data .. RECORD
end

local FIXED = "200101s1965    nyu           000 1 eng d"

local function dune(changes)
    local fields = {
        { "001", "ocm00237901" }, { "008", FIXED },
        { "020", "  $a9780441013593 (pbk.) :$c9.99" }, { "100", "1 $aHerbert, Frank,$d1920-1986." },
        { "245", "10$aDune :$bthe first book /$cFrank Herbert." }, { "250", "  $a2nd ed." },
        { "260", "  $aNew York :$bAce Books,$c1990." }, { "520", "  $aA desert planet." },
        { "650", " 0$aDesert people$vFiction." }, { "655", " 7$aScience fiction.$2gsafd" },
        { "700", "1 $aSchoenherr, John." }, { "700", "1 $aHerbert, Brian.$tPaul of Dune." },
        { "952", "  $p30001$amain$ybook$v12.50$oFIC HER" },
    }
    for place, field in pairs(changes or {}) do
        fields[place] = field
    end
    return binary(fields)
end

test("a record of MARC 21 becomes a title with its copies", function()
    local report = import("books.mrc", dune())
    expect(report.added, 1)
    expect(#report.problems, 0)
    local title = catalogue.get "9780441013593"
    expect(title.title, "Dune: the first book")
    expect(title.authors, { "Frank Herbert", "John Schoenherr" })
    expect(title.publisher, "Ace Books")
    expect(title.year, 1990)
    expect(title.language, "eng")
    expect(title.edition, "2nd ed.")
    expect(title.subjects, { "Desert people--Fiction" })
    expect(title.genres, { "Science fiction" })
    expect(title.description, "A desert planet.")
    local copy = catalogue.copy "30001"
    expect(copy.item_type, "book")
    expect(copy.replacement_price, money "12.50")
    expect(catalogue.marc(title.id).fields[1]["001"], "ocm00237901")
end)

test("the same file again changes nothing", function()
    import("books.mrc", dune())
    expect(import("books.mrc", dune()).unchanged, 1)
end)

test("an export gives the record back to the letter", function()
    import("books.mrc", dune())
    expect(export "titles.mrc", dune())
end)

test("an ISBN of ten digits is no change of one of thirteen", function()
    local record = dune { [3] = { "020", "  $a0-441-01359-7 (pbk.) :$c9.99" } }
    import("books.mrc", record)
    expect(catalogue.get("9780441013593").title, "Dune: the first book")
    expect(export "titles.mrc", record)
end)

test("what has changed since stands in the export, and nothing else has", function()
    import("books.mrc", dune())
    catalogue.update("9780441013593", { title = "Dune", year = 1991, subjects = { "Deserts" } })
    catalogue.update_copy("30001", { replacement_price = "15.00" })
    expect(export "titles.mrc", dune {
        [2] = { "008", (FIXED:gsub("1965", "1991")) }, [5] = { "245", "10$aDune$cFrank Herbert." },
        [7] = { "260", "  $aNew York :$bAce Books,$c1991" }, [9] = { "650", " 4$aDeserts" },
        [13] = { "952", "  $p30001$amain$ybook$v15.00$oFIC HER" },
    })
end)

test("copies that went are taken out, and new ones come to the others", function()
    import("books.mrc", dune())
    catalogue.add_copies { isbn = "9780441013593", barcodes = { "30002" } }
    catalogue.withdraw_copy "30001"
    local text = export "titles.mrc"
    expect(text:find("30001", 1, true), nil)
    expect(text:find(MARK .. "amain" .. MARK .. "p30002" .. MARK .. "ybook", 1, true) ~= nil, true)
end)

test("MARCXML is read, and written to be read again", function()
    import("books.mrc", dune())
    local xml = export "titles.marcxml"
    expect(xml:find('<subfield code="b">Ace Books,</subfield>', 1, true) ~= nil, true)
    expect(import("books.xml", xml).unchanged, 1)
end)

test("a title that came from elsewhere is written as a new record", function()
    desk { copies = { dune1 = "book" } }
    local xml = export "titles.marcxml"
    expect(xml:find('<datafield tag="245"', 1, true) ~= nil, true)
    expect(xml:find("dune1", 1, true) ~= nil, true)
    expect(import("again.xml", xml).rejected, 0)
end)

test("UNIMARC is read", function()
    local report = import("livres.mrc", binary({
        { "001", "FRBNF1" }, { "010", "  $a2-07-036822-X$bbr.$d7 EUR" },
        { "100", "  $a19961119d1996    m  y0frey50      ba" }, { "101", "0 $afre" },
        { "200", "1 $aL'étranger$eroman$fAlbert Camus" }, { "210", "  $aParis$cGallimard$d1996" },
        { "606", "  $aAbsurde$xRoman" }, { "700", " 1$aCamus$bAlbert$4070" },
    }, "   "))
    expect(report.added, 1)
    local title = catalogue.get "207036822X"
    expect(title.title, "L'étranger: roman")
    expect(title.authors, { "Albert Camus" })
    expect(title.publisher, "Gallimard")
    expect(title.year, 1996)
    expect(title.language, "fre")
    expect(title.subjects, { "Absurde--Roman" })
end)

test("a wrong ISBN is said, and the title is kept", function()
    local report = import("books.mrc", dune { [3] = { "020", "  $a9780441013590" } })
    expect(report.added, 1)
    expect(report.problems[1].code, "bad_isbn")
    expect(report.problems[1].record, "record 1, control number ocm00237901")
end)

test("a damaged record is said, and those around it are read", function()
    local second = dune({ [1] = { "001", "ocm2" }, [3] = { "020", "  $a9780261103573" }, [13] = { "500", "  $aNote" } })
    local broken = dune():sub(1, 100) .. RECORD
    local report = import("books.mrc", dune() .. broken .. second)
    expect(report.added, 2)
    expect(report.rejected, 1)
    expect(report.problems[#report.problems].record, "record 2")
end)

test("branches that are not here are refused, added or left out, as the library says", function()
    local record = dune { [13] = { "952", "  $p30001$aCPL$ybook" } }
    local report = import("books.mrc", record)
    expect(report.rejected, 1)
    expect(report.problems[1].message:find("CPL", 1, true) ~= nil, true)
    desk { settings = { new_codes = "add" } }
    expect(import("books.mrc", record).rejected, 0)
    expect(catalogue.copy("30001").branch, "CPL")
end)

test("copies have their location and the day of their acquisition, both ways", function()
    local record = dune { [13] = { "952", "  $p30001$amain$ybook$cNew books$d2024-03-01" } }
    expect(import("books.mrc", record).rejected, 0)
    expect(catalogue.copy("30001").location, "New books")
    expect(catalogue.copy("30001").acquired_on, date "2024-03-01")
    expect(export "titles.mrc", record)
    catalogue.update_copy("30001", { location = "Rare", acquired_on = date "2024-03-02" })
    local changed = dune { [13] = { "952", "  $p30001$amain$ybook$cRare$d2024-03-02" } }
    expect(export "titles.mrc", changed)
end)

test("a day without hyphens is read and kept as it is written, and what is no day is left out", function()
    for written, read in pairs { ["20240301"] = date "2024-03-01", ["2024-02-31"] = false, ["spring 2024"] = false } do
        local record = dune { [13] = { "952", "  $p30001$amain$ybook$d" .. written } }
        expect(import("books.mrc", record).rejected, 0)
        local copy = catalogue.copy "30001"
        expect(copy.acquired_on or false, read)
        expect(export "titles.mrc", record)
        catalogue.update_copy("30001", { acquired_on = none })
    end
end)

test("codes of others are translated, both ways", function()
    desk { settings = { branch_codes = "CPL=main", item_type_codes = "BK=book" } }
    local record = dune { [13] = { "952", "  $p30001$aCPL$yBK$v12.50" } }
    expect(import("books.mrc", record).rejected, 0)
    expect(catalogue.copy("30001").branch, "main")
    expect(export "titles.mrc", record)
end)

test("a setting that cannot be read is named", function()
    desk { settings = { holdings = "952 barcode=p" } }
    local report = import("books.mrc", dune())
    expect(report.rejected, 1)
    expect(report.problems[1].message:find("holdings", 1, true) ~= nil, true)
end)

test("a volume of a series is kept with its number, by the form under which it is looked up", function()
    import("books.mrc", dune { [12] = { "490", "1 $aThe Dune books ;$v1." } })
    local title = catalogue.get "9780441013593"
    expect(title.series, "The Dune books")
    expect(title.series_number, "1.")
    local traced = dune {
        [12] = { "490", "1 $aThe Dune books ;$v1." }, [14] = { "830", " 0$aDune chronicles ;$vbk. 1." },
    }
    import("books.mrc", traced)
    title = catalogue.get "9780441013593"
    expect(title.series, "Dune chronicles")
    expect(title.series_number, "bk. 1.")
    expect(export "titles.mrc", traced)
end)

test("another series takes the place of those that the record had", function()
    import("books.mrc", dune { [8] = { "490", "0 $aThe Dune books ;$v1" } })
    catalogue.update("9780441013593", { series = "Arrakis", series_number = "2" })
    expect(export "titles.mrc", dune { [8] = { "490", "0 $aArrakis$v2" } })
    catalogue.update("9780441013593", { series = none, series_number = none })
    local text = export "titles.mrc"
    expect(text:find("Arrakis", 1, true), nil)
end)

local function peste(changes)
    local fields = {
        { "001", "FRBNF2" }, { "010", "  $a2-07-036042-3$bbr.$d8 EUR" },
        { "100", "  $a19970203d1997    m  y0frey50      ba" }, { "101", "0 $afre" },
        { "200", "1 $aLa peste$eroman$fAlbert Camus" }, { "205", "  $aNouv. ed." },
        { "210", "  $aParis$cGallimard$d1997" }, { "225", "2 $aFolio$v42" }, { "330", "  $aOran." },
        { "606", "  $32$aPeste$xRoman" }, { "608", "  $aRoman" }, { "700", " 1$31190$aCamus$bAlbert$4070" },
        { "702", " 1$aDurand$bPaul$4440" }, { "995", "  $fP1$bmain" },
    }
    for place, field in pairs(changes or {}) do
        fields[place] = field
    end
    local list = {}
    for place = 1, 20 do
        table.insert(list, fields[place] or nil)
    end
    return binary(list, "   ")
end

test("a record of UNIMARC goes out to the letter, and with what has changed", function()
    expect(import("livres.mrc", peste()).rejected, 0)
    expect(export "titles.mrc", peste())
    local title = catalogue.get "2070360423"
    expect(title.genres, { "Roman" })
    catalogue.update("2070360423", {
        title = "La peste : édition", publisher = "Folio", year = 2001, language = "fra", edition = "2e",
        series = "Poche", series_number = "7", description = "Une ville.", subjects = { "Algérie--Oran" },
        genres = { "Chronique" },
    })
    expect(export "titles.mrc", peste {
        [3] = { "100", "  $a19970203d2001    m  y0frey50      ba" }, [4] = { "101", "0 $afra" },
        [5] = { "200", "1 $aLa peste : édition$fAlbert Camus" }, [6] = { "205", "  $a2e" },
        [7] = { "210", "  $aParis$cFolio$d2001" }, [8] = { "225", "  $aPoche$v7" }, [9] = { "330", "  $aUne ville." },
        [10] = { "606", "  $aAlgérie$xOran" }, [11] = { "608", "  $aChronique" },
    })
    -- What was written says what the title says.
    local again = export "titles.mrc"
    import("livres.mrc", again)
    expect(export "titles.mrc", again)
end)

test("of the names of a record those that stay keep all that it says of them", function()
    import("livres.mrc", peste())
    expect(catalogue.get("2070360423").authors, { "Albert Camus", "Paul Durand" })
    catalogue.update("2070360423", { authors = { "Albert Camus", "Zoé Martin", "Paul Durand" } })
    expect(export "titles.mrc", peste {
        [13] = { "701", " 1$aMartin$bZoé" }, [14] = { "702", " 1$aDurand$bPaul$4440" },
        [15] = { "995", "  $fP1$bmain" },
    })
    catalogue.update("2070360423", { authors = { "Paul Durand" } })
    local text = export "titles.mrc"
    expect(text:find("Camus" .. MARK, 1, true), nil)
    expect(text:find("Durand" .. MARK .. "bPaul" .. MARK .. "4440", 1, true) ~= nil, true)
    import("books.mrc", dune())
    catalogue.update("9780441013593", { authors = { "Frank Herbert", "Kevin Anderson" } })
    text = export "titles.mrc"
    expect(text:find("Herbert, Frank," .. MARK .. "d1920-1986.", 1, true) ~= nil, true)
    expect(text:find("Anderson, Kevin", 1, true) ~= nil, true)
    expect(text:find("Schoenherr", 1, true), nil)
    expect(text:find("Paul of Dune", 1, true) ~= nil, true)
    catalogue.update("9780441013593", { authors = { "Kevin Anderson" } })
    expect(export("titles.mrc"):find("Anderson, Kevin", 1, true) ~= nil, true)
end)

test("a copy of a record of UNIMARC that changes stands in its field", function()
    desk { settings = { holdings = "995: barcode=f branch=b call_number=k" } }
    import("livres.mrc", peste())
    catalogue.withdraw_copy "P1"
    catalogue.add_copies { isbn = "2070360423", barcodes = { "P2" } }
    local text = export "titles.mrc"
    expect(text:find("P1", 1, true), nil)
    expect(text:find(MARK .. "fP2", 1, true) ~= nil, true)
end)
