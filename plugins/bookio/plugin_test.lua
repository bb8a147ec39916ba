local FILES = {
    { "User.json", '{"user_id":"ann","user_fname":"Ann","user_lname":"Lee","user_phone":"5551234567"},\n'
        .. '{"user_id":"bob","user_fname":"Bob","user_lname":"Moss","user_phone":""}' },
    { "Books.json", '{"ISBN":"9780140449136","book_name":"Odyssey","book_author":"Homer"}' },
    { "CourseBooks.json", '{"course_no":"GRK 1","ISBN":"9780140449136"}' },
    { "Courses.json", '{"course_no":"GRK 1","course_name":"Greek"}' },
    { "UserBooks.json", '{"user_id":"ann","ISBN":"9780140449136","rent":1,"rent_cost":5.5,"sell":1,"sell_cost":12},\n'
        .. '{"user_id":"bob","ISBN":"9780140449136","rent":0,"rent_cost":null,"sell":0,"sell_cost":null}' },
    { "Rented.json", '{"from_user_id":"bob","to_user_id":"ann","ISBN":"9780140449136","end_date":"2026-12-24"}' },
}

local function text(rows)
    return '{"results":[\n' .. rows .. "\n]}\n"
end

test("all tables come in and go out as they were, and add nothing again", function()
    for _, file in ipairs(FILES) do
        expect(import(file[1], text(file[2])).rejected, 0)
    end
    for _, file in ipairs(FILES) do
        expect(export(file[1]), text(file[2]))
        expect(import(file[1], text(file[2])).added, 0)
    end
    expect(#market.rentals { borrower = "ann" }, 1)
end)

test("a price that is not told is asked for", function()
    import("User.json", text(FILES[1][2]))
    local report = import("UserBooks.json", text '{"user_id":"ann","ISBN":"9780140449136","rent":1}')
    expect(report.problems[1].field, "results[1].rent_cost")
end)

test("a course without books is refused", function()
    expect(import("Courses.json", text(FILES[4][2])).problems[1].code, "no_book")
end)
