-- Closes a branch when the weather service warns: due times move to the next open day, borrowers get one message a
-- loan, and those whose holds lie on the shelf are told too. A day is closed once.
--
-- The service answers {"days":[{"date":"2026-03-03","level":4,"text":"Blizzard"}]}.

--- The days from today on for which it warns; no answer is an error.
local function warnings()
    local answer, refusal = http.get { url = settings.service, query = { branch = settings.branch } }
    if answer == nil then
        error("the weather service was not reached: " .. refusal.message)
    end
    if answer.status ~= 200 or type(answer.json) ~= "table" or type(answer.json.days) ~= "table" then
        error("the weather service answers what is none of its answers: status " .. answer.status)
    end
    local days = {}
    for _, day in ipairs(answer.json.days) do
        if (tonumber(day.level) or 0) >= settings.level then
            local on = date(day.date)
            if on >= today() and calendar.is_open(on, settings.branch) and not state.get("closed " .. day.date) then
                days[#days + 1] = { on = on, text = tostring(day.text or "Weather") }
            end
        end
    end
    return days
end

--- Those who would come for what they ordered.
local function tell_holders(day)
    for hold in holds.each { state = "shelf", pickup_branch = settings.branch } do
        notifications.send {
            patron = hold.patron,
            subject = "Closed on " .. tostring(day.on),
            body = day.text
                .. ": we are closed on "
                .. tostring(day.on)
                .. ". Your hold will stay on the hold shelf for you.",
            key = "weather " .. tostring(day.on) .. " " .. hold.id,
        }
    end
end

--- Closes the branch on a day, and keeps that it did.
local function close(warning)
    local moved, refusal = calendar.close {
        from = warning.on,
        reason = warning.text,
        branch = settings.branch,
        move_due = true,
    }
    if moved == nil then
        error(refusal.message)
    end
    state.set("closed " .. tostring(warning.on), moved)
    tell_holders(warning)
end

return plugin {
    api = 1,
    name = "weather-closure",
    version = "1.0.0",
    description = "Closes a branch when the weather service warns, and tells who is concerned",
    needs = { "http", "settings.write", "notifications.write" },
    settings = {
        service = { type = "url", help = "the weather service" },
        branch = { type = "text", default = "main", help = "the branch that it closes" },
        level = { type = "integer", default = 4, min = 1, max = 9, help = "the least level that closes" },
    },
    jobs = {
        {
            name = "ask",
            cron = "30 5 * * *",
            run = function()
                for _, warning in ipairs(warnings()) do
                    store.transaction(function()
                        close(warning)
                    end)
                end
            end,
        },
    },
}
