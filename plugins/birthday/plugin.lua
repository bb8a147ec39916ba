-- Congratulates patrons on their birthday, those who have agreed to it: `extra.congratulate` of their record is true.
--
-- A message has a key of patron and year, so that no patron is congratulated twice, however often the job runs.

--- The day on which a birthday is kept in a year: of those born on 29 February it is the 28th where there is no other.
local function kept_on(birth, year)
    if birth.month == 2 and birth.day == 29 and (date(year .. "-03-01") - days(1)).day == 28 then
        return date(year .. "-02-28")
    end
    return date(("%d-%02d-%02d"):format(year, birth.month, birth.day))
end

local function fill(template, patron)
    return (template:gsub("{(%w+)}", { name = patron.name, surname = patron.surname }))
end

local function congratulate()
    local day, count = today(), 0
    for patron in patrons.each {} do
        local agreed = patron.extra and patron.extra.congratulate == true
        local is_member = not patron.expires_on or patron.expires_on >= day
        if agreed and is_member and patron.birth_date and kept_on(patron.birth_date, day.year) == day then
            notifications.send {
                patron = patron,
                channel = settings.channel,
                subject = fill(settings.subject, patron),
                body = fill(settings.body, patron),
                key = "birthday " .. patron.id .. " " .. day.year,
            }
            count = count + 1
        end
    end
    print(count .. " have their birthday.")
end

return plugin {
    api = 1,
    name = "birthday",
    version = "1.0.0",
    description = "Congratulates patrons who have agreed to it on their birthday",
    needs = { "notifications.write" },
    settings = {
        channel = { type = "text", default = "email", help = "how it is sent" },
        subject = { type = "text", default = "Happy birthday, {name}!", help = "may have {name} and {surname}" },
        body = {
            type = "text", default = "Dear {name},\n\nHappy birthday and all the best from your library.",
            help = "likewise",
        },
        admin = { type = "text", default = "", help = "who gets an e-mail if it fails" },
    },
    jobs = {
        { name = "congratulate", cron = "0 9 * * *", mail_on_failure = "admin", run = congratulate },
    },
}
