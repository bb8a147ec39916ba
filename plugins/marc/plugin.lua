-- Reads and writes MARC 21 and UNIMARC, binary (ISO 2709) or as MARCXML or MARC-in-JSON.
--
-- Titles keep the record that they came from, so that an export gives it back with what has changed in the library
-- since. A library with other habits copies this plugin and changes `marc21.lua` and `unimarc.lua`.

local marc21 = require "marc21"
local titles = require "titles"
local unimarc = require "unimarc"

return plugin {
    api = 1,
    name = "marc",
    version = "1.3.0",
    description = "Reads and writes MARC records",
    settings = {
        holdings = {
            type = "text",
            default = [[952: barcode=p branch=a item_type=y price=v location=c acquired=d call_number=o;
                852: barcode=p branch=b location=c call_number=h;
                949: barcode=i branch=m item_type=t price=p]],
            help = "fields in which records name copies, and the codes of their subfields",
        },
        new_codes = {
            type = "text", default = "refuse", values = { "refuse", "add", "leave out" },
            help = "what becomes of branches and item types that are not here",
        },
        branch_codes = {
            type = "text", default = "", help = "their codes of branches and ours: CPL=main, MPL=north",
        },
        item_type_codes = {
            type = "text", default = "", help = "their codes of item types and ours: BK=book, DVD=dvd",
        },
        encoding = {
            type = "text", required = false,
            values = { "utf-8", "marc-8", "iso-5426", "iso-8859-1", "windows-1251", "windows-1252", "cp866" },
            help = "what the records are in, if they do not say so themselves",
        },
    },
    imports = {
        {
            name = "marc21", has = { "leader", "fields" },
            is = function(head)
                return titles.all(head, "marc21")
            end,
            record = function(record)
                return titles.read(record, marc21)
            end,
        },
        {
            name = "unimarc", has = { "leader", "fields" },
            is = function(head)
                return titles.all(head, "unimarc")
            end,
            record = function(record)
                return titles.read(record, unimarc)
            end,
        },
    },
    exports = {
        { name = "titles.mrc", write = titles.write },
        { name = "titles.marcxml", write = titles.write },
    },
}
