-- Slips that a desk prints: receipts of loans, hold slips, lists of what to fetch. Their templates are settings:
--
--     moonshelf plugin settings slips --set receipt="{name}, {today}" --set receipt_line="{due}  {title}"

--- A template with its places filled; a place that there is not is an error that names those that there are.
local function fill(setting, values)
    return (settings[setting]:gsub("{(%w+)}", function(place)
        local value = values[place]
        if value == nil then
            local known = {}
            for name in pairs(values) do
                known[#known + 1] = "{" .. name .. "}"
            end
            table.sort(known)
            error("the setting " .. setting .. " has {" .. place .. "}; there are " .. table.concat(known, ", "), 0)
        end
        return tostring(value)
    end))
end

local function about(patron)
    return { name = patron.name, surname = patron.surname, username = patron.username, today = today() }
end

local function known_patron(key)
    return patrons.get(key) or error("there is no patron " .. key, 0)
end

local function title_of(id)
    local title = id and catalogue.get(id)
    return title and title.title or "(a title that is gone)"
end

local function receipt(args)
    local patron = known_patron(args.patron)
    print(fill("receipt", about(patron)))
    for _, loan in ipairs(loans.active(patron.id)) do
        print(fill("receipt_line", { title = title_of(loan.title), due = loan.due_on or "", lent = loan.lent_at }))
    end
end

local function hold_slip(args)
    local patron = known_patron(args.patron)
    for _, hold in ipairs(holds.of(patron.id)) do
        if hold.state == "shelf" then
            local values = about(patron)
            values.title, values["until"] = title_of(hold.title), hold.shelf_until or ""
            values.branch = hold.pickup_branch
            print(fill("hold", values))
        end
    end
end

local function pull_list(args)
    local list = holds.pull_list { branch = args.branch }
    print(fill("pull", { today = today(), branch = args.branch or "all branches", count = #list }))
    for _, item in ipairs(list) do
        print(fill("pull_line", { barcode = item.barcode, title = item.name, branch = item.branch }))
    end
end

return plugin {
    api = 1,
    name = "slips",
    version = "1.0.0",
    description = "Receipts, hold slips and lists of what to fetch, by the library's own templates",
    settings = {
        receipt = { type = "text", default = "{today}  {name} {surname}", help = "{name} {username} {today}" },
        receipt_line = { type = "text", default = "  {due}  {title}", help = "{title} {due} {lent}" },
        hold = { type = "text", default = "{surname}\n{title}\nuntil {until}", help = "also {branch} and {name}" },
        pull = { type = "text", default = "{today}, {branch}: {count} to fetch", help = "{today} {branch} {count}" },
        pull_line = { type = "text", default = "[ ] {barcode}  {title}", help = "{barcode} {title} {branch}" },
    },
    commands = {
        {
            name = "receipt",
            help = "print what a patron has",
            parameters = { patron = { type = "text", required = true } },
            run = receipt,
        },
        {
            name = "hold-slip",
            help = "print the slips of what is set aside for a patron",
            parameters = { patron = { type = "text", required = true } },
            run = hold_slip,
        },
        { name = "pull-list", help = "print what is to be fetched", parameters = { branch = "text" }, run = pull_list },
    },
}
