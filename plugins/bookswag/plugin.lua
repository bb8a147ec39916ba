-- The routes of Book SWAG's shelf, with its fields and statuses, over the library's catalogue and its loans.
local fields = require "fields"
local shelf = require "shelf"

local shown, text_of, answer = shelf.shown, shelf.text_of, shelf.answer
local done, known, lend = shelf.done, shelf.known, shelf.lend

local function list(request)
    local limit = fields.number(request, "limit", 1, 10000, 1000)
    local offset = fields.number(request, "offset", 0, 1000000000, 0)
    local rows, has_more, read = {}, false, 0
    repeat
        local wanted = math.min(1000, limit + 1 - read)
        local page = catalogue.search { order = "id", limit = wanted, offset = offset + read }
        read = read + #page
        for _, title in ipairs(page) do
            has_more = #rows == limit
            rows[#rows + 1] = not has_more and text_of(title, request.caller) or nil
        end
    until #page < wanted or has_more
    -- Relative, so that no key gets into it.
    local link = "<?limit=" .. limit .. "&offset=" .. (offset + limit) .. '>; rel="next"'
    return answer("[" .. table.concat(rows, ",") .. "]", has_more and { Link = link } or nil)
end

local function get(request)
    return answer(text_of(known(request), request.caller))
end

local function add(request)
    local read = fields.read(request)
    if not read.title then
        error { status = 400, code = "input", message = "'title' is missing." }
    end
    return store.transaction(function()
        local title = done(catalogue.add((fields.changes(read, {}))))
        done(catalogue.add_copies { isbn = title.id })
        if read.borrower then
            lend(title, read.borrower, request.caller)
        end
        -- Its app takes nothing but 200 for a success.
        return answer(text_of(title, request.caller), { Location = "/books/" .. title.id .. "/" })
    end)
end

local function change(request)
    local read = fields.read(request)
    return store.transaction(function()
        local title = known(request)
        local changes, borrower = fields.changes(read, shown(title, request.caller))
        title = next(changes) and done(catalogue.update(title.id, changes)) or title
        if borrower then
            lend(title, borrower, request.caller)
        end
        return answer(text_of(title, request.caller))
    end)
end

local function remove(request)
    done(catalogue.remove(known(request).id))
    return { status = 204 }
end

local function clean()
    return { json = { deleted = done(catalogue.remove_all { confirm = true }) } }
end

return plugin {
    api = 1,
    name = "bookswag",
    version = "1.1.0",
    description = "Answers clients of Book SWAG's shelf",
    needs = { "catalogue.write", "loans.write" },
    settings = {
        guests = {
            type = "text", default = "",
            help = "username of the account on which staff lend to names that are no patron's; empty: refused",
        },
    },
    routes = {
        ["GET /books"] = { role = "patron", scope = "catalogue", run = list },
        ["POST /books"] = { role = "patron", scope = "catalogue", run = add },
        ["GET /books/{id}"] = { role = "patron", scope = "catalogue", run = get },
        ["PUT /books/{id}"] = { role = "patron", scope = "catalogue", run = change },
        ["DELETE /books/{id}"] = { role = "patron", scope = "catalogue", run = remove },
        ["DELETE /clean"] = { role = "patron", scope = "catalogue", run = clean },
        ["GET /{key}/books"] = { role = "patron", token = "key", scope = "catalogue", run = list },
        ["POST /{key}/books"] = { role = "patron", token = "key", scope = "catalogue", run = add },
        ["GET /{key}/books/{id}"] = { role = "patron", token = "key", scope = "catalogue", run = get },
        ["PUT /{key}/books/{id}"] = { role = "patron", token = "key", scope = "catalogue", run = change },
        ["DELETE /{key}/books/{id}"] = { role = "patron", token = "key", scope = "catalogue", run = remove },
        ["DELETE /{key}/clean"] = { role = "patron", token = "key", scope = "catalogue", run = clean },
    },
}
