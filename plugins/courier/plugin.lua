-- Tells the courier what to bring where: whenever a copy that is wanted at another branch goes into transit.
--
-- Nothing about patrons leaves the library.

return plugin {
    api = 1,
    name = "courier",
    version = "1.0.0",
    description = "Tells the courier what to bring where",
    needs = { "http" },
    settings = {
        hook = { type = "url", help = "where the courier's system listens" },
        key = { type = "secret", required = false, signs = true, help = "what signs; made by itself if it is not set" },
    },
    on = {
        ["hold.in_transit"] = function(event)
            local copy = event.held_copy
            if copy == nil then
                return
            end
            http.post {
                url = settings.hook,
                json = {
                    barcode = copy.barcode,
                    title = event.title and event.title.title,
                    home = copy.branch,
                    to = event.pickup_branch,
                    since = event.at,
                },
                key = "event " .. event.sequence .. " " .. tostring(event.at),
            }
        end,
    },
}
