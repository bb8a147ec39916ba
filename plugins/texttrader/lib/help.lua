-- What the app's page of help has: four topics, privacy, and whom to ask.
local answers = require "answers"

local topics = {
    { "Post a book", "Give its title or ISBN. With a price it is for sale, otherwise to trade, or as a donation. "
        .. "Some posts are in review at first: staff look at them before others see them." },
    { "Find a book", "Search by the beginning of any word of its title, and by school." },
    { "Write to an owner", "Open the book and send a message. Your threads show what was answered." },
    { "Your account", "Your posts stand in your history. A forgotten password is set anew by mail." },
}

local help = {}

function help.get()
    local rows = {}
    for place, topic in ipairs(topics) do
        rows[place] = json.object { { "title", topic[1] }, { "text", topic[2] } }
    end
    return answers.say(200, json.object {
        { "topics", json = "[" .. table.concat(rows, ",") .. "]" },
        { "privacy", "Others see your username, or a name such as Reader 62, never an address or a number." },
        { "contact", settings.contact },
    })
end

return help
