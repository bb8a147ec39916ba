-- The lending rules of BitBooks, for a library that comes from there: five loans at a time, at most five books a
-- request, fourteen days, refusals and reminders in the words its readers know. Unlike there, a returned book frees
-- its place.

local most_loans = 5

return policy {
    api = 1,
    name = "bitbooks",
    description = "Five loans of fourteen days, in the words of BitBooks",

    rules = {
        { loan = days(14), closed = "keep", due_time = "end_of_day", due_expiry = false },
    },

    -- As there, a loan is late as soon as its due date begins.
    notices = {
        {
            stage = "overdue",
            after = days(0),
            channel = "inbox",
            subject = "Loan expired",
            body = "Dear {{patron.username}}, the loan period has expired. You must return \"{{title.title}}\".\n",
        },
    },

    messages = {
        no_copies = "No more copies available for the book: {{title.title}}",
        unknown_title = "No more copies available for the book: Unknown book",
    },

    -- In this order: too many in one request, no place left, too few places left. Copies are looked at afterwards.
    request = function(case)
        local asked, open = case.request.size, #case.patron.loans
        if asked > most_loans then
            return deny("request_size", "Request less than 5 books")
        end
        if open >= most_loans then
            return deny("limit", "You have already made 5 loans")
        end
        if open + asked > most_loans then
            return deny(
                "limit",
                string.format(
                    "You have already made %d loans, you can only apply for %d more",
                    open,
                    most_loans - open
                )
            )
        end
    end,
}
