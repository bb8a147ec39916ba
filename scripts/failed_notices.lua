-- Lists the notices that could not be delivered, with the address they went to, and counts them by kind and channel.
-- For the desk: a wrong address is set right, and the patron is told by other means. The texts are not shown.
--
--     moonshelf run --allow sql scripts/failed_notices.lua
--     moonshelf run --allow sql scripts/failed_notices.lua --span last_month --channel email

needs { "sql" }

report.params {
    span = { type = "period", help = "only notices that were made on these dates; all if left out" },
    channel = { help = "only notices of this channel, such as email" },
    limit = { type = "integer", default = 500, help = "how many notices" },
}

local span = args.span or {}
local found = stats.query([[
    SELECT id, kind, stage, channel, patron, created_at, tries FROM report_notices
    WHERE state = 'failed' ORDER BY created_at DESC, id DESC]])

local rows, groups, by_name, patron_count, seen, count = {}, {}, {}, 0, {}, 0
for _, notice in ipairs(found) do
    local day = date(notice.created_at)
    local falls_within = (not span.from or day >= span.from) and (not span.to or day <= span.to)
    if falls_within and (not args.channel or notice.channel == args.channel) then
        count = count + 1
        local name = notice.kind .. " by " .. notice.channel
        if not by_name[name] then
            by_name[name] = { kind = notice.kind, channel = notice.channel, notices = 0 }
            groups[#groups + 1] = by_name[name]
        end
        by_name[name].notices = by_name[name].notices + 1
        if notice.patron and not seen[notice.patron] then
            seen[notice.patron] = true
            patron_count = patron_count + 1
        end
        if count <= args.limit then
            local patron = notice.patron and patrons.get(notice.patron)
            rows[count] = {
                made = notice.created_at,
                kind = notice.kind,
                stage = notice.stage,
                channel = notice.channel,
                tries = notice.tries,
                patron = report.link("patron", patron),
                name = patron and (patron.name .. " " .. patron.surname),
                email = patron and patron.email,
                phone = patron and patron.phone,
            }
        end
    end
end
table.sort(groups, function(a, b)
    if a.notices ~= b.notices then return a.notices > b.notices end
    return a.kind .. a.channel < b.kind .. b.channel
end)

report.title("Notices that were not delivered")
report.metric { name = "Failed", value = count, unit = "notices" }
report.metric { name = "Patrons", value = patron_count }
if #groups > 1 then
    local labels, values = {}, {}
    for i, group in ipairs(groups) do
        labels[i] = report.name("word", group.kind) .. " by " .. group.channel
        values[i] = group.notices
    end
    report.chart { kind = "bar", title = "By kind and channel", labels = labels, values = values }
end
report.table {
    columns = {
        { name = "made", type = "instant" },
        { name = "kind", of = "word" },
        "stage", "channel",
        { name = "tries", type = "integer" },
        "patron", "name",
        { name = "email", label = "e-mail" },
        "phone",
    },
    rows = rows,
}
