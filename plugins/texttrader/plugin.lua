-- Text Trader's routes, with its fields, words and statuses, over the library's accounts and its market.
local answers = require "answers"
local books = require "books"
local help = require "help"
local members = require "members"
local threads = require "threads"

local problem, others = answers.problem, answers.others

return plugin {
    api = 1,
    name = "texttrader",
    version = "1.1.0",
    description = "Answers clients of Text Trader",
    needs = { "patrons.write", "market.write" },
    settings = {
        schools = {
            type = "text", default = "",
            help = "the schools to choose from: State University, Springfield, Illinois; City College, Salem, Oregon",
        },
        contact = { type = "text", default = "", help = "whom the page of help tells to ask" },
    },
    routes = {
        ["POST /register"] = { role = "everyone", token = "none", problem = problem, run = members.register },
        ["POST /login"] = { role = "everyone", token = "none", problem = problem, run = members.log_in },
        ["POST /verify"] = { role = "everyone", token = "none", problem = problem, run = members.verify },
        ["GET /api/books"] = { role = "everyone", token = "none", problem = problem, run = books.list },
        ["POST /api/books"] = { role = "patron", scope = "market", problem = problem, run = books.add },
        ["GET /api/books/{id}"] = { role = "everyone", scope = "market", problem = problem, run = books.get },
        ["PUT /api/books/{id}"] = { role = "patron", scope = "market", problem = problem, run = books.change },
        ["DELETE /api/books/{id}"] = { role = "patron", scope = "market", problem = problem, run = books.remove },
        ["GET /api/history"] = { role = "patron", scope = "market", problem = problem, run = books.history },
        ["GET /api/schools"] = { role = "everyone", token = "none", problem = problem, run = members.list_schools },
        ["GET /api/help"] = { role = "everyone", token = "none", problem = problem, run = help.get },
        ["GET /api/user"] = { role = "patron", scope = "market", problem = problem, run = members.user },
        ["PUT /api/user"] = { role = "patron", scope = "market", problem = problem, run = members.change_user },
        ["GET /api/threads"] = { role = "patron", scope = "market", problem = problem, run = threads.list },
        ["POST /api/threads"] = { role = "patron", scope = "market", problem = problem, run = threads.begin },
        ["GET /api/threads/{id}"] = { role = "patron", scope = "market", problem = problem, run = threads.get },
        ["POST /api/threads/{id}"] = { role = "patron", scope = "market", problem = problem, run = threads.add },
        ["* /register"] = { role = "everyone", token = "none", run = others },
        ["* /login"] = { role = "everyone", token = "none", run = others },
        ["* /verify"] = { role = "everyone", token = "none", run = others },
        ["* /api/books"] = { role = "everyone", token = "none", run = others },
        ["* /api/books/{id}"] = { role = "everyone", token = "none", run = others },
        ["* /api/history"] = { role = "everyone", token = "none", run = others },
        ["* /api/schools"] = { role = "everyone", token = "none", run = others },
        ["* /api/help"] = { role = "everyone", token = "none", run = others },
        ["* /api/user"] = { role = "everyone", token = "none", run = others },
        ["* /api/threads"] = { role = "everyone", token = "none", run = others },
        ["* /api/threads/{id}"] = { role = "everyone", token = "none", run = others },
    },
}
