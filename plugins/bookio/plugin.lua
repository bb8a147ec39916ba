-- The tables of Bookio, rented from and sold by students, in and out.

local record = require "rows"
local write = require "tables"

return plugin {
    api = 1,
    name = "bookio",
    version = "1.0.0",
    description = "Reads and writes Bookio's tables",
    imports = {
        {
            name = "bookio-rented", has = { "from_user_id", "to_user_id", "ISBN" }, within = { "results" },
            key = { "from_user_id", "to_user_id", "ISBN" }, record = record.rented,
            columns = {
                from_user_id = "required word", to_user_id = "required word", ISBN = "required isbn",
                end_date = "date",
            },
        },
        {
            name = "bookio-own-books", has = { "user_id", "ISBN" }, within = { "results" },
            key = { "user_id", "ISBN" },
            record = record.own_book,
            columns = {
                user_id = "required word", ISBN = "required isbn", rent = "flag", rent_cost = "amount", sell = "flag",
                sell_cost = "amount",
            },
        },
        {
            name = "bookio-users", has = { "user_id" }, within = { "results" }, key = { "user_id" },
            record = record.user,
            columns = {
                user_id = "required word", user_fname = "text", user_lname = "text", user_phone = "word",
                password = "password",
            },
        },
        {
            name = "bookio-books", has = { "ISBN", "book_name" }, within = { "results" }, key = { "ISBN" },
            record = record.book,
            columns = { book_name = "required text", ISBN = "required isbn", book_author = "text" },
        },
        {
            name = "bookio-course-books", has = { "course_no", "ISBN" }, within = { "results" },
            key = { "course_no", "ISBN" }, record = record.course,
            columns = { course_no = "required word", ISBN = "required isbn", course_name = "text" },
        },
        {
            name = "bookio-courses", has = { "course_no" }, within = { "results" }, key = { "course_no" },
            record = record.course,
            columns = { course_no = "required word", course_name = "text", ISBN = "isbn" },
        },
    },
    exports = {
        {
            name = "User.json", within = "results", write = write.users,
            columns = { "user_id", "user_fname", "user_lname", "user_phone" },
        },
        {
            name = "Books.json", within = "results", write = write.books,
            columns = { "ISBN", "book_name", "book_author" },
        },
        { name = "Courses.json", within = "results", columns = { "course_no", "course_name?" }, write = write.courses },
        {
            name = "CourseBooks.json", within = "results", write = write.course_books,
            columns = { "course_no", "ISBN" },
        },
        {
            name = "UserBooks.json", within = "results", write = write.own_books,
            columns = { "user_id", "ISBN", "rent", "rent_cost", "sell", "sell_cost" },
        },
        {
            name = "Rented.json", within = "results", write = write.rented,
            columns = { "from_user_id", "to_user_id", "ISBN", "end_date" },
        },
    },
}
