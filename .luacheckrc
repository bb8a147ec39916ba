-- Names that the desk gives to policies, to their tests and to scripts. Everything else is Lua 5.4.
std = "lua54"
max_line_length = 120

local values = {
    "date", "days", "hours", "minutes", "money", "months", "none", "open_days", "percent", "unlimited", "weeks",
}
local answers = { "allow", "charge", "confirm", "deny", "exact", "notice", "policy", "review", "standard", "suspend" }
local tests = { "cases", "desk", "expect", "given", "test", "todo_test" }

local function together(...)
    local names = {}
    for _, list in ipairs({ ... }) do
        for _, name in ipairs(list) do
            names[#names + 1] = name
        end
    end
    return names
end

files["policies"] = { read_globals = together(values, answers) }
files["policies/*_test.lua"] = { read_globals = together(values, tests) }

local api = {
    "args", "branches", "calendar", "catalogue", "categories", "csv", "fees", "help", "holds", "item_types", "json",
    "loans", "log", "needs", "notifications", "now", "patrons", "progress", "report", "stats", "store", "today",
}
files["scripts"] = { read_globals = together(values, api) }
