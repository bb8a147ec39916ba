---@meta
-- Generated from the declaration of the Lua API by `moonshelf api --luacats`.

---An exact amount in a currency.
---@class money
---@field currency string such as `EUR`
---@field minor_units integer such as cents
---@operator add(money): money
---@operator sub(money): money
---@operator unm: money
---@operator mul(integer): money
---@operator mul(percent): money
---@operator div(integer): money
---@operator div(money): number

---A date.
---@class date
---@field year integer
---@field month integer
---@field day integer
---@field weekday integer 1 is Monday
---@field yearday integer 1 is 1 January
---@operator sub(date): period
---@operator sub(instant): period
---@operator add(period): date
---@operator sub(period): date

---A moment; its fields are those of the local time at the branch.
---@class instant
---@field date date at the branch
---@field hour integer
---@field minute integer
---@field second integer
---@field year integer
---@field month integer
---@field day integer
---@field weekday integer 1 is Monday
---@field yearday integer 1 is 1 January
---@operator sub(instant): period
---@operator sub(date): period
---@operator add(period): instant
---@operator sub(period): instant

---A length of time, such as days(14) or hours(3).
---@class period
---@field count integer
---@field unit string such as `days`
---@operator add(date): date
---@operator add(instant): instant
---@operator add(period): any
---@operator sub(period): any
---@operator unm: period
---@operator mul(integer): period

---An exact percentage.
---@class percent
---@operator mul(money): money

---Above every number, amount and period.
---@class unlimited

---Nothing, where leaving a field out would mean something else.
---@class none

---A bibliographic record.
---@class title
---@field id integer the number under which the desk keeps it
---@field isbn? string 13 digits; a title may have none
---@field title string
---@field authors string[] in the order of the title page
---@field publisher? string
---@field year? integer of publication; negative before the common era
---@field language? string an ISO 639 code as the source gives it
---@field genres string[]
---@field subjects string[]
---@field courses course[] courses that use it
---@field college? string
---@field edition? string
---@field series? string the series that it is a volume of
---@field series_number? string which volume, as the title page has it
---@field description? string
---@field cover_url? string
---@field cover? string the name of the picture of it that the library keeps
---@field preview_url? string
---@field stars? integer
---@field recommended boolean chosen by the library
---@field extra any fields of the library's own
---@field copies integer copies that are neither lost nor withdrawn
---@field available integer copies that can be lent now
---@field on_loan integer copies that are lent
---@field ratings integer how many members rated it
---@field rating? number their stars on average, rounded to a tenth

---A course that uses a title.
---@class course
---@field code string
---@field name? string

---One item on the shelf: a copy of a title.
---@class copy
---@field id integer
---@field barcode string unique
---@field title integer the title's id
---@field branch string the code of its own branch
---@field item_type string the code of its item type
---@field status "available"|"on_loan"|"on_hold_shelf"|"in_transit"|"lost"|"withdrawn" where it is
---@field replacement_price? money
---@field location? string where it stands in its branch, in a word of the library's own
---@field acquired_on? date the day on which the library got it
---@field call_number? string the mark by which it stands there, as on its spine label
---@field extra any fields of the library's own

---A title with how often it was lent.
---@class lent_title
---@field title title
---@field loans integer how often it was lent
---@field copies integer its copies
---@field turnover number loans for each copy

---A text about a title, and links that send it on.
---@class share
---@field text string title, authors, year and ISBN
---@field links any by service: `email`, `whatsapp`, `x`, `telegram`

---What misspelt words were perhaps meant to be.
---@class spelling
---@field query string the words to search by

---How many of the titles that a query finds have a value.
---@class facet
---@field kind "author"|"genre"|"language"|"decade"|"year"|"branch"|"available" the field of the query that takes the value
---@field value string a name, a number, a branch's code, `true`
---@field titles integer how many titles have it
---@field more boolean whether more titles match than were counted, so that more may have it

---A person who borrows.
---@class patron
---@field id integer
---@field username string unique and replaceable
---@field name string
---@field surname string
---@field display_name? string as other members see them; nil: by the username, if that is no address
---@field email? string
---@field phone? string
---@field category string a category's code
---@field home_branch string a branch's code
---@field language? string
---@field birth_date? date
---@field expires_on? date the last day of the membership; nil: without end
---@field role "patron"|"staff"|"admin"
---@field extra any fields of the library's own

---A block on a patron; a suspension is one of the kind `suspension`.
---@class block
---@field id integer
---@field patron integer the patron's id
---@field kind string a word of the library's own, or `suspension`
---@field reason string
---@field actions ("borrow"|"renew"|"hold"|"cart"|"market"|"self")[] what it forbids
---@field created_at instant
---@field ends? date its last day; nil: until it is lifted
---@field lifted_at? instant

---A patron to whom another is linked.
---@class link
---@field patron integer the linked patron's id
---@field username string
---@field name string their full name
---@field kind "guardian"|"dependent"|"household" what they are: the guardian, a dependent for whom the other answers, or of the same `household`
---@field since instant since when; of a household since when both are in it

---Two records that are likely one person.
---@class duplicate
---@field patron patron the one that was registered later
---@field other patron
---@field why "same_email"|"same_name_and_birth_date"|"near_name_and_birth_date" what they have in common

---A part of those who are likely registered twice.
---@class duplicates
---@field found duplicate[] in the order of birthdays, then of e-mail addresses
---@field looked_at integer how many patrons were looked at
---@field next? string what `after` of the next part is; nil where all were looked at

---What became of two records of one person.
---@class merge
---@field patron patron the record that stays
---@field loans integer loans that went over, past ones too
---@field holds integer holds that went over, past ones too
---@field holds_cancelled integer[] holds that ended, since both waited for the same
---@field ledger_entries integer lines of the account that went over
---@field notices integer messages that went over
---@field blocks integer blocks that went over, past ones too
---@field links integer links to other patrons, on either side, that went over
---@field cart_lines integer lines of the cart that went over
---@field favourites integer favourites that went over
---@field ratings integer ratings that went over
---@field lists integer lists of titles that went over
---@field listings integer listings that went over
---@field orders integer orders that went over
---@field rentals integer rentals on either side that went over
---@field suggestions integer suggestions that went over
---@field owed money what is owed now
---@field limits_exceeded string[] limits that loans and holds go beyond now

---A title, or something offered, that a patron keeps in mind.
---@class favourite
---@field id integer
---@field patron integer the patron's id
---@field title? integer the title's id; nil for a listing
---@field listing? integer the listing's id; nil for a title
---@field added_at instant
---@field name string the title's name

---A loan, open or past.
---@class loan
---@field id integer
---@field copy? integer the copy's id
---@field title? integer the title's id
---@field patron? integer the patron's id; nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field imported boolean it came from another system
---@field notices_sent_until? instant what was to be said before is said already

---A copy that came back, or was scanned: its loan, if it was on loan, with what that led to.
---@class checkin
---@field id? integer
---@field copy? integer the copy's id
---@field title? integer the title's id
---@field patron? integer the patron's id; nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at? instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals? integer
---@field unseen_renewals? integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site? boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field imported? boolean it came from another system
---@field notices_sent_until? instant what was to be said before is said already
---@field barcode? string the copy's
---@field hold? hold the hold for which the copy is set aside
---@field posted ledger_entry[] what was added to the patron's account
---@field suspension? block the suspension it brought
---@field failures string[] why the policy gave no answer; the copy was taken all the same

---A loan whose copy is lost or was claimed to be returned, with what that led to.
---@class stopped_loan
---@field id integer
---@field copy? integer the copy's id
---@field title? integer the title's id
---@field patron? integer the patron's id; nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field imported boolean it came from another system
---@field notices_sent_until? instant what was to be said before is said already
---@field barcode string the copy's
---@field posted ledger_entry[] what was added to the patron's account, or taken off
---@field failures string[] why the policy gave no answer; the loan has stopped all the same

---The loan of a title that was made last.
---@class latest_loan
---@field lent_at instant
---@field patron? integer who borrowed, where that may be said
---@field name? string their full name, where that may be said

---A session: a token for some hours.
---@class session
---@field token string to be sent as `Authorization: Bearer TOKEN`; it is shown this once
---@field expires_at instant
---@field patron patron who logged in

---A patron's claim on a title, or on one copy of it.
---@class hold
---@field id integer
---@field title? integer the title's id; nil once the title is removed
---@field copy? integer the id of the one copy that will do; nil: any copy
---@field patron? integer the patron's id; nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? integer the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? integer the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field position? integer the place among those that wait, 1 being the first

---A copy to be fetched from the open shelves for a hold.
---@class pull_item
---@field barcode string
---@field branch string where the copy stands
---@field location? string the code of where it stands in its branch
---@field call_number? string the mark by which it stands there
---@field item_type string
---@field title integer the title's id
---@field name string the title's name
---@field authors string[] the title's authors
---@field hold integer the hold it is for
---@field pickup_branch string where it is wanted
---@field placed_at instant

---A use of a copy in the house.
---@class in_house_use
---@field id integer
---@field copy? integer the copy's id
---@field title? integer the title's id
---@field item_type? string
---@field branch? string where it was used
---@field used_at instant

---What the policy answers for one title, with nothing written.
---@class decision
---@field point string the decision point
---@field answer "allow"|"confirm"|"deny"|"failed"
---@field barcode? string the copy the question was put on
---@field title? integer the title's id
---@field due_at? instant
---@field due_on? date
---@field rental? money what it would cost; nil for nothing
---@field fields any the rule's fields, each with value, row, file and line

---A decision as the decision log keeps it.
---@class recorded_decision
---@field event integer the event that carried it out, or tells of the refusal
---@field at instant
---@field kind string the event's kind
---@field point string the decision point
---@field policy string SHA-256 of the policy that was asked
---@field case any the case as it was put
---@field decision any `answer`, `due`, `refusal` and `fields`, each with row, file and line

---A request that was answered with no.
---@class refusal
---@field code string stable: `limit`, `blocked`, `no_copies` ... or a policy's own
---@field message string what a patron or librarian reads
---@field details any `reasons`: all of them, the first first; `confirm` where it is a question, `override` where staff may go on
---@field may_be_overridden boolean by staff with `loans.override` and a reason
---@field policy? string SHA-256 of the policy that decided
---@field where? any `row` (`table`, `row`), `field`, `file`, `line`; nil where no rule decided

---A message to a patron, its text made when it was decided.
---@class notice
---@field id integer
---@field kind string `overdue`, `due_soon`, `message` and the like
---@field subject_key string what it is about; with kind, due time, stage and repetition unique
---@field patron integer the patron's id
---@field loan? integer the loan's id
---@field due_at? instant the due time it is about
---@field stage string
---@field repetition integer
---@field channel string
---@field subject string
---@field body string
---@field state "queued"|"sent"|"failed"|"read"|"superseded"|"cancelled"
---@field created_at instant
---@field sent_at? instant
---@field read_at? instant
---@field tries integer how often it was sent, or tried in vain
---@field failure? string why the last try was in vain: `refused`, `no_address` and the like

---A message that waits to be sent or was given up.
---@class outbox_notice
---@field id integer
---@field kind string `overdue`, `due_soon`, `message` and the like
---@field subject_key string what it is about; with kind, due time, stage and repetition unique
---@field patron integer the patron's id
---@field loan? integer the loan's id
---@field due_at? instant the due time it is about
---@field stage string
---@field repetition integer
---@field channel string
---@field subject string
---@field body string
---@field state "queued"|"sent"|"failed"|"read"|"superseded"|"cancelled"
---@field created_at instant
---@field sent_at? instant
---@field read_at? instant
---@field tries integer how often it was sent, or tried in vain
---@field failure? string why the last try was in vain: `refused`, `no_address` and the like
---@field words? string what the other side said of the last try in vain
---@field mail? string the same for notices that shared a mail; nil: it went alone, or was not tried yet
---@field may_have_arrived boolean whether some try ended without an answer, so that the patron may have it

---What a sweep did.
---@class sweep
---@field loans integer loans it looked at
---@field notices integer notices queued, or delivered at once
---@field merged integer notices whose words another message carries
---@field superseded integer stages recorded as passed over
---@field holds_expired integer holds that ended: no longer wanted, or not fetched in time
---@field renewed integer loans that renewed by themselves
---@field lost integer copies that count as lost from now on
---@field charges integer lines added to accounts
---@field charged money their sum
---@field failed integer loans skipped because the policy failed
---@field failures string[] the first hundred

---Something that a patron or the library offers.
---@class listing
---@field id integer
---@field seller? integer the patron's id; nil: the library itself, or a seller who was removed
---@field title? integer the title's id; nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field note string
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it
---@field name string the title's name
---@field authors string[] the title's
---@field isbn? string the title's
---@field seller_name? string as other patrons see the seller

---What a patron bought or rented in one go, with what it cost.
---@class order
---@field id integer
---@field buyer? integer the patron's id; nil once the patron is removed
---@field state "open"|"done"|"cancelled" `open` until it is handed over
---@field items order_item[]
---@field lines price_line[] what is owed to the library is posted to the buyer's account
---@field total money the sum of the lines
---@field placed_at instant
---@field closed_at? instant when it was handed over or cancelled
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that set the price
---@field owed money what of it is owed to the library, the rest being between patrons

---One thing that was bought or rented.
---@class order_item
---@field listing? integer the listing's id
---@field title? integer the title's id
---@field seller? integer the seller's id; nil: the library itself
---@field kind "buy"|"rent"
---@field name string the title's name as it was
---@field quantity integer
---@field price money of one piece, of a rental for one period
---@field periods integer how many periods a rental lasts
---@field ends_on? date the last day of a rental

---One line of what something costs.
---@class price_line
---@field label string
---@field amount money negative for a reduction
---@field item? integer the place among the items of the order, or among the cart's lines to buy and rent, of one whose seller it is owed to; nil: it is owed to the library

---Something of a listing that a patron has until a date.
---@class rental
---@field id integer
---@field listing integer
---@field title? integer the title's id
---@field lender? integer the seller's id; nil: the library itself
---@field borrower? integer the patron's id; nil once the patron is removed
---@field order? integer the order that charged it
---@field quantity integer
---@field price money for each `period`, as it was
---@field period period
---@field begun_at instant
---@field ends_on date the last day
---@field ended_at? instant when it was given back; nil: it is open

---What a title sold for in one month.
---@class month_of_sales
---@field month string `2026-05`
---@field sold integer items sold
---@field lowest? money the lowest price of a piece
---@field average? money the mean price of a piece, rounded half up
---@field highest? money the highest price of a piece

---Something in a patron's cart.
---@class cart_line
---@field id integer
---@field kind "loan"|"buy"|"rent"
---@field title? integer the title to borrow
---@field listing? integer the listing to buy or rent from
---@field quantity integer
---@field price? money the listing's price when the line was written
---@field ends_on? date the last day of a rental
---@field added_at instant
---@field name string the title's name

---What a cart comes to.
---@class cart_total
---@field lines price_line[]
---@field total money the sum of the lines
---@field owed money what of it would be owed to the library

---What became of a cart.
---@class cart_checkout
---@field loans loan[]
---@field order? order what was bought and rented; nil where nothing was
---@field rentals rental[]

---A title that a patron asks the library for.
---@class suggestion
---@field id integer
---@field patron? integer the patron's id; nil once the patron is removed
---@field name string the title's name as it was asked for
---@field isbn? string
---@field authors string[]
---@field courses string[] codes of courses that use it
---@field college? string
---@field note string the proposer's own words
---@field state "review"|"approved"|"rejected"
---@field submitted_at instant
---@field decided_at? instant
---@field decision? string what was said with the decision, or why it is reviewed
---@field title? integer the title in the catalogue, once it is approved

---What a patron thinks of a title.
---@class rating
---@field id integer
---@field title integer the title's id
---@field patron integer who rates
---@field stars integer from 1 to 5
---@field review string the patron's own words
---@field state "shown"|"reported"|"kept"|"hidden" of the words: whether others see them
---@field rated_at instant
---@field changed_at instant when stars or words were last changed
---@field decision? string why staff hid the words
---@field name string the title's name
---@field reader_name? string the name that who rates chose to be seen by

---What a member wrote of a title, as everyone sees it.
---@class review
---@field id integer
---@field title integer the title's id
---@field stars integer
---@field review string the member's own words
---@field reader_name? string the name that the member chose to be seen by
---@field changed_at instant when it was written

---How a title was rated.
---@class rating_summary
---@field ratings integer how many ratings there are
---@field average? number stars on average, rounded to a tenth; nil: there are no ratings

---Titles that a patron put together under a name.
---@class title_list
---@field id integer
---@field patron integer whose it is
---@field name string the patron's own words
---@field is_public boolean whether everyone may see it
---@field link_key? string what is in the link by which it is shared; nil: it is not shared so
---@field created_at instant
---@field taken_down_at? instant when staff took it down; nil: they did not
---@field decision? string why staff took it down
---@field visibility "private"|"link"|"public" who may see it: its owner, who has the link, everyone
---@field titles integer how many titles it has
---@field owner_name? string the name that its owner chose to be seen by

---A title of a list.
---@class listed_title
---@field id integer
---@field list integer the list's id
---@field title integer the title's id
---@field added_at instant

---What two patrons write to each other about a listing.
---@class conversation
---@field id integer
---@field listing integer what it is about
---@field asker? integer who wrote first; nil once the patron is removed
---@field owner? integer who offers it; nil once the patron is removed
---@field begun_at instant
---@field last_at instant when the last message was sent
---@field messages integer how many it has
---@field asker_read integer up to which number the asker has read
---@field owner_read integer up to which number the owner has read
---@field name string the name of the title that is offered
---@field asker_name? string as other patrons see the asker
---@field owner_name? string as other patrons see the owner

---One message of a conversation.
---@class message
---@field id integer
---@field conversation integer the conversation's id
---@field number integer its place in the conversation, from 1 on
---@field sender? integer nil once the patron is removed
---@field text string the sender's own words
---@field sent_at instant
---@field sender_name? string as other patrons see the sender

---One line of a patron's account.
---@class ledger_entry
---@field id integer
---@field key string unique: the same charge is never posted twice
---@field patron integer the patron's id
---@field loan? integer the loan's id
---@field kind "fine"|"charge"|"adjustment"|"payment"|"waiver"|"refund"
---@field amount money positive: the patron owes more
---@field label string
---@field at instant

---A branch of the library.
---@class branch
---@field code string its key
---@field name string
---@field parent? string the code of the branch it is a part of
---@field time_zone? string nil: the library's
---@field calendar any `weekly`, `closed`, `yearly`, `open`

---A category of patrons.
---@class category
---@field code string its key
---@field name string
---@field parent? string the code of the category it belongs to

---A type of item.
---@class item_type
---@field code string its key
---@field name string
---@field parent? string the code of the type it belongs to

---A shelving location that has a name.
---@class location
---@field code string its key: the `location` of its copies
---@field name string

---Days on which a branch is closed.
---@class closure
---@field from string `2026-12-24`, or `12-25` for every year
---@field to string the last day
---@field reason string
---@field yearly boolean every year

---One line of a count of loans.
---@class loan_count
---@field key string `2026-12-24`, `2026-W52`, `2026-12`, `2026`, a code, a genre or a title's id
---@field count integer

---A title on the shelves that is hardly lent.
---@class rarely_lent
---@field title title
---@field recent integer how often it was lent in the time asked about
---@field ever integer how often it was lent in all

---How many titles and copies there are.
---@class title_totals
---@field titles integer
---@field copies integer copies of them that are neither lost nor withdrawn

---What stands on the shelves of one year.
---@class collection_year
---@field year? integer when it came out; nil: not known
---@field titles integer titles with copies
---@field copies integer copies that are neither lost nor withdrawn
---@field on_loan integer copies that are lent

---What the library holds of a subject, a genre or a college.
---@class holding
---@field key string its name; empty: titles without one
---@field titles integer
---@field copies integer copies that are neither lost nor withdrawn
---@field loans integer how often they were lent in the time asked about
---@field turnover number loans for each copy

---What happens at an hour of a weekday.
---@class hour_of_week
---@field weekday integer 1: Monday
---@field hour integer from this hour on
---@field loans integer
---@field returns integer

---How many patrons joined in a month.
---@class month_of_patrons
---@field month string `2026-12`
---@field category? string the one that they have now; nil once they are gone
---@field count integer

---A column of figures.
---@class figure_column
---@field key string a code, a word or a time such as `2026-12`; `-`: not known
---@field name string what readers call it, in the language of the report
---@field value any the figure of all its rows: a whole number, or an amount

---A row of figures.
---@class figure_row
---@field key string a code, a word or a time such as `2026-12`; `-`: not known
---@field name string what readers call it, in the language of the report
---@field value any the figure of all its rows: a whole number, or an amount
---@field cells any[] a figure for each column

---What was counted, by rows and columns.
---@class figures
---@field total any all there is, each once: a whole number, or an amount
---@field rows figure_row[]
---@field columns figure_column[] none where no columns were asked for
---@field left_out integer how many rows there are besides

---A patron who owes something.
---@class debtor
---@field patron patron
---@field owed money more than nothing

---What patrons owe together.
---@class debt_total
---@field patrons integer how many owe something
---@field owed money what they owe; what the library owes to others is not taken off

---Something that happened at the desk, as it was written down.
---@class event
---@field sequence integer its place in the log
---@field at instant
---@field actor string who did it: `patron:ID`, or a program's name
---@field actor_username? string the actor's username as it is now; nil for a program
---@field channel string
---@field kind string `loan.made`, `title.added` and the like
---@field patron? integer the patron's id
---@field copy? integer the copy's id
---@field loan? integer the loan's id
---@field payload any ids and figures; never a person's name or address

---What became of a request to a server.
---@class http_reply
---@field id? string its `webhook-id`, where it waits in the outbox
---@field status? integer the server's answer: 200 and the like
---@field headers? any the fields of the answer, by names in lower case
---@field body? string the answer's text
---@field json? any the text as JSON, if it is some

---A subscription to events.
---@class webhook
---@field id integer
---@field url string where events are posted, without the query, which may be secret
---@field events string[] the events that it wants; empty: all
---@field note string
---@field state "active"|"paused" `paused` once its server took nothing for three days
---@field position integer the sequence of the last event that is in the outbox or was not wanted
---@field waiting integer how many events wait to be sent
---@field failed integer how many were given up
---@field created_at instant
---@field failing_since? instant since when every try was in vain
---@field secret? string what signs; said once, when the subscription is made

---The name of an event.
---@alias event_name
---| "library.changed"
---| "branch.added"
---| "branch.updated"
---| "branch.removed"
---| "category.added"
---| "category.updated"
---| "category.removed"
---| "item_type.added"
---| "item_type.updated"
---| "item_type.removed"
---| "location.added"
---| "location.updated"
---| "location.removed"
---| "title.added"
---| "title.updated"
---| "title.removed"
---| "copy.added"
---| "copy.updated"
---| "copy.withdrawn"
---| "copy.used_in_house"
---| "patron.added"
---| "patron.updated"
---| "patron.removed"
---| "patron.merged"
---| "patron.blocked"
---| "patron.unblocked"
---| "account.changed"
---| "events.cleared"
---| "patron.linked"
---| "patron.unlinked"
---| "loan.made"
---| "loan.renewed"
---| "loan.returned"
---| "loan.due_set"
---| "loan.recalled"
---| "loan.lost"
---| "loan.claimed"
---| "loan.imported"
---| "loan.renewal_imported"
---| "loan.told"
---| "loan.due_soon"
---| "loan.overdue"
---| "hold.placed"
---| "hold.suspended"
---| "hold.resumed"
---| "hold.pickup_set"
---| "hold.in_transit"
---| "hold.shelved"
---| "hold.shelf_extended"
---| "hold.returned"
---| "hold.filled"
---| "hold.expired"
---| "hold.cancelled"
---| "hold.imported"
---| "hold.moved"
---| "listing.published"
---| "listing.updated"
---| "listing.decided"
---| "listing.withdrawn"
---| "listing.taken"
---| "listing.returned"
---| "listing.imported"
---| "suggestion.submitted"
---| "suggestion.decided"
---| "suggestion.imported"
---| "order.placed"
---| "order.imported"
---| "order.done"
---| "order.cancelled"
---| "rental.begun"
---| "rental.imported"
---| "rental.ended"
---| "cart.changed"
---| "favourite.added"
---| "favourite.removed"
---| "conversation.begun"
---| "conversation.read"
---| "message.sent"
---| "writer.blocked"
---| "writer.unblocked"
---| "rating.added"
---| "rating.changed"
---| "rating.removed"
---| "review.reported"
---| "review.hidden"
---| "review.shown"
---| "list.added"
---| "list.changed"
---| "list.removed"
---| "list.taken_down"
---| "list.restored"
---| "list.title_added"
---| "list.title_removed"
---| "policy.activated"
---| "policy.withdrawn"
---| "policy.overridden"
---| "policy.failed"
---| "decisions.pruned"
---| "request.refused"
---| "plugin.changed"
---| "webhook.changed"
---| "notice.recorded"
---| "notice.changed"
---| "ledger.posted"
---| "schedule.tick"
---| "job.ended"

---The library's name, time zone or currency was changed.
---@class event.library.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field library_name string
---@field zone string
---@field currency string such as `EUR`
---@field reserved_names string[] the words that no display name begins with
---@field has_ratings boolean whether patrons rate titles
---@field gathered_notices string[] the kinds of notices of which one message has several

---A branch was added.
---@class event.branch.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key
---@field branch_name string
---@field parent? string the code of the branch it is a part of
---@field zone? string nil: the library's
---@field calendar any `weekly`, `closed`, `yearly`, `open`

---A branch was changed: its name, its zone, its opening hours or its closures.
---@class event.branch.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key
---@field branch_name string
---@field parent? string the code of the branch it is a part of
---@field zone? string nil: the library's
---@field calendar any `weekly`, `closed`, `yearly`, `open`

---A branch was removed.
---@class event.branch.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string

---A category of patrons was added.
---@class event.category.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key
---@field category_name string
---@field parent? string the code of the category it belongs to

---A category of patrons was changed.
---@class event.category.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key
---@field category_name string
---@field parent? string the code of the category it belongs to

---A category of patrons was removed.
---@class event.category.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string

---An item type was added.
---@class event.item_type.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key
---@field item_type_name string
---@field parent? string the code of the type it belongs to

---An item type was changed.
---@class event.item_type.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key
---@field item_type_name string
---@field parent? string the code of the type it belongs to

---An item type was removed.
---@class event.item_type.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string

---A shelving location was given a name.
---@class event.location.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key: the `location` of its copies
---@field location_name string

---A shelving location was given another name.
---@class event.location.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string its key: the `location` of its copies
---@field location_name string

---A shelving location has no name any more.
---@class event.location.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field code string

---A title was added to the catalogue.
---@class event.title.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field title title
---@field isbn? string 13 digits; a title may have none
---@field title_name string
---@field authors string[] in the order of the title page
---@field publisher? string
---@field year? integer of publication; negative before the common era
---@field language? string an ISO 639 code as the source gives it
---@field genres string[]
---@field subjects string[]
---@field courses course[] courses that use it
---@field college? string
---@field edition? string
---@field series? string the series that it is a volume of
---@field series_number? string which volume, as the title page has it
---@field description? string
---@field cover_url? string
---@field cover? string the name of the picture of it that the library keeps
---@field preview_url? string
---@field stars? integer
---@field recommended boolean chosen by the library
---@field extra any fields of the library's own

---A title was changed.
---@class event.title.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field title title
---@field isbn? string 13 digits; a title may have none
---@field title_name string
---@field authors string[] in the order of the title page
---@field publisher? string
---@field year? integer of publication; negative before the common era
---@field language? string an ISO 639 code as the source gives it
---@field genres string[]
---@field subjects string[]
---@field courses course[] courses that use it
---@field college? string
---@field edition? string
---@field series? string the series that it is a volume of
---@field series_number? string which volume, as the title page has it
---@field description? string
---@field cover_url? string
---@field cover? string the name of the picture of it that the library keeps
---@field preview_url? string
---@field stars? integer
---@field recommended boolean chosen by the library
---@field extra any fields of the library's own

---A title was removed from the catalogue, and its copies with it.
---@class event.title.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field id integer the id that the title had

---A copy was added.
---@class event.copy.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field copy copy
---@field barcode string unique
---@field title title
---@field branch string the code of its own branch
---@field item_type string the code of its item type
---@field status "available"|"on_loan"|"on_hold_shelf"|"in_transit"|"lost"|"withdrawn" where it is
---@field replacement_price? money
---@field location? string where it stands in its branch, in a word of the library's own
---@field acquired_on? date the day on which the library got it
---@field call_number? string the mark by which it stands there, as on its spine label
---@field extra any fields of the library's own

---A copy was changed: its branch, its type, its status or its price.
---@class event.copy.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field copy copy
---@field barcode string unique
---@field title title
---@field branch string the code of its own branch
---@field item_type string the code of its item type
---@field status "available"|"on_loan"|"on_hold_shelf"|"in_transit"|"lost"|"withdrawn" where it is
---@field replacement_price? money
---@field location? string where it stands in its branch, in a word of the library's own
---@field acquired_on? date the day on which the library got it
---@field call_number? string the mark by which it stands there, as on its spine label
---@field extra any fields of the library's own

---A copy was taken out of the collection.
---@class event.copy.withdrawn
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field copy copy
---@field barcode string unique
---@field title title
---@field branch string the code of its own branch
---@field item_type string the code of its item type
---@field status "available"|"on_loan"|"on_hold_shelf"|"in_transit"|"lost"|"withdrawn" where it is
---@field replacement_price? money
---@field location? string where it stands in its branch, in a word of the library's own
---@field acquired_on? date the day on which the library got it
---@field call_number? string the mark by which it stands there, as on its spine label
---@field extra any fields of the library's own

---A copy was used in the house, without a loan.
---@class event.copy.used_in_house
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field use? integer
---@field copy? copy
---@field title? title
---@field item_type? string
---@field branch? string where it was used
---@field used_at instant

---A patron was added.
---@class event.patron.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron patron
---@field category string a category's code
---@field home_branch string a branch's code
---@field language? string
---@field expires_on? date the last day of the membership; nil: without end
---@field role "patron"|"staff"|"admin"
---@field personal string[] the names of the personal fields that were set or changed

---A patron's record was changed.
---@class event.patron.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron patron
---@field category string a category's code
---@field home_branch string a branch's code
---@field language? string
---@field expires_on? date the last day of the membership; nil: without end
---@field role "patron"|"staff"|"admin"
---@field personal string[] the names of the personal fields that were set or changed

---A patron was removed; what was personal is gone.
---@class event.patron.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field id integer the id that the patron had

---Two records of one person became one.
---@class event.patron.merged
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field from integer the id of the record that goes
---@field into patron the record that stays
---@field reason? string

---A patron was blocked, or suspended by a policy.
---@class event.patron.blocked
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field block? integer
---@field patron patron
---@field kind string a word of the library's own, or `suspension`
---@field actions ("borrow"|"renew"|"hold"|"cart"|"market"|"self")[] what it forbids
---@field created_at instant
---@field ends? date its last day; nil: until it is lifted
---@field lifted_at? instant

---A block on a patron was lifted.
---@class event.patron.unblocked
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field block? integer
---@field patron patron
---@field kind string a word of the library's own, or `suspension`
---@field actions ("borrow"|"renew"|"hold"|"cart"|"market"|"self")[] what it forbids
---@field created_at instant
---@field ends? date its last day; nil: until it is lifted
---@field lifted_at? instant

---A password was set, a key issued or revoked, a person logged in or out, or a link was mailed.
---@class event.account.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron? patron
---@field change "password_set"|"key_issued"|"key_revoked"|"logged_in"|"logged_out"|"log_in_failed"|"reset_sent"|"email_asked"|"email_confirmed"|"closed"|"opened"

---Events were cleared of what is personal, since a patron was removed or merged.
---@class event.events.cleared
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron_id integer the id of the record that was removed or merged
---@field events { event: integer, was: string, is: string }[]

---A patron was given a guardian, or joined another's household.
---@class event.patron.linked
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field link? integer
---@field patron patron
---@field other patron the guardian; of a household the one to whom all its members are linked
---@field kind "guardian"|"household"
---@field added_at instant

---A patron has a guardian no more, or left a household.
---@class event.patron.unlinked
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron patron
---@field other patron the guardian; of a household a member who stays in it
---@field kind "guardian"|"household"

---A copy was lent.
---@class event.loan.made
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already

---A loan was renewed, at the desk, by the patron or by itself.
---@class event.loan.renewed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already
---@field previous_due_at? instant the due time before
---@field reason? string why, where staff say so

---A lent copy came back.
---@class event.loan.returned
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field patron? patron
---@field returned_at instant
---@field branch? string where it was handed in; nil online, where it goes back to its own

---A loan was given another due time by hand, by a closure or by a policy.
---@class event.loan.due_set
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already
---@field previous_due_at? instant the due time before
---@field reason? string why, where staff say so

---A loan's due time was brought forward, since others wait.
---@class event.loan.recalled
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already
---@field previous_due_at? instant the due time before
---@field reason? string why, where staff say so

---The copy of a loan was declared lost.
---@class event.loan.lost
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already
---@field previous_due_at? instant the due time before
---@field reason? string why, where staff say so

---A patron says that the copy of a loan was returned.
---@class event.loan.claimed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already
---@field previous_due_at? instant the due time before
---@field reason? string why, where staff say so

---A loan came from another system.
---@class event.loan.imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already

---A renewal came from another system, with an imported loan.
---@class event.loan.renewal_imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field patron? patron
---@field renewed_at instant

---The system that a loan came from had told the patron that it is late, as a later import says.
---@class event.loan.told
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already

---A loan of more than three days is due within three days, as a sweep found: once for each due time.
---@class event.loan.due_soon
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already

---A loan is past its due time, as a sweep found: once for each due time.
---@class event.loan.overdue
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field loan loan
---@field copy? copy
---@field title? title
---@field patron? patron nil once the patron is removed
---@field category? string the patron's, as it was when it was lent
---@field home_branch? string the patron's, as it was when it was lent
---@field item_type? string
---@field branch? string where it was lent
---@field lent_at instant
---@field due_at? instant the instant from which it is past its due time
---@field due_on? date the date on which it is due
---@field original_due_at? instant
---@field returned_at? instant nil while it is open
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field renewed_at? instant
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron says to have returned it
---@field on_site boolean to be read in the library
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that decided it
---@field import_key? string
---@field notices_sent_until? instant what was to be said before is said already

---A hold was placed.
---@class event.hold.placed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold was suspended: it is passed over for a while.
---@class event.hold.suspended
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A suspended hold counts again.
---@class event.hold.resumed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold is to be picked up at another branch.
---@class event.hold.pickup_set
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A copy was set aside for a hold and is on its way to the pickup branch.
---@class event.hold.in_transit
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A copy lies on the hold shelf, ready to be picked up.
---@class event.hold.shelved
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A copy stays on the hold shelf for longer, since the branch is closed.
---@class event.hold.shelf_extended
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold waits again in its place in the queue, since the copy set aside for it is gone.
---@class event.hold.returned
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold was filled: its copy was lent to who had placed it.
---@class event.hold.filled
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold ended: it was no longer wanted, or its copy was not picked up in time.
---@class event.hold.expired
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold was cancelled.
---@class event.hold.cancelled
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---A hold came from another system.
---@class event.hold.imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hold hold
---@field title? title nil once the title is removed
---@field copy? copy the id of the one copy that will do; nil: any copy
---@field patron? patron nil once the patron is removed
---@field pickup_branch string
---@field placed_at instant
---@field priority integer a greater one goes first; 0 is ordinary
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field held_copy? copy the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? loan the loan that filled it
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that allowed it
---@field reason? string why, where staff or the desk say so

---The order of a queue was changed by hand.
---@class event.hold.moved
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field holds { hold: hold, title?: title, copy?: copy, patron?: patron, pickup_branch: string, placed_at: instant, priority: integer, expires_on?: date, suspended_until?: date, state: "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled", held_copy?: copy, shelved_at?: instant, shelf_until?: instant, closed_at?: instant, loan?: loan, channel?: "desk"|"self"|"web"|"job", policy?: string }[]

---A listing was written: it is published, or waits for a review.
---@class event.listing.published
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---A listing was changed.
---@class event.listing.updated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---Staff decided on a listing.
---@class event.listing.decided
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---A listing was withdrawn.
---@class event.listing.withdrawn
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---Pieces of a listing were bought or rented.
---@class event.listing.taken
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---Pieces of a listing came back, from a rental or a cancelled order.
---@class event.listing.returned
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---A listing came from another system.
---@class event.listing.imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field listing listing
---@field seller? patron nil: the library itself, or a seller who was removed
---@field title? title nil while the catalogue does not have it
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period what a rental's price is for
---@field quantity integer pieces that can be had
---@field condition string
---@field edition string
---@field picture? string an http or https address
---@field pictures string[] the names of those that were uploaded, in their order
---@field recommended boolean by its seller
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field created_at instant
---@field updated_at instant
---@field decision? string what was said when it was reviewed, or why it is
---@field policy? string SHA-256 of the policy that decided whether to publish it

---A title was suggested.
---@class event.suggestion.submitted
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field suggestion suggestion
---@field patron? patron nil once the patron is removed
---@field proposal any
---@field state "review"|"approved"|"rejected"
---@field submitted_at instant
---@field decided_at? instant
---@field decision? string what was said with the decision, or why it is reviewed
---@field title? title the title in the catalogue, once it is approved

---Staff decided on a suggestion.
---@class event.suggestion.decided
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field suggestion suggestion
---@field patron? patron nil once the patron is removed
---@field proposal any
---@field state "review"|"approved"|"rejected"
---@field submitted_at instant
---@field decided_at? instant
---@field decision? string what was said with the decision, or why it is reviewed
---@field title? title the title in the catalogue, once it is approved

---A suggestion came from another system.
---@class event.suggestion.imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field suggestion suggestion
---@field patron? patron nil once the patron is removed
---@field proposal any
---@field state "review"|"approved"|"rejected"
---@field submitted_at instant
---@field decided_at? instant
---@field decision? string what was said with the decision, or why it is reviewed
---@field title? title the title in the catalogue, once it is approved

---An order was placed.
---@class event.order.placed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field order order
---@field buyer? patron nil once the patron is removed
---@field state "open"|"done"|"cancelled" `open` until it is handed over
---@field items order_item[]
---@field lines price_line[] what is owed to the library is posted to the buyer's account
---@field total money the sum of the lines
---@field placed_at instant
---@field closed_at? instant when it was handed over or cancelled
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that set the price

---An order came from another system.
---@class event.order.imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field order order
---@field buyer? patron nil once the patron is removed
---@field state "open"|"done"|"cancelled" `open` until it is handed over
---@field items order_item[]
---@field lines price_line[] what is owed to the library is posted to the buyer's account
---@field total money the sum of the lines
---@field placed_at instant
---@field closed_at? instant when it was handed over or cancelled
---@field channel? "desk"|"self"|"web"|"job"
---@field policy? string SHA-256 of the policy that set the price

---An order was handed over.
---@class event.order.done
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field order order
---@field buyer? patron
---@field state "open"|"done"|"cancelled"
---@field closed_at instant
---@field reason? string why, where staff say so

---An order was cancelled.
---@class event.order.cancelled
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field order order
---@field buyer? patron
---@field state "open"|"done"|"cancelled"
---@field closed_at instant
---@field reason? string why, where staff say so

---Something was rented out.
---@class event.rental.begun
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rental rental
---@field listing listing
---@field title? title
---@field lender? patron the seller's id; nil: the library itself
---@field borrower? patron nil once the patron is removed
---@field order? order the order that charged it
---@field quantity integer
---@field price money for each `period`, as it was
---@field period period
---@field begun_at instant
---@field ends date the last day
---@field ended_at? instant when it was given back; nil: it is open

---A rental came from another system.
---@class event.rental.imported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rental rental
---@field listing listing
---@field title? title
---@field lender? patron the seller's id; nil: the library itself
---@field borrower? patron nil once the patron is removed
---@field order? order the order that charged it
---@field quantity integer
---@field price money for each `period`, as it was
---@field period period
---@field begun_at instant
---@field ends date the last day
---@field ended_at? instant when it was given back; nil: it is open

---Something that was rented came back.
---@class event.rental.ended
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rental rental
---@field borrower? patron
---@field ended_at instant

---Lines were put into a patron's cart, changed or taken out.
---@class event.cart.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron patron
---@field lines { id?: integer, kind: "loan"|"buy"|"rent", title?: title, listing?: listing, quantity: integer, price?: money, ends?: date, added_at: instant }[] lines that are new or changed
---@field removed integer[] the ids of lines that are gone

---A patron marked a title or a listing as a favourite.
---@class event.favourite.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field favourite? integer
---@field patron patron
---@field title? title nil for a listing
---@field listing? listing nil for a title
---@field added_at instant

---A patron took a favourite back.
---@class event.favourite.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field favourite integer the id that it had
---@field patron patron

---A patron wrote to who offers something.
---@class event.conversation.begun
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field conversation conversation
---@field listing listing what it is about
---@field asker? patron who wrote first; nil once the patron is removed
---@field owner? patron who offers it; nil once the patron is removed
---@field begun_at instant
---@field last_at instant when the last message was sent
---@field messages integer how many it has
---@field asker_read integer up to which number the asker has read
---@field owner_read integer up to which number the owner has read

---A patron has read a conversation.
---@class event.conversation.read
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field conversation conversation
---@field patron patron
---@field number integer up to which message

---A message was added to a conversation.
---@class event.message.sent
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field message? integer
---@field conversation conversation
---@field number integer its place in the conversation, from 1 on
---@field sender? patron nil once the patron is removed
---@field sent_at instant

---A patron takes no more messages from another.
---@class event.writer.blocked
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field block? integer
---@field patron patron who takes no messages
---@field writer patron from whom
---@field blocked_at instant

---A patron takes messages from another again.
---@class event.writer.unblocked
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field block integer the id that it had
---@field patron patron
---@field writer patron

---A patron rated a title.
---@class event.rating.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rating? integer
---@field title title
---@field patron patron who rates
---@field stars integer from 1 to 5
---@field state "shown"|"reported"|"kept"|"hidden" of the words: whether others see them
---@field rated_at instant
---@field changed_at instant when stars or words were last changed
---@field decision? string why staff hid the words

---A patron rated a title anew.
---@class event.rating.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rating? integer
---@field title title
---@field patron patron who rates
---@field stars integer from 1 to 5
---@field state "shown"|"reported"|"kept"|"hidden" of the words: whether others see them
---@field rated_at instant
---@field changed_at instant when stars or words were last changed
---@field decision? string why staff hid the words

---A patron took a rating back.
---@class event.rating.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rating integer the id that it had
---@field patron patron
---@field title title

---A member asked staff to look at the words of a rating.
---@class event.review.reported
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rating? integer
---@field title title
---@field patron patron who rates
---@field stars integer from 1 to 5
---@field state "shown"|"reported"|"kept"|"hidden" of the words: whether others see them
---@field rated_at instant
---@field changed_at instant when stars or words were last changed
---@field decision? string why staff hid the words

---Staff hid the words of a rating.
---@class event.review.hidden
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rating? integer
---@field title title
---@field patron patron who rates
---@field stars integer from 1 to 5
---@field state "shown"|"reported"|"kept"|"hidden" of the words: whether others see them
---@field rated_at instant
---@field changed_at instant when stars or words were last changed
---@field decision? string why staff hid the words

---Staff let the words of a rating stand.
---@class event.review.shown
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field rating? integer
---@field title title
---@field patron patron who rates
---@field stars integer from 1 to 5
---@field state "shown"|"reported"|"kept"|"hidden" of the words: whether others see them
---@field rated_at instant
---@field changed_at instant when stars or words were last changed
---@field decision? string why staff hid the words

---A patron made a list of titles.
---@class event.list.added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field list? integer
---@field patron patron whose it is
---@field is_public boolean whether everyone may see it
---@field created_at instant
---@field taken_down_at? instant when staff took it down; nil: they did not
---@field decision? string why staff took it down

---A patron renamed a list, or said who may see it.
---@class event.list.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field list? integer
---@field patron patron whose it is
---@field is_public boolean whether everyone may see it
---@field created_at instant
---@field taken_down_at? instant when staff took it down; nil: they did not
---@field decision? string why staff took it down

---A patron removed a list with its titles.
---@class event.list.removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field list integer the id that it had
---@field patron patron

---Staff took down a list that others saw.
---@class event.list.taken_down
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field list? integer
---@field patron patron whose it is
---@field is_public boolean whether everyone may see it
---@field created_at instant
---@field taken_down_at? instant when staff took it down; nil: they did not
---@field decision? string why staff took it down

---Staff let a list be shared again that they had taken down.
---@class event.list.restored
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field list? integer
---@field patron patron whose it is
---@field is_public boolean whether everyone may see it
---@field created_at instant
---@field taken_down_at? instant when staff took it down; nil: they did not
---@field decision? string why staff took it down

---A title was added to a list.
---@class event.list.title_added
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field entry? integer
---@field list integer the list's id
---@field title title
---@field added_at instant

---A title was taken off a list.
---@class event.list.title_removed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field entry? integer
---@field list integer the list's id
---@field title title
---@field added_at instant

---A policy was put into force, now or from a moment on.
---@class event.policy.activated
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field activation? integer
---@field policy string
---@field policy_name string
---@field effective_from instant
---@field activated_at instant
---@field note string
---@field retroactive boolean
---@field withdrawn_at? instant

---A policy was taken back before its day.
---@class event.policy.withdrawn
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field activation? integer
---@field policy string
---@field policy_name string
---@field effective_from instant
---@field activated_at instant
---@field note string
---@field retroactive boolean
---@field withdrawn_at? instant

---Staff went on in spite of a refusal.
---@class event.policy.overridden
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field patron patron
---@field title? title
---@field copy? copy
---@field loan? loan
---@field codes string[] the codes of the refusal's reasons
---@field policy string SHA-256 of the policy that refused
---@field reason string

---A policy failed to make a decision.
---@class event.policy.failed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field point "request"|"checkout"|"due"|"renew"|"hold"|"recall"|"overdue"|"fine"|"checkin"|"lost"|"price"|"publish"|"notify"|"expiry" the decision point
---@field policy string SHA-256 of the policy
---@field code string
---@field message string
---@field file? string
---@field line? integer
---@field patron? patron
---@field title? title
---@field copy? copy
---@field loan? loan

---Old decisions were taken out of the decision log.
---@class event.decisions.pruned
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field before instant the decisions of events before this moment are gone
---@field count integer how many there were

---A request was refused: a loan, a renewal, a hold and the like.
---@class event.request.refused
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field request string what was asked for: `checkout`, `renew` and the like
---@field patron? patron
---@field titles integer[] the ids of the titles asked for; an unknown one is 0
---@field copy? copy
---@field loan? loan
---@field code string
---@field message string its words, a template still where the policy words it
---@field refusal any the whole refusal, with all its reasons

---A plugin was put into force, rolled back, set up, switched off or on, or removed.
---@class event.plugin.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field plugin string the plugin's name
---@field change string `used rolled_back configured disabled enabled paused removed`
---@field version string the plugin's own version
---@field sha256 string the SHA-256 of its files
---@field rights string[] what it may do

---A program outside is told what happens, or no longer, or not for now, or again.
---@class event.webhook.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field webhook integer the subscription
---@field change string `added changed removed paused resumed`
---@field place string host and port of its server

---Notices were decided on: queued, delivered at once or passed over.
---@class event.notice.recorded
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field notices { notice: notice, kind: string, subject_key: string, patron: patron, loan?: loan, due_at?: instant, stage: string, repetition: integer, channel: string, state: "queued"|"sent"|"failed"|"read"|"superseded"|"cancelled", created_at: instant, sent_at?: instant, read_at?: instant, tries: integer, failure?: string }[]

---A notice was sent, failed, was read or withdrawn.
---@class event.notice.changed
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field notice notice
---@field patron patron
---@field loan? loan
---@field state "queued"|"sent"|"failed"|"read"|"superseded"|"cancelled"
---@field sent_at? instant
---@field read_at? instant
---@field tries integer how often it was sent, or tried in vain
---@field failure? string why the last try was in vain

---Lines were added to patrons' accounts: fines, charges, payments, waivers, refunds.
---@class event.ledger.posted
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field entries { id?: integer, key: string, patron?: patron, loan?: loan, kind: "fine"|"charge"|"adjustment"|"payment"|"waiver"|"refund", amount: money, label: string, at: instant }[]

---An hour has begun while a schedule is watched; after hours in which none was, one event stands for all.
---@class event.schedule.tick
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field hour instant its first moment
---@field since? instant the hour of the event before; nil for the first

---A run of a scheduled job has ended.
---@class event.job.ended
---@field sequence integer its place in the log
---@field name string `loan.made` and the like
---@field at instant when it happened
---@field actor string who did it: `patron:ID`, or a program's name
---@field run integer the number of the run
---@field job string the job's name
---@field planned_at instant
---@field started_at? instant
---@field succeeded boolean
---@field exit_status? integer as shells report it; nil: it never began
---@field tries integer how often it was begun

---Functions for events, by the name of the event.
---@class event_handlers
---@field ["library.changed"] fun(event: event.library.changed) The library's name, time zone or currency was changed.
---@field ["branch.added"] fun(event: event.branch.added) A branch was added.
---@field ["branch.updated"] fun(event: event.branch.updated) A branch was changed: its name, its zone, its opening hours or its closures.
---@field ["branch.removed"] fun(event: event.branch.removed) A branch was removed.
---@field ["category.added"] fun(event: event.category.added) A category of patrons was added.
---@field ["category.updated"] fun(event: event.category.updated) A category of patrons was changed.
---@field ["category.removed"] fun(event: event.category.removed) A category of patrons was removed.
---@field ["item_type.added"] fun(event: event.item_type.added) An item type was added.
---@field ["item_type.updated"] fun(event: event.item_type.updated) An item type was changed.
---@field ["item_type.removed"] fun(event: event.item_type.removed) An item type was removed.
---@field ["location.added"] fun(event: event.location.added) A shelving location was given a name.
---@field ["location.updated"] fun(event: event.location.updated) A shelving location was given another name.
---@field ["location.removed"] fun(event: event.location.removed) A shelving location has no name any more.
---@field ["title.added"] fun(event: event.title.added) A title was added to the catalogue.
---@field ["title.updated"] fun(event: event.title.updated) A title was changed.
---@field ["title.removed"] fun(event: event.title.removed) A title was removed from the catalogue, and its copies with it.
---@field ["copy.added"] fun(event: event.copy.added) A copy was added.
---@field ["copy.updated"] fun(event: event.copy.updated) A copy was changed: its branch, its type, its status or its price.
---@field ["copy.withdrawn"] fun(event: event.copy.withdrawn) A copy was taken out of the collection.
---@field ["copy.used_in_house"] fun(event: event.copy.used_in_house) A copy was used in the house, without a loan.
---@field ["patron.added"] fun(event: event.patron.added) A patron was added.
---@field ["patron.updated"] fun(event: event.patron.updated) A patron's record was changed.
---@field ["patron.removed"] fun(event: event.patron.removed) A patron was removed; what was personal is gone.
---@field ["patron.merged"] fun(event: event.patron.merged) Two records of one person became one.
---@field ["patron.blocked"] fun(event: event.patron.blocked) A patron was blocked, or suspended by a policy.
---@field ["patron.unblocked"] fun(event: event.patron.unblocked) A block on a patron was lifted.
---@field ["account.changed"] fun(event: event.account.changed) A password was set, a key issued or revoked, a person logged in or out, or a link was mailed.
---@field ["events.cleared"] fun(event: event.events.cleared) Events were cleared of what is personal, since a patron was removed or merged.
---@field ["patron.linked"] fun(event: event.patron.linked) A patron was given a guardian, or joined another's household.
---@field ["patron.unlinked"] fun(event: event.patron.unlinked) A patron has a guardian no more, or left a household.
---@field ["loan.made"] fun(event: event.loan.made) A copy was lent.
---@field ["loan.renewed"] fun(event: event.loan.renewed) A loan was renewed, at the desk, by the patron or by itself.
---@field ["loan.returned"] fun(event: event.loan.returned) A lent copy came back.
---@field ["loan.due_set"] fun(event: event.loan.due_set) A loan was given another due time by hand, by a closure or by a policy.
---@field ["loan.recalled"] fun(event: event.loan.recalled) A loan's due time was brought forward, since others wait.
---@field ["loan.lost"] fun(event: event.loan.lost) The copy of a loan was declared lost.
---@field ["loan.claimed"] fun(event: event.loan.claimed) A patron says that the copy of a loan was returned.
---@field ["loan.imported"] fun(event: event.loan.imported) A loan came from another system.
---@field ["loan.renewal_imported"] fun(event: event.loan.renewal_imported) A renewal came from another system, with an imported loan.
---@field ["loan.told"] fun(event: event.loan.told) The system that a loan came from had told the patron that it is late, as a later import says.
---@field ["loan.due_soon"] fun(event: event.loan.due_soon) A loan of more than three days is due within three days, as a sweep found: once for each due time.
---@field ["loan.overdue"] fun(event: event.loan.overdue) A loan is past its due time, as a sweep found: once for each due time.
---@field ["hold.placed"] fun(event: event.hold.placed) A hold was placed.
---@field ["hold.suspended"] fun(event: event.hold.suspended) A hold was suspended: it is passed over for a while.
---@field ["hold.resumed"] fun(event: event.hold.resumed) A suspended hold counts again.
---@field ["hold.pickup_set"] fun(event: event.hold.pickup_set) A hold is to be picked up at another branch.
---@field ["hold.in_transit"] fun(event: event.hold.in_transit) A copy was set aside for a hold and is on its way to the pickup branch.
---@field ["hold.shelved"] fun(event: event.hold.shelved) A copy lies on the hold shelf, ready to be picked up.
---@field ["hold.shelf_extended"] fun(event: event.hold.shelf_extended) A copy stays on the hold shelf for longer, since the branch is closed.
---@field ["hold.returned"] fun(event: event.hold.returned) A hold waits again in its place in the queue, since the copy set aside for it is gone.
---@field ["hold.filled"] fun(event: event.hold.filled) A hold was filled: its copy was lent to who had placed it.
---@field ["hold.expired"] fun(event: event.hold.expired) A hold ended: it was no longer wanted, or its copy was not picked up in time.
---@field ["hold.cancelled"] fun(event: event.hold.cancelled) A hold was cancelled.
---@field ["hold.imported"] fun(event: event.hold.imported) A hold came from another system.
---@field ["hold.moved"] fun(event: event.hold.moved) The order of a queue was changed by hand.
---@field ["listing.published"] fun(event: event.listing.published) A listing was written: it is published, or waits for a review.
---@field ["listing.updated"] fun(event: event.listing.updated) A listing was changed.
---@field ["listing.decided"] fun(event: event.listing.decided) Staff decided on a listing.
---@field ["listing.withdrawn"] fun(event: event.listing.withdrawn) A listing was withdrawn.
---@field ["listing.taken"] fun(event: event.listing.taken) Pieces of a listing were bought or rented.
---@field ["listing.returned"] fun(event: event.listing.returned) Pieces of a listing came back, from a rental or a cancelled order.
---@field ["listing.imported"] fun(event: event.listing.imported) A listing came from another system.
---@field ["suggestion.submitted"] fun(event: event.suggestion.submitted) A title was suggested.
---@field ["suggestion.decided"] fun(event: event.suggestion.decided) Staff decided on a suggestion.
---@field ["suggestion.imported"] fun(event: event.suggestion.imported) A suggestion came from another system.
---@field ["order.placed"] fun(event: event.order.placed) An order was placed.
---@field ["order.imported"] fun(event: event.order.imported) An order came from another system.
---@field ["order.done"] fun(event: event.order.done) An order was handed over.
---@field ["order.cancelled"] fun(event: event.order.cancelled) An order was cancelled.
---@field ["rental.begun"] fun(event: event.rental.begun) Something was rented out.
---@field ["rental.imported"] fun(event: event.rental.imported) A rental came from another system.
---@field ["rental.ended"] fun(event: event.rental.ended) Something that was rented came back.
---@field ["cart.changed"] fun(event: event.cart.changed) Lines were put into a patron's cart, changed or taken out.
---@field ["favourite.added"] fun(event: event.favourite.added) A patron marked a title or a listing as a favourite.
---@field ["favourite.removed"] fun(event: event.favourite.removed) A patron took a favourite back.
---@field ["conversation.begun"] fun(event: event.conversation.begun) A patron wrote to who offers something.
---@field ["conversation.read"] fun(event: event.conversation.read) A patron has read a conversation.
---@field ["message.sent"] fun(event: event.message.sent) A message was added to a conversation.
---@field ["writer.blocked"] fun(event: event.writer.blocked) A patron takes no more messages from another.
---@field ["writer.unblocked"] fun(event: event.writer.unblocked) A patron takes messages from another again.
---@field ["rating.added"] fun(event: event.rating.added) A patron rated a title.
---@field ["rating.changed"] fun(event: event.rating.changed) A patron rated a title anew.
---@field ["rating.removed"] fun(event: event.rating.removed) A patron took a rating back.
---@field ["review.reported"] fun(event: event.review.reported) A member asked staff to look at the words of a rating.
---@field ["review.hidden"] fun(event: event.review.hidden) Staff hid the words of a rating.
---@field ["review.shown"] fun(event: event.review.shown) Staff let the words of a rating stand.
---@field ["list.added"] fun(event: event.list.added) A patron made a list of titles.
---@field ["list.changed"] fun(event: event.list.changed) A patron renamed a list, or said who may see it.
---@field ["list.removed"] fun(event: event.list.removed) A patron removed a list with its titles.
---@field ["list.taken_down"] fun(event: event.list.taken_down) Staff took down a list that others saw.
---@field ["list.restored"] fun(event: event.list.restored) Staff let a list be shared again that they had taken down.
---@field ["list.title_added"] fun(event: event.list.title_added) A title was added to a list.
---@field ["list.title_removed"] fun(event: event.list.title_removed) A title was taken off a list.
---@field ["policy.activated"] fun(event: event.policy.activated) A policy was put into force, now or from a moment on.
---@field ["policy.withdrawn"] fun(event: event.policy.withdrawn) A policy was taken back before its day.
---@field ["policy.overridden"] fun(event: event.policy.overridden) Staff went on in spite of a refusal.
---@field ["policy.failed"] fun(event: event.policy.failed) A policy failed to make a decision.
---@field ["decisions.pruned"] fun(event: event.decisions.pruned) Old decisions were taken out of the decision log.
---@field ["request.refused"] fun(event: event.request.refused) A request was refused: a loan, a renewal, a hold and the like.
---@field ["plugin.changed"] fun(event: event.plugin.changed) A plugin was put into force, rolled back, set up, switched off or on, or removed.
---@field ["webhook.changed"] fun(event: event.webhook.changed) A program outside is told what happens, or no longer, or not for now, or again.
---@field ["notice.recorded"] fun(event: event.notice.recorded) Notices were decided on: queued, delivered at once or passed over.
---@field ["notice.changed"] fun(event: event.notice.changed) A notice was sent, failed, was read or withdrawn.
---@field ["ledger.posted"] fun(event: event.ledger.posted) Lines were added to patrons' accounts: fines, charges, payments, waivers, refunds.
---@field ["schedule.tick"] fun(event: event.schedule.tick) An hour has begun while a schedule is watched; after hours in which none was, one event stands for all.
---@field ["job.ended"] fun(event: event.job.ended) A run of a scheduled job has ended.

---Says what the script may do. It must be the first statement, with plain strings.
---
---It is read before anything runs: if something is not granted (`--allow`), nothing runs at all. There are `catalogue.write`, `patrons.write`, `loans.write`, `loans.override`, `cart.write`, `market.write`, `notifications.write`, `fees.write`, `settings.write`, `sql`, `http`.
---@param capabilities any a list of capabilities, or one
function needs(capabilities) end

---Prints what there is to know about a module, a function or a type of record; without a name, an overview.
---@param name? any such as "loans", "loans.checkout", loans.checkout or "patron"
function help(name) end

---Gives today's date at the branch.
---@return date
function today() end

---Gives the moment it is; within a transaction it stands still.
---@return instant
function now() end

---Makes a date of text, or takes the date of an instant at the branch.
---
---A date has the fields `year`, `month`, `day`, `weekday` (1 is Monday) and `yearday`; two dates subtract to a period with `count` and `unit`.
---@param value instant|date|string `"2026-12-24"` or an instant
---@return date
function date(value) end

---Makes an amount in the library's currency; text, since a number would not be exact.
---@param amount money|string `"1.50"`
---@return money
function money(amount) end

---Makes an exact percentage.
---@param value string `"6.62"`
---@return percent
function percent(value) end

---Steps of the calendar at the same wall clock.
---@param count integer
---@return period
function days(count) end

---Steps of the calendar, seven days each.
---@param count integer
---@return period
function weeks(count) end

---Steps of the calendar; the 31st becomes the last day of a shorter month.
---@param count integer
---@return period
function months(count) end

---Steps of the calendar, twelve months each.
---@param count integer
---@return period
function years(count) end

---Elapsed time.
---@param count integer
---@return period
function hours(count) end

---Elapsed time.
---@param count integer
---@return period
function minutes(count) end

---Days on which the branch is open.
---@param count integer
---@return period
function open_days(count) end

---Goes through an iterator or a list and shows how far it is.
---@param iterator any what `each` gives, or a list
---@param total? integer how many there will be
---@return fun(): any?
function progress(iterator, total) end

---Titles and their copies.
---@class cataloguelib
catalogue = {}

---Finds one title by its ISBN or id.
---@param isbn_or_id string|integer|title an ISBN of 10 or 13 digits, or an id
---@return title?
function catalogue.get(isbn_or_id) end

---The MARC record that a title came from, to the letter.
---
---A table as MARC-in-JSON has it: `leader`, and `fields`, a list of tables with the tag as the one key, under which stands the value of a control field, or `ind1`, `ind2` and `subfields`. nil for a title that came from elsewhere.
---@param title string|integer|title
---@return any?
function catalogue.marc(title) end

---Finds titles by words.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean, branch?: string, author?: string, genre?: string, language?: string, year?: integer, decade?: integer, order?: "title"|"relevance"|"author"|"year"|"id"|"added"|"lent"|"rated", among?: integer, limit?: integer, offset?: integer }|string what to look for
---@return title[]
function catalogue.search(query) end

---Counts the titles that match by author, genre and subject, language, decade, year and branch, and those available.
---
---Each value is one by which the same query can be narrowed. Of each kind the most frequent values are given.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean, branch?: string, author?: string, genre?: string, language?: string, year?: integer, decade?: integer, most?: integer, values?: integer }|string what to look for
---@return facet[]
function catalogue.facets(query) end

---Says what misspelt words were perhaps meant to be; nil where they find what they ask for, or nothing is near.
---
---The words that come back stand together in a title, in small letters without accents. Each is one letter away from what was typed, or two where six letters or more were. Of more than eight words nothing is said.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean }|string what to look for
---@return spelling?
function catalogue.spelling(query) end

---Goes through titles by id, without keeping them all in memory; the loop may write.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean, branch?: string, author?: string, genre?: string, language?: string, year?: integer, decade?: integer }|string what to look for
---@return fun(): title?
function catalogue.each(query) end

---Counts titles.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean, branch?: string, author?: string, genre?: string, language?: string, year?: integer, decade?: integer, most?: integer }|string what to look for
---@return integer
function catalogue.count(query) end

---Lists the copies of a title, by barcode.
---@param title string|integer|title
---@param limit? integer how many at most
---@param offset? integer how many to pass over at the beginning
---@return copy[]
function catalogue.copies(title, limit, offset) end

---Finds one copy by its barcode.
---@param barcode string|integer|copy
---@return copy?
function catalogue.copy(barcode) end

---Lists the titles lent most often in the last days, the most lent first.
---@param query? { days?: integer, limit?: integer, offset?: integer }|integer
---@return lent_title[]
function catalogue.trending(query) end

---Lists the volumes of a series in their order: by the numbers in theirs, those without one last.
---
---Case, accents and signs of its name do not matter.
---@param query { name: string, limit?: integer, offset?: integer }|string
---@return title[]
function catalogue.series(query) end

---Lists the titles that the library recommends.
---@param limit? integer how many at most
---@param offset? integer how many to pass over at the beginning
---@return title[]
function catalogue.recommended(limit, offset) end

---Lists the colleges that titles have, each once.
---@param query? { limit?: integer, offset?: integer }|integer
---@return string[]
function catalogue.colleges(query) end

---Gives a text about a title and links that send it on. Sends nothing.
---
---With `address`, where its page is, the text ends with that.
---@param title string|integer|title
---@param address? string an http or https address
---@return share?
function catalogue.share(title, address) end

---Adds a title; copies are added by `add_copies`.
---@param title { title: string, isbn?: string, authors?: string[], publisher?: string, year?: integer, language?: string, genres?: string[], subjects?: string[], courses?: { code: string, name?: string }[], college?: string, edition?: string, series?: string, series_number?: string, description?: string, cover_url?: string, preview_url?: string, stars?: integer, recommended?: boolean, extra?: any }|string
---@return title?
---@return refusal refusal nil unless the first is nil
function catalogue.add(title) end

---Changes what is given of a title; the rest stays. `none` takes away what may be nil.
---@param title string|integer|title which title
---@param changes? { title?: string, isbn?: string, authors?: string[], publisher?: string, year?: integer, language?: string, genres?: string[], subjects?: string[], courses?: { code: string, name?: string }[], college?: string, edition?: string, series?: string, series_number?: string, description?: string, cover_url?: string, preview_url?: string, stars?: integer, recommended?: boolean, extra?: any } the fields that change
---@return title?
---@return refusal refusal nil unless the first is nil
function catalogue.update(title, changes) end

---Completes a title by what services that know books say of its ISBN.
---
---Description, cover, preview, year and subjects are filled in where the title has none, and the number of pages as `extra.pages`. The services are asked outside of any transaction and their answers kept for some time; within `store.transaction` and in a dry run no service is asked, and what was answered before counts. Which services these are stands in `[book_data]` of `moonshelf.toml`.
---@param isbn string|integer|title
---@param replace? boolean what the title says already is replaced as well
---@return title?
---@return refusal refusal nil unless the first is nil
function catalogue.enrich(isbn, replace) end

---Gives a title a cover that the library keeps, in the place of one that it has.
---
---The picture is read by a process that may do nothing else, made smaller and written anew as JPEG, without what a camera wrote into it. Over HTTP the body may be the file itself, with its own `Content-Type` (`image/jpeg`). Within `store.transaction` and in a dry run no picture is read.
---@param cover { title: string|integer|title, image: string }|string|integer|title
---@return title?
---@return refusal refusal nil unless the first is nil
function catalogue.set_cover(cover) end

---Takes away the cover of a title that the library keeps.
---@param title string|integer|title
---@return title?
---@return refusal refusal nil unless the first is nil
function catalogue.remove_cover(title) end

---Removes a title with its copies. Past loans stay in the statistics.
---@param title string|integer|title
---@return title?
---@return refusal refusal nil unless the first is nil
function catalogue.remove(title) end

---Removes every title and copy.
---@param options { confirm: boolean }|boolean
---@return integer?
---@return refusal refusal nil unless the first is nil
function catalogue.remove_all(options) end

---Adds copies of a title, with barcodes made for them unless given.
---@param options { isbn: string|integer|title, count?: integer, branch?: string|branch, item_type?: string|item_type, barcodes?: string[], replacement_price?: money|string, location?: string, call_number?: string, acquired_on?: date|string, extra?: any }|string|integer|title
---@return copy[]?
---@return refusal refusal nil unless the first is nil
function catalogue.add_copies(options) end

---Changes what is given of a copy; the rest stays. `none` takes away what may be nil.
---@param barcode string|integer|copy which copy
---@param changes? { barcode?: string, branch?: string|branch, item_type?: string|item_type, status?: "available"|"lost"|"in_transit", replacement_price?: money|string, location?: string, call_number?: string, acquired_on?: date|string, extra?: any } the fields that change
---@return copy?
---@return refusal refusal nil unless the first is nil
function catalogue.update_copy(barcode, changes) end

---Takes a copy out of the collection.
---@param barcode string|integer|copy
---@return copy?
---@return refusal refusal nil unless the first is nil
function catalogue.withdraw_copy(barcode) end

---The people who borrow.
---@class patronslib
patrons = {}

---Finds one patron by username or id.
---@param patron string|integer|patron
---@return patron?
function patrons.get(patron) end

---Finds patrons by the beginning of words of name, surname, username or e-mail.
---@param query { query: string, limit?: integer, offset?: integer }|string
---@return patron[]
function patrons.search(query) end

---Lists those who are called so: the patron of this username, or else all of this name or full name.
---
---Case and accents do not matter.
---@param name string
---@return patron[]
function patrons.called(name) end

---Goes through patrons by id, without keeping them all in memory; the loop may write.
---@param query? { category?: string|category }|string|category
---@return fun(): patron?
function patrons.each(query) end

---Counts patrons.
---@return integer
function patrons.count() end

---Lists the blocks on a patron that are in force.
---@param patron string|integer|patron
---@param date? date|string in force on this day
---@param limit? integer how many at most
---@param offset? integer how many to pass over at the beginning
---@return block[]
function patrons.blocks(patron, date, limit, offset) end

---Adds a patron.
---
---Without `expires_on` the membership ends as the policy in force says, or not at all; with `none` it has no end.
---@param patron { username: string, category?: string|category, name?: string, surname?: string, display_name?: string, email?: string, phone?: string, home_branch?: string|branch, language?: string, birth_date?: date|string, expires_on?: date|string, role?: "patron"|"staff"|"admin", extra?: any }|string
---@return patron?
---@return refusal refusal nil unless the first is nil
function patrons.add(patron) end

---Changes what is given of a patron; the rest stays. `none` takes away what may be nil.
---@param patron string|integer|patron which patron
---@param changes? { username?: string, category?: string|category, name?: string, surname?: string, display_name?: string, email?: string, phone?: string, home_branch?: string|branch, language?: string, birth_date?: date|string, expires_on?: date|string, role?: "patron"|"staff"|"admin", extra?: any } the fields that change
---@return patron?
---@return refusal refusal nil unless the first is nil
function patrons.update(patron, changes) end

---Renews a patron's membership until the day that the policy in force says.
---
---It counts from the present end, or from today where that has passed. Where the policy would not let it end later, it is refused with `not_extended`; any other day is set by `patrons.update`.
---@param patron string|integer|patron
---@return patron?
---@return refusal refusal nil unless the first is nil
function patrons.renew_membership(patron) end

---Removes a patron: all that is personal goes, statistics stay. Gives the id.
---@param patron string|integer|patron
---@return integer?
---@return refusal refusal nil unless the first is nil
function patrons.remove(patron) end

---Makes one of two records of one person; the first goes, the second stays.
---
---Loans and holds, past ones too, the account of fees, messages, blocks, links to others, cart, favourites, ratings, lists, listings, orders, rentals and suggestions go over. Passwords do not: that of the record that stays is the one that counts, and sessions and keys of both end. Neither record's role may be above that of the person who merges. What is personal in the record that goes is removed as `patrons.remove` does it; the other keeps its own name, category, branch and role. Of two holds on one title the one further along stays. A limit that both go beyond together is told in `limits_exceeded` and stops nothing. A merge asked for again by the same ids changes nothing.
---@param merge { from: string|integer|patron, into: string|integer|patron, reason?: string }|string|integer|patron
---@return merge?
---@return refusal refusal nil unless the first is nil
function patrons.merge(merge) end

---Finds patrons who are likely registered twice, in parts.
---
---Those of one birthday are compared by their names, those of one e-mail address too, as an import compares the patrons that it brings. Each is named with one other record: the surest, and of these the oldest. A part looks at 5,000 patrons at most, and may find no one; `next` is then what `after` of the next part is, and nil behind the last one. Nothing is merged: `patrons.merge` does that, `from` the one and `into` the other.
---@param query? { after?: string, limit?: integer }|string
---@return duplicates
function patrons.duplicates(query) end

---Puts a block on a patron.
---
---Several blocks stand side by side, each is lifted or ends by itself. What each action stops is told in `docs/blocks.md`. A block of the kind `suspension` forbids `borrow`, `renew` and `hold` unless `actions` says otherwise, and a policy sees its end as `suspended_until`.
---@param block { patron: string|integer|patron, kind: string, reason?: string, actions?: ("borrow"|"renew"|"hold"|"cart"|"market"|"self")[], ends?: date|string, length?: period, mode?: "add"|"longest" }|string|integer|patron
---@return block?
---@return refusal refusal nil unless the first is nil
function patrons.block(block) end

---Lifts a patron's blocks and gives those that were lifted.
---@param block { patron: string|integer|patron, kind?: string, block?: integer|block }|string|integer|patron
---@return block[]?
---@return refusal refusal nil unless the first is nil
function patrons.unblock(block) end

---Lists a patron's guardians, those for whom the patron answers, and the others of the household.
---@param patron string|integer|patron
---@return link[]
function patrons.links(patron) end

---Says who answers for a patron (`guardian`), or who lives with whom (`household`).
---
---A policy reads what such patrons have and owe together: `docs/writing-policies.md` has examples. Of a household, the one who is in none yet joins the other's. What is so already stays as it is.
---@param link { patron: string|integer|patron, other: string|integer|patron, kind: "guardian"|"household" }|string|integer|patron
---@return link?
---@return refusal refusal nil unless the first is nil
function patrons.link(link) end

---Ends a link: the other is no longer the patron's guardian, or the patron leaves the household.
---@param link { patron: string|integer|patron, other: string|integer|patron, kind: "guardian"|"household" }|string|integer|patron
---@return link?
---@return refusal refusal nil unless the first is nil
function patrons.unlink(link) end

---Lists what a patron keeps in mind, in the order in which it was added.
---@param patron string|integer|patron
---@return favourite[]
function patrons.favourites(patron) end

---Keeps a title or a listing in a patron's mind; what is kept already stays as it is.
---@param favourite { patron: string|integer|patron, title?: string|integer|title, listing?: integer|listing }|string|integer|patron
---@return favourite?
---@return refusal refusal nil unless the first is nil
function patrons.add_favourite(favourite) end

---Takes a favourite away.
---@param favourite { patron: string|integer|patron, favourite: integer|favourite }|string|integer|patron
---@return favourite?
---@return refusal refusal nil unless the first is nil
function patrons.remove_favourite(favourite) end

---Sets a patron's password, and ends their sessions.
---
---What is kept is a hash, which no function gives. It takes a twentieth of a second, within `store.transaction` too, where others wait meanwhile.
---@param patron string|integer|patron
---@param password string
---@return patron?
---@return refusal refusal nil unless the first is nil
function patrons.set_password(patron, password) end

---Whether a password is a patron's: gives the patron if it is.
---
---An unknown patron is refused like a wrong password, and takes as long. After five wrong passwords for one patron nothing is looked at for a while, `too_many_tries`; one try is forgiven every half minute.
---@param patron string|integer|patron
---@param password string
---@return patron?
---@return refusal refusal nil unless the first is nil
function patrons.verify(patron, password) end

---How people come to an account and log in by themselves, as over HTTP.
---@class accountslib
accounts = {}

---Makes an account, where the library lets people make one.
---
---Tries are counted by the address of the request for which the script runs; too many end it. It opens transactions of its own, and cannot be called within one.
---@param account { username: string, password: string, name?: string, surname?: string, email?: string, phone?: string, language?: string }|string
---@return patron?
---@return refusal refusal nil unless the first is nil
function accounts.sign_up(account) end

---Logs a patron in: gives the token of a session.
---
---An unknown username is refused like a wrong password, and takes as long. Tries are counted by the address of the request for which the script runs; too many end it. It opens transactions of its own, and cannot be called within one.
---@param account { username: string, password: string }|string
---@return session?
---@return refusal refusal nil unless the first is nil
function accounts.log_in(account) end

---Finds the patron to whom a token or a key belongs, while it is good.
---@param token string
---@return patron?
function accounts.holder(token) end

---Lending, renewing, taking back.
---@class loanslib
loans = {}

---Finds one loan by its id.
---@param loan integer|loan
---@return loan?
function loans.get(loan) end

---Finds the loan of a title that was made last, open or past.
---
---Who borrowed is said to that patron, and to those who may see patrons.
---@param title string|integer|title
---@return latest_loan?
function loans.latest(title) end

---Lists a patron's open loans.
---@param query { patron: string|integer|patron, limit?: integer, offset?: integer }|string|integer|patron
---@return loan[]
function loans.active(query) end

---Lists the open loans past their due time, the longest overdue first.
---@param query? { as_of?: instant|date|string, limit?: integer, offset?: integer }|instant|date|string
---@return loan[]
function loans.overdue(query) end

---Goes through loans by id, without keeping them all in memory; the loop may write.
---@param query? { state?: "open"|"returned"|"lost"|"claimed"|"all", patron?: string|integer|patron, title?: string|integer|title, from?: instant|date|string, to?: instant|date|string, due_before?: instant|date|string, imported?: boolean }|"open"|"returned"|"lost"|"claimed"|"all"
---@return fun(): loan?
function loans.each(query) end

---Lists a patron's loans, the latest first.
---@param query { patron: string|integer|patron, limit?: integer, offset?: integer }|string|integer|patron
---@return loan[]
function loans.history(query) end

---Decides like `checkout` and writes nothing: no loan, no event.
---
---A single title gives a decision, several give a list.
---@param request { patron: string|integer|patron, isbn?: string|integer|title, isbns?: (string|integer|title)[], barcode?: string|integer|copy, on_site?: boolean, wanted_until?: date|string, override?: boolean, reason?: string }|string|integer|patron
---@return decision?
---@return refusal refusal nil unless the first is nil
function loans.may_checkout(request) end

---Lists the decisions recorded for a loan, the oldest first, with the rule that decided.
---@param loan integer|loan
---@return recorded_decision[]
function loans.explain(loan) end

---Lends one title or several to a patron: all that is asked for, or nothing.
---
---A single title or a barcode gives a loan, several titles give a list. With `wanted_until` the loan ends on that day, or on the open day to which the rule moves it, where the policy would have it end later; a copy that the patron has already is renewed without it. `override` needs the capability `loans.override` as well.
---@param request { patron: string|integer|patron, isbn?: string|integer|title, isbns?: (string|integer|title)[], barcode?: string|integer|copy, on_site?: boolean, wanted_until?: date|string, override?: boolean, reason?: string }|string|integer|patron
---@return loan?
---@return refusal refusal nil unless the first is nil
function loans.checkout(request) end

---Takes a copy back; fines and suspensions follow from the policy, and it is set aside for who waits.
---
---With `at`, what was charged for the time after it is taken off again. A lost copy is found by it: see `mark_found`. A copy that is not on loan is scanned: one in transit arrives at its pickup branch, an available one is set aside for the first in line. The same scan again changes nothing.
---@param copy? { barcode?: string|integer|copy, loan?: integer|loan, at?: instant|date|string }|string|integer|copy
---@return checkin?
---@return refusal refusal nil unless the first is nil
function loans.checkin(copy) end

---Renews an open loan as the policy allows.
---
---`override` needs the capability `loans.override` as well.
---@param loan? { loan?: integer|loan, barcode?: string|integer|copy, override?: boolean, reason?: string }|integer|loan
---@return loan?
---@return refusal refusal nil unless the first is nil
function loans.renew(loan) end

---Moves the due time of an open loan: a date is due at closing time, an instant as it stands.
---@param change { loan: integer|loan, due: instant|date|string, reason: string }|integer|loan
---@return loan?
---@return refusal refusal nil unless the first is nil
function loans.set_due(change) end

---Declares the copy of an open loan lost; the loan stays open.
---
---Its lateness is charged up to now and no further. The policy that decided the loan says what the loss costs (`lost_fee`, or its function `lost`); a failure of it is listed in `failures`. Repeated, it changes nothing.
---@param copy? { loan?: integer|loan, barcode?: string|integer|copy, reason?: string }|integer|loan
---@return stopped_loan?
---@return refusal refusal nil unless the first is nil
function loans.mark_lost(copy) end

---A lost copy was found: its loan ends as by a check-in.
---
---The fee for the loss is taken back within the `lost_refund_within` of the loan's rule, and where `at` is before the loss: what is owed of it is waived, what was paid becomes credit. Repeated, it changes nothing.
---@param copy? { loan?: integer|loan, barcode?: string|integer|copy, at?: instant|date|string }|integer|loan
---@return checkin?
---@return refusal refusal nil unless the first is nil
function loans.mark_found(copy) end

---Notes that a patron says to have returned a copy, and when.
---
---From then on nothing is fined and no reminder is sent; what was charged for the time after it is taken off. The loan stays open until the copy is checked in (`at = loan.claimed_at` where the patron was right) or declared lost. `case.patron.claims` counts a patron's claims. Repeated, it changes nothing but the moment.
---@param claim? { loan?: integer|loan, barcode?: string|integer|copy, at?: instant|date|string, reason?: string }|integer|loan
---@return stopped_loan?
---@return refusal refusal nil unless the first is nil
function loans.claim_returned(claim) end

---Counts a use of a copy in the house; it stays where it is.
---@param copy { barcode: string|integer|copy }|string|integer|copy
---@return in_house_use?
---@return refusal refusal nil unless the first is nil
function loans.use_in_house(copy) end

---Keeping titles for patrons: queues, the hold shelf, copies in transit.
---@class holdslib
holds = {}

---Finds one hold by its id, closed ones too.
---@param hold integer|hold
---@return hold?
function holds.get(hold) end

---Lists a title's open holds: those with a copy on the shelf, those with one in transit, then the queue.
---@param title string|integer|title
---@param limit? integer how many at most
---@param offset? integer how many to pass over at the beginning
---@return hold[]
function holds.queue(title, limit, offset) end

---Lists a patron's open holds, the oldest first.
---@param patron string|integer|patron
---@param limit? integer how many at most
---@param offset? integer how many to pass over at the beginning
---@return hold[]
function holds.of(patron, limit, offset) end

---Goes through holds by id, closed ones too, without keeping them all in memory; the loop may write.
---
---Places in queues are not reckoned; `holds.queue` has them.
---@param query? { state?: "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled", pickup_branch?: string|branch }|"waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@return fun(): hold?
function holds.each(query) end

---Lists the available copies that holds wait for: what staff fetch from the open shelves.
---
---Scanning a copy of the list with `loans.checkin` sets it aside.
---@param query? { branch?: string|branch, limit?: integer, offset?: integer }|string|branch
---@return pull_item[]
function holds.pull_list(query) end

---Places a hold on a title, or on one copy of it.
---
---One of `title`, `isbn` and `barcode` is needed; with a barcode that copy alone will do. If every copy is lent, the policy may recall one of them. `override` needs the capability `loans.override` as well.
---@param request { patron: string|integer|patron, title?: string|integer|title, isbn?: string|integer|title, barcode?: string|integer|copy, pickup_branch?: string|branch, expires_on?: date|string, suspended_until?: date|string, override?: boolean, reason?: string }|string|integer|patron
---@return hold?
---@return refusal refusal nil unless the first is nil
function holds.place(request) end

---Ends a hold; a copy that was set aside goes to the next in line.
---@param hold { hold: integer|hold, reason?: string }|integer|hold
---@return hold?
---@return refusal refusal nil unless the first is nil
function holds.cancel(hold) end

---Gives a waiting hold another place in its queue.
---
---It takes the priority that belongs to the place.
---@param hold { hold: integer|hold, position: integer }|integer|hold
---@return hold?
---@return refusal refusal nil unless the first is nil
function holds.move(hold) end

---Puts all who wait for a title in a new order, in one step.
---
---Either `order` is given, the holds from the first to the last, or `places`, which says the place of each. All that wait must be named, each once: with `queue_changed` it is refused where someone joined or left since. `holds.move` moves one hold alone.
---@param queue { title: string|integer|title, order?: (integer|hold)[], places?: ({ hold: integer|hold, position: integer })[] }|string|integer|title
---@return hold[]?
---@return refusal refusal nil unless the first is nil
function holds.arrange(queue) end

---Passes a waiting hold over for a time; it keeps its place.
---@param hold { hold: integer|hold, suspended_until?: date|string }|integer|hold
---@return hold?
---@return refusal refusal nil unless the first is nil
function holds.suspend(hold) end

---Ends the suspension of a hold.
---@param hold integer|hold
---@return hold?
---@return refusal refusal nil unless the first is nil
function holds.resume(hold) end

---Changes where a hold is picked up; a copy that is on the shelf elsewhere travels there.
---@param hold { hold: integer|hold, pickup_branch: string|branch }|integer|hold
---@return hold?
---@return refusal refusal nil unless the first is nil
function holds.set_pickup(hold) end

---What patrons are about to borrow, buy and rent.
---@class cartlib
cart = {}

---Lists what is in a patron's cart, in the order in which it was added.
---@param patron string|integer|patron
---@return cart_line[]
function cart.items(patron) end

---Tells what a cart would cost now, line by line, as the policy's `price` says.
---
---Loans cost nothing here: what borrowing costs is charged with the loan.
---@param patron string|integer|patron
---@return cart_total?
---@return refusal refusal nil unless the first is nil
function cart.total(patron) end

---Puts a title to borrow, or pieces of a listing to buy or rent, into a cart.
---
---It is checked as the checkout will: a title is refused if it could not be borrowed now together with those that are in the cart already. A listing that is in the cart gets more pieces.
---@param line { patron: string|integer|patron, kind?: "loan"|"buy"|"rent", title?: string|integer|title, listing?: integer|listing, quantity?: integer, ends_on?: date|string }|string|integer|patron
---@return cart_line?
---@return refusal refusal nil unless the first is nil
function cart.add(line) end

---Changes how many pieces a line is about, or when its rental ends, and takes the price as it is now.
---@param line { patron: string|integer|patron, line: integer|cart_line, quantity?: integer, ends_on?: date|string }|string|integer|patron
---@return cart_line?
---@return refusal refusal nil unless the first is nil
function cart.set(line) end

---Takes a line out of a cart.
---@param line { patron: string|integer|patron, line: integer|cart_line }|string|integer|patron
---@return cart_line?
---@return refusal refusal nil unless the first is nil
function cart.remove(line) end

---Takes everything out of a cart, and tells how many lines there were.
---@param patron string|integer|patron
---@return integer?
---@return refusal refusal nil unless the first is nil
function cart.clear(patron) end

---Checks a cart out, all of it or nothing: loans, and one order for what is bought and rented.
---
---The reasons of a refusal have the id of the `line`. A listing that no longer costs what it did when its line was written is refused with `price_changed`; `cart.set` takes the new price.
---@param patron string|integer|patron
---@return cart_checkout?
---@return refusal refusal nil unless the first is nil
function cart.checkout(patron) end

---What patrons and the library sell, rent out, trade and give away.
---@class marketlib
market = {}

---Finds one listing by its id, in any state.
---@param listing integer|listing
---@return listing?
function market.get(listing) end

---Lists what is offered, the newest first.
---
---Phone numbers and addresses of sellers are not told: `market.contact` writes to them.
---@param query? { isbn?: string|integer|title, course?: string, college?: string, text?: string, prefix?: boolean, recommended?: boolean, kind?: "sell"|"rent"|"trade"|"donate", seller?: string|integer|patron, state?: "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"|"all", limit?: integer, offset?: integer }|string|integer|title
---@return listing[]
function market.listings(query) end

---Lists orders, the latest first.
---@param query? { buyer?: string|integer|patron, seller?: string|integer|patron, state?: "open"|"done"|"cancelled", limit?: integer, offset?: integer }|string|integer|patron
---@return order[]
function market.orders(query) end

---Lists rentals, the latest first; open ones unless told otherwise.
---@param query? { lender?: string|integer|patron, borrower?: string|integer|patron, state?: "open"|"ended"|"all", limit?: integer, offset?: integer }|string|integer|patron
---@return rental[]
function market.rentals(query) end

---Tells what a title sold for in this month and the eleven before it, by real orders, the oldest first.
---@param isbn string|integer|title
---@return month_of_sales[]?
function market.price_history(isbn) end

---Offers something, if the policy's `publish` allows it; it may leave it to staff (state `review`).
---
---What is offered is a `title` or `isbn` of the catalogue, or described by `name` and what is known of it; a title that is new to the catalogue is put into it once the listing is published. Without `seller` the library itself offers it, and no policy is asked.
---@param listing { seller?: string|integer|patron, title?: string|integer|title, isbn?: string, name?: string, authors?: string[], courses?: string[], college?: string, kind: "sell"|"rent"|"trade"|"donate", price?: money|string, period?: period, quantity?: integer, condition?: string, edition?: string, picture?: string, note?: string, recommended?: boolean, draft?: boolean }|string|integer|patron
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.publish(listing) end

---Changes a listing; one that is offered is decided by the policy's `publish` anew.
---
---Its owner and staff may. `state` is `active`, `hidden` or `draft`; `market.withdraw` ends a listing.
---@param listing { listing: integer|listing, by?: string|integer|patron, price?: money|string, period?: period, quantity?: integer, condition?: string, edition?: string, picture?: string, note?: string, recommended?: boolean, state?: "active"|"hidden"|"draft" }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.update(listing) end

---Takes a listing back for good.
---@param listing { listing: integer|listing, by?: string|integer|patron }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.withdraw(listing) end

---Adds a picture behind those that a listing has, at most six.
---
---The picture is read by a process that may do nothing else, made smaller and written anew as JPEG, without what a camera wrote into it. Over HTTP the body may be the file itself, with its own `Content-Type` (`image/jpeg`). Within `store.transaction` and in a dry run no picture is read. What is offered is decided by the policy's `publish` anew. The pictures go when the listing is withdrawn or sold.
---@param picture { listing: integer|listing, image: string, by?: string|integer|patron }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.add_picture(picture) end

---Takes a picture away from a listing.
---@param picture { listing: integer|listing, picture: string, by?: string|integer|patron }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.remove_picture(picture) end

---Puts a picture of a listing in another place; the first stands for the offer in lists.
---@param picture { listing: integer|listing, picture: string, position: integer, by?: string|integer|patron }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.move_picture(picture) end

---Publishes a listing that waits for a review, and tells its seller.
---
---A title that is new to the catalogue is put into it.
---@param listing { listing: integer|listing, message?: string }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.approve(listing) end

---Makes a listing that waits for a review a draft again, and tells its seller.
---@param listing { listing: integer|listing, message?: string }|integer|listing
---@return listing?
---@return refusal refusal nil unless the first is nil
function market.reject(listing) end

---Buys pieces of a listing, or takes what is traded or given away.
---
---The policy's `price` says what it costs. What the library itself sells is charged to the buyer's account, line by line; what another patron sells is between the two, and stands in the order alone.
---@param order { patron: string|integer|patron, listing: integer|listing, quantity?: integer }|string|integer|patron
---@return order?
---@return refusal refusal nil unless the first is nil
function market.buy(order) end

---Rents pieces of a listing until a date; once none is left, it is hidden until one is given back.
---@param rental { patron: string|integer|patron, listing: integer|listing, ends_on?: date|string, quantity?: integer }|string|integer|patron
---@return rental?
---@return refusal refusal nil unless the first is nil
function market.rent(rental) end

---Tells what pieces of a listing would cost a patron now, line by line, as the policy's `price` says.
---@param order { patron: string|integer|patron, listing: integer|listing, quantity?: integer, ends_on?: date|string }|string|integer|patron
---@return cart_total?
---@return refusal refusal nil unless the first is nil
function market.quote(order) end

---Writes down that something is rented out to a member with whom its lender agreed.
---
---There is no order, and nothing is charged: what it costs the two settle. The borrower is named as others see them (a display name, a username, or a name such as `Reader 62`), gets a message, and may end what is not so.
---@param rental { listing: integer|listing, borrower: string, ends_on: date|string, quantity?: integer, by?: string|integer|patron }|integer|listing
---@return rental?
---@return refusal refusal nil unless the first is nil
function market.rent_out(rental) end

---Takes back what was rented; the listing is to be had again at the price it had.
---
---The lender and staff say what came back; of what the lender alone wrote down (`market.rent_out`) the borrower, too, may say that it is over.
---@param rental { rental: integer|rental, by?: string|integer|patron }|integer|rental
---@return rental?
---@return refusal refusal nil unless the first is nil
function market.give_back(rental) end

---Says that an order was handed over.
---
---Whose items all are, and staff, may.
---@param order { order: integer|order, by?: string|integer|patron }|integer|order
---@return order?
---@return refusal refusal nil unless the first is nil
function market.hand_over(order) end

---Cancels an order that was not handed over: stock comes back, charges are taken off.
---@param order { order: integer|order, reason?: string }|integer|order
---@return order?
---@return refusal refusal nil unless the first is nil
function market.cancel(order) end

---Writes to the person who offers a listing, in a patron's name.
---
---The owner learns the patron's display name (or the username or, where that is an e-mail address, a name such as `Reader 62`), no phone number and no address, and the patron nothing.
---@param message { patron: string|integer|patron, listing: integer|listing, message: string }|string|integer|patron
---@return notice?
---@return refusal refusal nil unless the first is nil
function market.contact(message) end

---What patrons write to each other about listings.
---@class messageslib
messages = {}

---Lists a patron's conversations, the one with the latest message first.
---@param query { patron: string|integer|patron, limit?: integer, offset?: integer }|string|integer|patron
---@return conversation[]
function messages.conversations(query) end

---Lists the messages of a patron's conversation by their numbers; nil for another's.
---
---Reading marks nothing as read.
---@param query { patron: string|integer|patron, conversation: integer|conversation, limit?: integer, offset?: integer }|string|integer|patron
---@return message[]?
function messages.read(query) end

---Writes to the seller of a listing, or to the other side of a conversation, who is told by mail.
---
---Each sees the other's public name: the username or, where that is an e-mail address, a name such as `Reader 62`. Neither is given an address or a phone number.
---@param message { patron: string|integer|patron, listing?: integer|listing, conversation?: integer|conversation, text: string }|string|integer|patron
---@return message?
---@return refusal refusal nil unless the first is nil
function messages.write(message) end

---Notes that a patron has read all messages of a conversation.
---@param conversation { patron: string|integer|patron, conversation: integer|conversation }|string|integer|patron
---@return conversation?
---@return refusal refusal nil unless the first is nil
function messages.mark_read(conversation) end

---Has a patron take no more messages from the other side of a conversation, in this and in others.
---@param conversation { patron: string|integer|patron, conversation: integer|conversation }|string|integer|patron
---@return conversation?
---@return refusal refusal nil unless the first is nil
function messages.block(conversation) end

---Has a patron take messages from the other side of a conversation again.
---@param conversation { patron: string|integer|patron, conversation: integer|conversation }|string|integer|patron
---@return conversation?
---@return refusal refusal nil unless the first is nil
function messages.unblock(conversation) end

---Titles that people ask the library for.
---@class suggestionslib
suggestions = {}

---Lists suggestions, the oldest first.
---@param query? { state?: "review"|"approved"|"rejected", patron?: string|integer|patron, limit?: integer, offset?: integer }|"review"|"approved"|"rejected"
---@return suggestion[]
function suggestions.list(query) end

---Takes in a suggestion; the policy's `publish` approves it, leaves it to staff or refuses it.
---@param suggestion { patron: string|integer|patron, name: string, isbn?: string, authors?: string[], courses?: string[], college?: string, note?: string }|string|integer|patron
---@return suggestion?
---@return refusal refusal nil unless the first is nil
function suggestions.submit(suggestion) end

---Puts a suggested title into the catalogue, and tells the patron who asked for it.
---@param suggestion { suggestion: integer|suggestion, message?: string }|integer|suggestion
---@return suggestion?
---@return refusal refusal nil unless the first is nil
function suggestions.approve(suggestion) end

---Turns a suggestion down, and tells the patron who asked for it.
---@param suggestion { suggestion: integer|suggestion, message?: string }|integer|suggestion
---@return suggestion?
---@return refusal refusal nil unless the first is nil
function suggestions.reject(suggestion) end

---What patrons think of titles: stars, and a few words.
---@class ratingslib
ratings = {}

---Says how a title was rated: how often, and with how many stars on average.
---@param title string|integer|title
---@return rating_summary?
function ratings.summary(title) end

---Lists what members wrote of a title, the latest first; what staff hid is left out.
---@param query { title: string|integer|title, limit?: integer, offset?: integer }|string|integer|title
---@return review[]?
function ratings.reviews(query) end

---Gives what a patron thinks of a title; nil: they have not said.
---@param query { patron: string|integer|patron, title: string|integer|title }|string|integer|patron
---@return rating?
function ratings.get(query) end

---Lists a patron's ratings, the latest first.
---@param query { patron: string|integer|patron, limit?: integer, offset?: integer }|string|integer|patron
---@return rating[]
function ratings.list(query) end

---Rates a title in a patron's name, or changes what they said of it.
---
---A patron rates a title once. Words that staff hid stay hidden when they are changed.
---@param rating { patron: string|integer|patron, title: string|integer|title, stars: integer, review?: string }|string|integer|patron
---@return rating?
---@return refusal refusal nil unless the first is nil
function ratings.rate(rating) end

---Takes a patron's rating of a title back.
---@param rating { patron: string|integer|patron, title: string|integer|title }|string|integer|patron
---@return rating?
---@return refusal refusal nil unless the first is nil
function ratings.remove(rating) end

---Asks staff, in a patron's name, to look at what another wrote of a title.
---
---What was reported already, and what staff let stand, stays as it is.
---@param report { patron: string|integer|patron, rating: integer|rating }|string|integer|patron
---@return review?
---@return refusal refusal nil unless the first is nil
function ratings.report(report) end

---Lists the ratings at whose words members asked staff to look, the oldest first.
---@param query? { limit?: integer, offset?: integer }|integer
---@return rating[]
function ratings.reported(query) end

---Hides what a patron wrote of a title from all others; the stars count as before.
---
---The patron sees the reason, and the log keeps it, without the patron's name.
---@param review { rating: integer|rating, reason: string }|integer|rating
---@return rating?
---@return refusal refusal nil unless the first is nil
function ratings.hide(review) end

---Lets what a patron wrote of a title stand; it is not reported again unless it changes.
---@param rating integer|rating
---@return rating?
---@return refusal refusal nil unless the first is nil
function ratings.show(rating) end

---Titles that patrons put together under names, for themselves or for everyone.
---@class listslib
lists = {}

---Lists a patron's lists in the order in which they were made.
---@param patron string|integer|patron
---@return title_list[]
function lists.of(patron) end

---Lists the lists that everyone may see, the latest first.
---@param query? { query?: string, limit?: integer, offset?: integer }|string
---@return title_list[]
function lists.public(query) end

---Finds a list. Over HTTP a private one exists for its owner alone, one shared by a link for who gives its key.
---@param list integer|title_list
---@param key? string over HTTP: the `link_key` of a list that is shared by a link
---@return title_list?
function lists.get(list, key) end

---Lists the titles of a list in the order in which they were added.
---@param query { list: integer|title_list, key?: string, limit?: integer, offset?: integer }|integer|title_list
---@return title[]?
function lists.titles(query) end

---Makes a list without titles.
---@param list { patron: string|integer|patron, name: string, is_public?: boolean, visibility?: "private"|"link"|"public" }|string|integer|patron
---@return title_list?
---@return refusal refusal nil unless the first is nil
function lists.make(list) end

---Renames a list, says who may see it. A link that was taken back leads nowhere for ever.
---@param list { patron: string|integer|patron, list: integer|title_list, name?: string, is_public?: boolean, visibility?: "private"|"link"|"public", new_link?: boolean }|string|integer|patron
---@return title_list?
---@return refusal refusal nil unless the first is nil
function lists.change(list) end

---Removes a list with its titles, which stay in the catalogue.
---@param list { patron: string|integer|patron, list: integer|title_list }|string|integer|patron
---@return title_list?
---@return refusal refusal nil unless the first is nil
function lists.remove(list) end

---Adds a title behind the others of a list; one that is there stays where it is.
---@param entry { patron: string|integer|patron, list: integer|title_list, title: string|integer|title }|string|integer|patron
---@return listed_title?
---@return refusal refusal nil unless the first is nil
function lists.add_title(entry) end

---Takes a title off a list.
---@param entry { patron: string|integer|patron, list: integer|title_list, title: string|integer|title }|string|integer|patron
---@return listed_title?
---@return refusal refusal nil unless the first is nil
function lists.remove_title(entry) end

---Takes down a list that others see: from then on its owner alone sees it.
---
---The owner is told the reason, and the log keeps it, without the owner's name. The owner cannot share the list until `lists.restore`.
---@param list { list: integer|title_list, reason: string, key?: string }|integer|title_list
---@return title_list?
---@return refusal refusal nil unless the first is nil
function lists.take_down(list) end

---Lists the lists that staff took down, the latest first.
---@param query? { limit?: integer, offset?: integer }|integer
---@return title_list[]
function lists.taken_down(query) end

---Lets the owner share a list again that was taken down; it stays private until then.
---@param list integer|title_list
---@return title_list?
---@return refusal refusal nil unless the first is nil
function lists.restore(list) end

---Messages to patrons.
---@class notificationslib
notifications = {}

---Lists messages, the latest first.
---@param query? { patron?: string|integer|patron, unread?: boolean, limit?: integer, offset?: integer }|string|integer|patron
---@return notice[]
function notifications.list(query) end

---Lists what waits to be sent, or what was given up, the oldest first.
---@param query? { failed?: boolean, limit?: integer, offset?: integer }|boolean
---@return outbox_notice[]
function notifications.outbox(query) end

---Puts a message into the outbox, once for each key.
---
---A repeated key gives the message that is there, so that a chore may be run twice. The channel `inbox` delivers at once. Plugins add channels, by names such as `courier:pager`.
---@param message { patron: string|integer|patron, channel?: string, subject: string, body: string, key: string }|string|integer|patron
---@return notice?
---@return refusal refusal nil unless the first is nil
function notifications.send(message) end

---Writes the notice of a stage about one loan at once, without waiting for the sweep.
---
---Without `stage` it is the latest that the loan has reached; one that is not reached is refused with `not_due`. The sweep does not say it again, and what the stage charges is charged. A stage that was said for this due time is refused with `exists`; with `again` it is said once more, and nothing is charged.
---@param reminder? { loan?: integer|loan, barcode?: string|integer|copy, stage?: string, again?: boolean }|integer|loan
---@return notice?
---@return refusal refusal nil unless the first is nil
function notifications.remind(reminder) end

---Marks a message as read.
---@param notice integer|notice
---@return notice?
---@return refusal refusal nil unless the first is nil
function notifications.mark_read(notice) end

---Takes a message out of the outbox before it is sent.
---@param notice integer|notice
---@return notice?
---@return refusal refusal nil unless the first is nil
function notifications.cancel(notice) end

---Puts a message that was given up back into the outbox.
---
---One that may have arrived goes out as the mail that it was, with the others of that mail. `alone` has it go in a mail of its own: so one notice that a mail server refuses keeps no other back.
---@param notice integer|notice
---@param alone? boolean in a mail of its own, whatever it shared a mail with
---@return notice?
---@return refusal refusal nil unless the first is nil
function notifications.retry(notice, alone) end

---Looks at every open loan that is due or nearly so: posts fines, queues notices. Nothing is done twice.
---
---Outside of `store.transaction` it commits page by page and may be stopped and repeated.
---@return sweep
function notifications.sweep() end

---Patrons' accounts: a ledger, of which a balance is the sum.
---@class feeslib
fees = {}

---Says what a patron owes; a negative amount is what the library owes.
---@param patron string|integer|patron
---@return money
function fees.owed(patron) end

---Lists the lines of a patron's account, the oldest first.
---@param patron string|integer|patron
---@param limit? integer how many at most
---@param offset? integer how many to pass over at the beginning
---@param latest? boolean the latest first instead
---@return ledger_entry[]
function fees.ledger(patron, limit, offset, latest) end

---Lists the patrons who owe something, those who owe most first.
---@param query? { least?: money|string, category?: string|category, limit?: integer, offset?: integer }|money|string
---@return debtor[]
function fees.debtors(query) end

---Says how many patrons owe something, and what they owe together.
---@param query? { category?: string|category }|string|category
---@return debt_total
function fees.debt_total(query) end

---Posts a charge and tells the patron, once for each key; without a key, each time.
---
---A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param charge { patron: string|integer|patron, amount: money|string, label: string, key?: string, loan?: integer|loan }|string|integer|patron
---@return ledger_entry?
---@return refusal refusal nil unless the first is nil
function fees.charge(charge) end

---Takes a payment of no more than what is owed.
---
---A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param payment { patron: string|integer|patron, amount: money|string, note?: string, key?: string }|string|integer|patron
---@return ledger_entry?
---@return refusal refusal nil unless the first is nil
function fees.pay(payment) end

---Lets a patron off a part of what is owed, or off a whole charge or fine.
---
---A charge is waived once: asked again, the line that is there is given. A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param waiver { patron: string|integer|patron, amount?: money|string, entry?: integer|ledger_entry, reason: string, key?: string }|string|integer|patron
---@return ledger_entry?
---@return refusal refusal nil unless the first is nil
function fees.waive(waiver) end

---Gives money back: an amount, a whole payment, or what was paid for a whole charge or fine.
---
---No more than was paid and not given back before. A refund never makes the patron owe more: what the library owes goes first, and beyond that as much is taken off the charges by an adjustment. Of a charge that is refunded the whole is taken off. A line is refunded once: asked again, the line that is there is given. A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param refund { patron: string|integer|patron, amount?: money|string, entry?: integer|ledger_entry, reason: string, key?: string }|string|integer|patron
---@return ledger_entry?
---@return refusal refusal nil unless the first is nil
function fees.refund(refund) end

---The branches of the library.
---@class brancheslib
branches = {}

---Finds one branch by its code.
---@param branch string|branch
---@return branch?
function branches.get(branch) end

---Goes through all branches, the first one first.
---@return fun(): branch?
function branches.each() end

---Adds a branch; it is always open until `calendar.set_hours` says otherwise.
---@param branch { code: string, name: string, parent?: string|branch, time_zone?: string }|string
---@return branch?
---@return refusal refusal nil unless the first is nil
function branches.add(branch) end

---Changes what is given of a branch; the rest stays.
---@param branch string|branch which branch
---@param changes? { name?: string, time_zone?: string, parent?: string|branch, without_parent?: boolean }
---@return branch?
---@return refusal refusal nil unless the first is nil
function branches.update(branch, changes) end

---Removes a branch to which no copy, patron, hold or other branch belongs.
---@param branch string|branch
---@return branch?
---@return refusal refusal nil unless the first is nil
function branches.remove(branch) end

---The categories of patrons.
---@class categorieslib
categories = {}

---Finds one category by its code.
---@param category string|category
---@return category?
function categories.get(category) end

---Goes through all categories.
---@return fun(): category?
function categories.each() end

---Adds a category.
---@param category { code: string, name: string, parent?: string|category }|string
---@return category?
---@return refusal refusal nil unless the first is nil
function categories.add(category) end

---Changes what is given of a category; the rest stays.
---@param category string|category which category
---@param changes? { name?: string, parent?: string|category, without_parent?: boolean }
---@return category?
---@return refusal refusal nil unless the first is nil
function categories.update(category, changes) end

---Removes a category that no patron has and no category belongs to.
---@param category string|category
---@return category?
---@return refusal refusal nil unless the first is nil
function categories.remove(category) end

---The types of items.
---@class item_typeslib
item_types = {}

---Finds one item type by its code.
---@param item_type string|item_type
---@return item_type?
function item_types.get(item_type) end

---Goes through all item types.
---@return fun(): item_type?
function item_types.each() end

---Adds an item type.
---@param item_type { code: string, name: string, parent?: string|item_type }|string
---@return item_type?
---@return refusal refusal nil unless the first is nil
function item_types.add(item_type) end

---Changes what is given of an item type; the rest stays.
---@param item_type string|item_type which item type
---@param changes? { name?: string, parent?: string|item_type, without_parent?: boolean }
---@return item_type?
---@return refusal refusal nil unless the first is nil
function item_types.update(item_type, changes) end

---Removes an item type that no copy has and no type belongs to.
---@param item_type string|item_type
---@return item_type?
---@return refusal refusal nil unless the first is nil
function item_types.remove(item_type) end

---The names of shelving locations. Copies may have locations without one: they are shown as they are.
---@class locationslib
locations = {}

---Finds one location by its code.
---@param location string|location
---@return location?
function locations.get(location) end

---Goes through all locations that have names.
---@return fun(): location?
function locations.each() end

---Gives a location a name, by which people see it; policies and files keep the code.
---@param location { code: string, name: string }|string
---@return location?
---@return refusal refusal nil unless the first is nil
function locations.add(location) end

---Changes what is given of a location; the rest stays.
---@param location string|location which location
---@param changes? { name?: string }
---@return location?
---@return refusal refusal nil unless the first is nil
function locations.update(location, changes) end

---Removes the name of a location at which no copy stands.
---@param location string|location
---@return location?
---@return refusal refusal nil unless the first is nil
function locations.remove(location) end

---When a branch is open.
---@class calendarlib
calendar = {}

---Says whether a branch is open on a date.
---@param date date|string
---@param branch? string|branch the branch of the desk if left out
---@return boolean
function calendar.is_open(date, branch) end

---Gives the date itself if the branch is open on it, else the next day it is open.
---@param date date|string
---@param branch? string|branch the branch of the desk if left out
---@return date
function calendar.next_open(date, branch) end

---Gives the first open day after a date.
---@param date date|string
---@param branch? string|branch the branch of the desk if left out
---@return date
function calendar.next_open_after(date, branch) end

---Gives the date itself if the branch is open on it, else the last open day before it.
---@param date date|string
---@param branch? string|branch the branch of the desk if left out
---@return date
function calendar.previous_open(date, branch) end

---Gives the date so many open days after another, or before it for a negative number.
---@param date date|string
---@param count integer
---@param branch? string|branch the branch of the desk if left out
---@return date
function calendar.add_open_days(date, count, branch) end

---Counts the open days after the first date up to and with the second.
---@param from date|string
---@param to date|string
---@param branch? string|branch the branch of the desk if left out
---@return integer
function calendar.open_days_between(from, to, branch) end

---Lists the days on which a branch is closed beside its weekly hours.
---@param branch? string|branch the branch of the desk if left out
---@return closure[]
function calendar.closures(branch) end

---Closes a branch on a day or from one day to another. Gives how many loans were moved.
---
---Closing the same days again with `move_due` moves what was not moved the first time. Where a closure is entered late, fines for the due times that it moves are taken off.
---@param closure { from: date|string, to?: date|string, reason?: string, branch?: string|branch, move_due?: boolean }|date|string
---@return integer?
---@return refusal refusal nil unless the first is nil
function calendar.close(closure) end

---Opens a branch on a day in spite of every closure, with hours of its own if they are given.
---@param opening { date: date|string, hours?: string[][], branch?: string|branch }|date|string
---@return integer?
---@return refusal refusal nil unless the first is nil
function calendar.reopen(opening) end

---Sets the weekly hours of one weekday; an empty list closes it.
---@param change { weekday: "mon"|"tue"|"wed"|"thu"|"fri"|"sat"|"sun", hours: string[][], branch?: string|branch }|"mon"|"tue"|"wed"|"thu"|"fri"|"sat"|"sun"
---@return integer?
---@return refusal refusal nil unless the first is nil
function calendar.set_hours(change) end

---Requests to servers outside, for plugins and scripts that are allowed `http`.
---@class httplib
http = {}

---Asks a server, and waits for its answer.
---
---Whatever its status, an answer is one; where none came, it gives nil and a refusal. No redirect is followed. In a transaction nothing may wait for a server: ask before `store.transaction`, and in a handler before its first change.
---@param request { url: string, query?: any, headers?: any }|string
---@return http_reply?
---@return refusal refusal nil unless the first is nil
function http.get(request) end

---Sends something to a server: afterwards, by the outbox, or now.
---
---Without `now` it is written down in the transaction that is open, or in one of its own, and sent after that: at least once, under the same `webhook-id` and `Idempotency-Key` at each try, signed as Standard Webhooks have it. With `now` it is sent at once and its answer given, as by `http.get`.
---@param request { url: string, query?: any, headers?: any, json?: any, form?: any, body?: string, type?: string, key?: string, patron?: string|integer|patron, now?: boolean }|string
---@return http_reply?
---@return refusal refusal nil unless the first is nil
function http.post(request) end

---The same as `http.post` with the method PUT.
---
---Without `now` it is written down in the transaction that is open, or in one of its own, and sent after that: at least once, under the same `webhook-id` and `Idempotency-Key` at each try, signed as Standard Webhooks have it. With `now` it is sent at once and its answer given, as by `http.get`.
---@param request { url: string, query?: any, headers?: any, json?: any, form?: any, body?: string, type?: string, key?: string, patron?: string|integer|patron, now?: boolean }|string
---@return http_reply?
---@return refusal refusal nil unless the first is nil
function http.put(request) end

---The same as `http.post` with the method PATCH.
---
---Without `now` it is written down in the transaction that is open, or in one of its own, and sent after that: at least once, under the same `webhook-id` and `Idempotency-Key` at each try, signed as Standard Webhooks have it. With `now` it is sent at once and its answer given, as by `http.get`.
---@param request { url: string, query?: any, headers?: any, json?: any, form?: any, body?: string, type?: string, key?: string, patron?: string|integer|patron, now?: boolean }|string
---@return http_reply?
---@return refusal refusal nil unless the first is nil
function http.patch(request) end

---The same as `http.post` with the method DELETE.
---
---Without `now` it is written down in the transaction that is open, or in one of its own, and sent after that: at least once, under the same `webhook-id` and `Idempotency-Key` at each try, signed as Standard Webhooks have it. With `now` it is sent at once and its answer given, as by `http.get`.
---@param request { url: string, query?: any, headers?: any, json?: any, form?: any, body?: string, type?: string, key?: string, patron?: string|integer|patron, now?: boolean }|string
---@return http_reply?
---@return refusal refusal nil unless the first is nil
function http.delete(request) end

---Programs outside that have events posted to them.
---@class webhookslib
webhooks = {}

---Lists the subscriptions.
---@return webhook[]
function webhooks.list() end

---Has events posted to a server from now on, as CloudEvents and signed as Standard Webhooks have it.
---@param webhook { url: string, events?: event_name[], note?: string, secret?: string }|string
---@return webhook?
---@return refusal refusal nil unless the first is nil
function webhooks.add(webhook) end

---Ends a subscription; what waits for it is not sent any more.
---@param webhook integer the subscription
---@return webhook?
---@return refusal refusal nil unless the first is nil
function webhooks.remove(webhook) end

---Goes on with a subscription that was paused, with all that has happened since.
---@param webhook integer the subscription
---@return webhook?
---@return refusal refusal nil unless the first is nil
function webhooks.resume(webhook) end

---Has a made-up event of the type `moonshelf.test` posted.
---@param webhook integer the subscription
---@return webhook?
---@return refusal refusal nil unless the first is nil
function webhooks.test(webhook) end

---Counts over all loans, imported history included.
---@class statslib
stats = {}

---Counts loans by day, month, branch and the like, in the order of the keys.
---@param query { group: "day"|"week"|"month"|"year"|"branch"|"category"|"genre"|"title"|"item_type", measure?: "loans"|"renewals"|"returns"|"in_house", rollup?: boolean, from?: instant|date|string, to?: instant|date|string, limit?: integer, offset?: integer }|"day"|"week"|"month"|"year"|"branch"|"category"|"genre"|"title"|"item_type"
---@return loan_count[]
function stats.loans_by(query) end

---Lists titles by loans for each copy, the highest first.
---@param query? { from?: instant|date|string, to?: instant|date|string, limit?: integer, offset?: integer }|instant|date|string
---@return lent_title[]
function stats.turnover(query) end

---Lists titles with copies that were never lent, or not since a moment.
---@param query? { since?: instant|date|string, limit?: integer, offset?: integer }|instant|date|string
---@return title[]
function stats.never_lent(query) end

---Lists titles with copies that were lent seldom or not at all, the least lent first.
---
---Of titles lent equally often in the time asked about, those lent least in all come first, then the oldest.
---@param query? { since?: instant|date|string, most?: integer, published_before?: integer, idle?: boolean, limit?: integer, offset?: integer }|instant|date|string
---@return rarely_lent[]
function stats.rarely_lent(query) end

---Counts the titles that `stats.rarely_lent` lists, and their copies.
---@param query? { since?: instant|date|string, most?: integer, published_before?: integer, idle?: boolean }|instant|date|string
---@return title_totals
function stats.rarely_lent_totals(query) end

---Counts titles, copies and loans by subject, genre or college, the highest turnover first.
---
---A title of several subjects or genres counts in each of them.
---@param query { group: "subject"|"genre"|"college", from?: instant|date|string, to?: instant|date|string, least_copies?: integer, limit?: integer, offset?: integer }|"subject"|"genre"|"college"
---@return holding[]
function stats.holdings(query) end

---Counts titles, copies and copies that are lent by year of publication, the oldest first.
---
---Titles without copies do not count; those without a year stand last.
---@param query? { genre?: string, limit?: integer, offset?: integer }|string
---@return collection_year[]
function stats.collection(query) end

---Counts loans and returns by weekday and hour, in the order of the week.
---
---Hours are those of the library's clock. Imported history is left out: other systems rarely know the hour.
---@param query? { from?: instant|date|string, to?: instant|date|string, branch?: string }|instant|date|string
---@return hour_of_week[]
function stats.by_hour(query) end

---Counts the patrons who joined by month, by the category that they have now.
---
---Patrons who were imported joined on the day of the import.
---@param query? { from?: instant|date|string, to?: instant|date|string, limit?: integer, offset?: integer }|instant|date|string
---@return month_of_patrons[]
function stats.new_patrons(query) end

---Counts one thing by rows and columns, as a simple report shows it.
---
---`moonshelf report measures` lists what can be counted and by what it can be split. Days, weeks and the like come in their order, all else by its figure, the largest first, what is not known last, with the key `-`. A title of several genres, subjects or courses counts in each of them, and once in `total`. What a measure without moments counts is counted as it stands now. By hour, imported history is left out.
---@param query { measure: "loans"|"returns"|"renewals"|"in_house"|"open_loans"|"overdue_loans"|"holds"|"open_holds"|"new_patrons"|"patrons"|"fees_charged"|"fees_paid"|"fees_waived"|"titles"|"copies", rows: "branch"|"category"|"item_type"|"genre"|"subject"|"course"|"college"|"language"|"status"|"day"|"week"|"month"|"year"|"weekday"|"hour", columns?: "branch"|"category"|"item_type"|"language"|"status"|"week"|"month"|"year"|"weekday"|"hour", from?: instant|date|string, to?: instant|date|string, branch?: string, category?: string, item_type?: string, limit?: integer }|"loans"|"returns"|"renewals"|"in_house"|"open_loans"|"overdue_loans"|"holds"|"open_holds"|"new_patrons"|"patrons"|"fees_charged"|"fees_paid"|"fees_waived"|"titles"|"copies"
---@return figures
function stats.figures(query) end

---Answers one SQL statement from the views that are listed below.
---
---Gives a list of rows, each a table by the names of its columns; a null is absent. Only what is committed is seen. Nothing can be changed, and nothing but these views can be read; an answer has at most 100,000 rows, 64 MB and 10 seconds. Over PostgreSQL it needs a role of its own: `docs/sql-views.md`.
---
---Instants are texts in UTC, `2026-12-24T18:00:00Z`, dates `2026-12-24`, amounts of money whole minor units, flags 0 or 1.
---
---`report_branches`: Branches. code, name, parent.
---
---`report_categories`: Categories of patrons. code, name, parent.
---
---`report_item_types`: Item types. code, name, parent.
---
---`report_locations`: Shelving locations that have names. code, name.
---
---`report_titles`: Titles; lists are JSON. id, isbn, title, authors, publisher, year, language, genres, subjects, college, edition, series, series_number, stars, recommended.
---
---`report_title_genres`: Genres of titles, a row each. title, genre.
---
---`report_copies`: Copies. id, barcode, title, branch, item_type, status, replacement_price, replacement_currency, location, acquired_on, call_number.
---
---`report_patrons`: Patrons, without anything by which one could be told or reached. id, category, home_branch, language, expires_on.
---
---`report_patron_links`: Who answers for whom (`guardian`: `other` for `patron`), and who lives with whom (`household`: `other` is the one to whom all of it are linked). id, patron, other, kind, added_at.
---
---`report_blocks`: Blocks and suspensions of patrons, without their reasons. id, patron, kind, created_at, ends, lifted_at.
---
---`report_loans`: Loans, imported history included, as they stood when they were made. id, copy, title, patron, category, home_branch, item_type, branch, lent_at, due_at, original_due_at, returned_at, lost_at, claimed_at, recalled_at, renewed_at, renewals, on_site, channel, imported.
---
---`report_holds`: Holds, closed ones too. id, title, copy, patron, pickup_branch, placed_at, priority, expires_on, state, held_copy, shelved_at, closed_at, loan, channel.
---
---`report_in_house_uses`: Uses in the house. id, copy, title, category, item_type, branch, used_at.
---
---`report_fees`: Lines of patrons' accounts, without their words. id, patron, loan, kind, amount, currency, at.
---
---`report_notices`: Notices, without their texts. id, kind, patron, loan, stage, repetition, channel, state, created_at, sent_at, tries.
---
---`report_policies`: Policies that were put into force. id, policy, name, effective_from, activated_at.
---
---`report_events`: What happened, without who did it and what it says. sequence, at, kind, channel, patron, copy, loan.
---@param sql string `SELECT`, `WITH` or `VALUES`; parameters are `?`
---@param params? any[] texts, numbers, booleans, dates, instants or amounts, one for each `?`
---@return any[]
function stats.query(sql, params) end

---What a script reports: a document that the runner shows, saves or sends.
---@class reportlib
report = {}

---Declares the script's arguments, and gives their values: the table `args`.
---
---Each name has a type, or a table of `type`, `default`, `help`, `required`, `choices` and, for a text that is a code, `of`: what it is a code of, as `report.name` has it, so that forms offer names and reports show them. Types are `text`, `integer`, `number`, `boolean`, `date`, `instant`, `money`, `file` and `period` (a span of dates: `last_week`, `last_month`, `this_year`, `2026`, `2026-12`, `FROM..TO`; the value has `from`, `to` and `text`). A `file` is a path, or `-` for standard input; its value has `name`, `text()`, and the iterators `lines()` and `rows()`, the latter over the records of CSV by the names in its first. On the command line they are `--name VALUE`; what is left over is `args[1]` and on.
---@param declarations any a table: name = type, or name = { type = ..., default = ..., help = ... }
---@return any
function report.params(declarations) end

---Says in which language the script writes its report.
---
---Names of months, languages and the like, dates and figures on pages, and what pages say around the report follow. It stands at the beginning: what was asked before is in English. Without it a report is in English.
---@param code string such as `de`
function report.language(code) end

---Sets the report's title.
---@param title string
function report.title(title) end

---Adds a paragraph.
---@param text string
function report.text(text) end

---Begins a section.
---@param title string
function report.section(title) end

---Adds a table. The types of its columns follow from the values unless they are given.
---
---Types are `text`, `integer`, `number`, `percent`, `money`, `date`, `instant`, `period` and `boolean`; they decide how people see the values: figures at the right, numbers of a column with as many decimals, 12.5 in a column of `percent` as 12.5%, instants by the library's clock. Programs get the values as they are. A `total` stands below the rows, and as `total` in JSON; CSV has the rows alone. Of a column of codes `of` says what they are codes of, as `report.name` has it: people see names, JSON and CSV have the codes. A cell that `report.link` made leads to a record.
---@param table { title?: string, columns?: any, rows: any, total?: any }|string
function report.table(table) end

---Adds a chart.
---
---Bars, lines and areas have an axis of figures; bars with long labels lie. A pie takes one series without negative figures, and its smallest slices become one. Where there is no figure, `false` says so.
---@param chart { kind: "bar"|"line"|"area"|"pie", title?: string, labels: any[], values?: any[], series?: { name: string, values: any[] }[], label_title?: string, value_title?: string, unit?: string, stacked?: boolean }|"bar"|"line"|"area"|"pie"
function report.chart(chart) end

---Adds one figure with its name.
---@param metric { name: string, value: any, unit?: string, note?: string }|string
function report.metric(metric) end

---What people call a code, in the language of the report; the code itself where it has no name.
---
---Of a `branch`, a `category` and an `item_type` it is the library's name for it, of a `language` (ISO 639) that of the language, of a `month` such as `2026-12`, a `week` such as `2026-W52` and a `weekday` from 1 for Monday how people write it, of a `word` of the program's own such as `on_loan` the words. Columns say the same by `of`.
---@param kind "branch"|"category"|"item_type"|"location"|"language"|"month"|"week"|"weekday"|"word" what it is a code of
---@param code? any a text or a whole number
---@return string?
function report.name(kind, code) end

---A cell of a table that leads to a record where the report is shown by the server; elsewhere it is a text.
---
---The text is the title's name, the copy's barcode, the patron's username, the listing's name, or one of the script's own. A copy leads to its title. Where the reader may not see patrons, a patron is a text. Nothing gives nothing, so that a record that is gone leaves its cell empty.
---@param kind "title"|"copy"|"patron"|"listing"
---@param record? any the record, or its id where a text is given; of a copy its title's
---@param text? string what readers see
---@return any
function report.link(kind, record, text) end

---Transactions and the log of events.
---@class storelib
store = {}

---Runs a function so that all it does at the desk happens as a whole, or not at all.
---
---An error in the function undoes everything and goes on to the caller; it is never run again by itself. Refusals inside are answers, not errors: they undo nothing, and they stay in the log even if the transaction is undone.
---@param f function called without arguments; its results are the transaction's
---@return any
function store.transaction(f) end

---Goes through what happened, in the order in which it happened.
---@param query? { since?: integer, kind?: event_name, patron?: string|integer|patron, copy?: string|integer|copy, loan?: integer|loan }|integer
---@return fun(): event?
function store.events(query) end

---JSON (RFC 8259).
---@class jsonlib
json = {}

---Writes a value as JSON.
---
---A sequence becomes an array, `none` null. A table without anything in it becomes an object, unless the library gave it as a list, as `loans.active` does, or it comes from `json.array`.
---@param value any dates, money and periods become their text
---@param pretty? boolean on several lines
---@return string
function json.encode(value, pretty) end

---Writes a JSON object with its members in the order in which they are given.
---
---A member is its name with its value, `{ "id", 5 }`; without a value it is null. What is JSON already stands under `json` in the value's place; `member` takes one member of that, as it stands there.
---@param members any[]
---@return string
function json.object(members) end

---Gives a list that is an array in JSON even where it is empty.
---@param list? any[] its elements
---@return any[]
function json.array(list) end

---Reads JSON. `null` becomes nil; a wrong text is an error with line and column.
---@param text string
---@return any
function json.decode(text) end

---CSV (RFC 4180).
---@class csvlib
csv = {}

---Goes through the records of a CSV text as tables by the names of its first record.
---@param text string
---@param options? { header?: boolean }
---@return fun(): any?
function csv.rows(text, options) end

---Writes rows as CSV.
---@param rows any[] tables with the names of the columns, or sequences
---@param options? { columns?: string[], guard?: boolean }
---@return string
function csv.encode(rows, options) end

---Digests of texts (SHA-256, FIPS 180-4), and codes of who holds a secret (HMAC, RFC 2104).
---@class digestlib
digest = {}

---Gives the digest of a text.
---@param text string
---@param encoding? "hex"|"base64" how its bytes are written
---@return string
function digest.sha256(text, encoding) end

---Gives the code by which who holds a secret shows that a text is theirs and unchanged.
---
---Compare a code that came with a request by `digest.same`. A secret in Base64 is decoded where `secret_encoding` says so; otherwise its own bytes count.
---@param message { secret: string, text: string, encoding?: "hex"|"base64", secret_encoding?: "text"|"hex"|"base64" }|string
---@return string
function digest.hmac(message) end

---Whether two texts are the same, in a time that does not tell where they differ.
---@param one string
---@param other string
---@return boolean
function digest.same(one, other) end

---Lines for the person who watches the script run; they are no part of the report.
---@class loglib
log = {}

---Logs what is going on.
---@param message string
function log.info(message) end

---Logs what should be looked at.
---@param message string
function log.warn(message) end

---Logs what went wrong; the script goes on.
---@param message string
function log.error(message) end

---The script's arguments: by name as `report.params` declared them, and the rest by number.
---@type table<string|integer, any>
args = {}

---What a policy is asked with.
---@class case
---@field point "request"|"checkout"|"due"|"renew"|"hold"|"recall"|"overdue"|"fine"|"checkin"|"lost"|"price"|"publish"|"notify"|"expiry" what is asked
---@field now instant the moment of the question
---@field calendar case.calendar the branch's opening days and hours
---@field branch string where it is lent; online, the copy's branch
---@field branches string[] that branch and, after it, the branches above it
---@field actor case.actor who asks
---@field patron case.patron for whom; without names and addresses
---@field title? case.title the title in question
---@field copy? case.copy the copy in question
---@field loan? case.loan the loan in question
---@field request? case.request the whole of what is asked for in one go
---@field hold? case.hold the hold in question
---@field listing? case.listing what is to be published, sold or rented
---@field suggestion? case.suggestion the title that a patron asks the library to get
---@field lines? case.lines[] at `price`: what is to be paid for; nil for a loan
---@field event? "hold_ready"|"recalled"|"due_moved"|"renewed"|"returned"|"fee"|"order"|"sold"|"rental_due"|"listing"|"suggestion"|"contact" at `notify`: what the patron is told of; `fee` is a charge by staff or a script

---Who asks.
---@class case.actor
---@field role "patron"|"staff"|"admin"|"job" what they are
---@field channel "desk"|"self"|"web"|"job" how they ask: at the desk, by themselves, on the web, or a job of the night

---The patron as a policy sees one: no name and no address.
---@class case.patron
---@field id integer
---@field category string
---@field categories string[] that category and, after it, the categories above it
---@field home_branch string
---@field home_branches string[] that branch and, after it, the branches above it
---@field language? string
---@field age? integer whole years today; nil if the birth date is unknown
---@field expires_on? date the last day of the membership
---@field birth_date? date at `expiry` only
---@field fees_owed money
---@field overdue integer open loans past their due time; those claimed to be returned are not counted
---@field lost integer open loans of copies declared lost
---@field claims integer loans, open and past, that the patron said to have returned before the library saw the copy
---@field blocks case.patron.blocks[] the blocks in force
---@field suspended_until? date the last day of the suspension in force
---@field loans case.patron.loans[] open loans
---@field holds integer holds that wait or are on the shelf
---@field extra any fields of the library's own
---@field history case.patron.history[] loans, open and returned, that began within the longest window that the policy declares, the latest first
---@field history_since? instant from when on `history` has all loans; later than the window where more were returned than are looked at
---@field owed_since? date the date of the oldest charge that is not fully paid; nil where nothing is owed
---@field household case.patron.household the patron and all who live with them; without a household the patron alone
---@field guardians case.patron.guardians who answers for the patron
---@field dependents case.patron.dependents for whom the patron answers
---@field family case.patron.family the patron, their guardians, all for whom these answer, and all for whom the patron answers

---A block in force on the patron.
---@class case.patron.blocks
---@field kind string a word of the library's own, or `suspension`
---@field ends? date its last day; nil: until it is lifted
---@field actions ("borrow"|"renew"|"hold"|"cart"|"market"|"self")[] what it forbids

---An open loan of the patron, or one that the same request was granted.
---@class case.patron.loans
---@field title integer the title's id
---@field item_type? string the copy's item type
---@field item_types string[] that type and, after it, the types above it
---@field branch string where it was lent
---@field branches string[] that branch and, after it, the branches above it
---@field copy_branch? string the copy's own branch
---@field copy_branches string[] that branch and, after it, the branches above it
---@field location? string where the copy stands in its branch
---@field on_site boolean whether it is read in the library
---@field channel? "desk"|"self"|"web"|"job" how it was asked for
---@field due_at? instant the instant from which it is past its due time
---@field claimed boolean whether the patron says to have returned it

---A loan of the patron, open or returned, that began within the window of the policy.
---@class case.patron.history
---@field title integer the title's id
---@field item_type? string the copy's item type
---@field item_types string[] that type and, after it, the types above it
---@field branch string where it was lent
---@field branches string[] that branch and, after it, the branches above it
---@field copy_branch? string the copy's own branch
---@field copy_branches string[] that branch and, after it, the branches above it
---@field location? string where the copy stands in its branch
---@field on_site boolean whether it was read in the library
---@field channel? "desk"|"self"|"web"|"job" how it was asked for
---@field lent_at instant when it began
---@field claimed boolean whether the patron says that the copy is returned, and it has not come back
---@field returned_at? instant when the copy came back; nil: it is open

---What the patron and all who live with them have and owe together.
---@class case.patron.household
---@field people integer how many patrons these are
---@field loans integer their open loans
---@field overdue integer open loans past their due time; those claimed to be returned are not counted
---@field owed money what those of them owe who owe anything; a credit of one pays no debt of another
---@field claimed? integer open loans that they claim to have returned; nil where no row of `limits` and no function looks at it
---@field same_title? integer open loans of the title that is asked for; nil where no row of `limits` and no function looks at it
---@field same_title_claimed? integer those of these that they claim to have returned; nil likewise

---What those who answer for the patron have and owe together.
---@class case.patron.guardians
---@field people integer how many patrons these are
---@field loans integer their open loans
---@field overdue integer open loans past their due time; those claimed to be returned are not counted
---@field owed money what those of them owe who owe anything; a credit of one pays no debt of another
---@field claimed? integer open loans that they claim to have returned; nil where no row of `limits` and no function looks at it
---@field same_title? integer open loans of the title that is asked for; nil where no row of `limits` and no function looks at it
---@field same_title_claimed? integer those of these that they claim to have returned; nil likewise

---What those for whom the patron answers have and owe together.
---@class case.patron.dependents
---@field people integer how many patrons these are
---@field loans integer their open loans
---@field overdue integer open loans past their due time; those claimed to be returned are not counted
---@field owed money what those of them owe who owe anything; a credit of one pays no debt of another
---@field claimed? integer open loans that they claim to have returned; nil where no row of `limits` and no function looks at it
---@field same_title? integer open loans of the title that is asked for; nil where no row of `limits` and no function looks at it
---@field same_title_claimed? integer those of these that they claim to have returned; nil likewise

---What the patron, their guardians and all for whom these or the patron answer have and owe together.
---@class case.patron.family
---@field people integer how many patrons these are
---@field loans integer their open loans
---@field overdue integer open loans past their due time; those claimed to be returned are not counted
---@field owed money what those of them owe who owe anything; a credit of one pays no debt of another
---@field claimed? integer open loans that they claim to have returned; nil where no row of `limits` and no function looks at it
---@field same_title? integer open loans of the title that is asked for; nil where no row of `limits` and no function looks at it
---@field same_title_claimed? integer those of these that they claim to have returned; nil likewise

---The title in question.
---@class case.title
---@field id integer
---@field genres string[]
---@field courses string[] codes of courses that use it
---@field copies integer copies that are neither lost nor withdrawn
---@field available integer copies that can be lent now
---@field holds_waiting integer holds that wait for it
---@field holds_for_copy integer how many of those wait for the copy of the loan in question alone
---@field extra any fields of the library's own
---@field times_lent integer how often anybody borrowed it within the window that the policy declares
---@field times_lent_since? instant from when on `times_lent` counts

---The copy in question.
---@class case.copy
---@field branch string
---@field branches string[] that branch and, after it, the branches above it
---@field item_type? string
---@field item_types string[] that type and, after it, the types above it
---@field status "available"|"on_loan"|"on_hold_shelf"|"in_transit"|"lost"|"withdrawn" where it is
---@field replacement_price? money
---@field location? string where it stands in its branch, in a word of the library's own
---@field acquired_on? date the day on which the library got it
---@field held_for_other boolean whether another patron's hold keeps it back
---@field extra any fields of the library's own

---The loan in question.
---@class case.loan
---@field id integer
---@field lent_at instant
---@field due_at instant
---@field original_due_at instant before renewals and changes
---@field renewals integer
---@field unseen_renewals integer renewals since the copy was last seen
---@field recalled_at? instant
---@field lost_at? instant when its copy was declared lost
---@field claimed_at? instant when the patron said that the copy was returned
---@field on_site boolean whether it is read in the library
---@field days_overdue integer 0 on the day it is due and before it
---@field hours_overdue integer
---@field open_days_overdue integer those on which the branch was open
---@field notices_sent_until? instant of a loan from another system: what was to be said before is said already
---@field notices case.loan.notices[] what was sent already for this due time

---A notice that was recorded already.
---@class case.loan.notices
---@field stage string
---@field repetition integer 0 for the first of the stage
---@field at instant

---All that is asked for in one go.
---@class case.request
---@field size integer how many titles are asked for
---@field titles integer[] their ids in the order asked; an unknown one is 0
---@field index integer which of them is asked about, from 1; 0 at the point `request`
---@field granted case.patron.loans[] what this request was granted already
---@field on_site boolean whether it is asked for use in the library
---@field wanted_until? date the last day of a loan that is asked for to be shorter

---The hold in question.
---@class case.hold
---@field id integer 0 while it is only asked for
---@field category string the category of the patron who wants it
---@field pickup_branch string
---@field placed_at instant
---@field expires_on? date the last day on which it is wanted
---@field for_copy boolean whether one copy alone will do
---@field priority integer a greater one goes first; 0 is ordinary
---@field position integer its place in the queue, 1 being the first
---@field placed_today integer how many holds the patron has placed today before this one
---@field at_pickup integer how many open holds of the patron are to be picked up at the same branch
---@field of_item_type integer how many other open holds of the patron are on the copy's item type; 0 where no copy is known
---@field of_item_types integer[] the same for that type and, after it, the types above it, as in `case.copy.item_types`

---What is to be published, sold or rented.
---@class case.listing
---@field id integer 0 while it is only proposed
---@field seller? integer the patron's id; nil: the library itself
---@field seller_category? string
---@field kind "sell"|"rent"|"trade"|"donate"
---@field price? money of one piece, of a rental for each `period`
---@field period? period
---@field quantity integer
---@field condition string
---@field edition string
---@field picture boolean whether there is one
---@field state "draft"|"review"|"active"|"hidden"|"withdrawn"|"sold"
---@field others integer how many other open listings the seller has

---A title that a patron asks the library to get.
---@class case.suggestion
---@field id integer 0 while it is only proposed
---@field isbn boolean whether it names one
---@field courses string[] codes of courses that use it
---@field college? string
---@field others integer how many other suggestions of this patron are undecided

---One line of what is about to be paid for.
---@class case.lines
---@field kind "loan"|"buy"|"rent"
---@field label string the title's name
---@field title? integer the title's id
---@field listing? integer the listing's id
---@field seller? integer the seller's id; nil: the library itself
---@field seller_category? string
---@field quantity integer
---@field price money of one piece, of a rental for one period
---@field periods integer how many periods a rental lasts, started ones included; 1 for what is bought
---@field ends? date when a rental ends
---@field amount? money price times quantity times periods

---One step of a fine that changes with lateness.
---@class rule.fine_steps
---@field from period the lateness it begins with
---@field to? period the lateness it ends with; nil: without end
---@field fine money for each `per`

---The branch's opening days and hours.
---@class case.calendar
---@field is_open fun(date: date|instant): boolean Whether the branch is open on the date, or at the moment.
---@field next_open fun(date: date|instant): date|instant The date itself if the branch is open, otherwise the next open day.
---@field next_open_after fun(date: date|instant): date|instant The first open day after the date.
---@field previous_open fun(date: date|instant): date|instant The date itself if the branch is open, otherwise the open day before.
---@field add_open_days fun(date: date|instant, n: integer): date|instant The n-th open day after the date; before it, if n is negative.
---@field open_days_between fun(from: date|instant, to: date|instant): integer How many open days lie after the first date, up to and including the second.
---@field closing fun(date: date|instant): instant? When the hours end that hold at the moment, or the last ones of the date; nil if closed.
---@field next_opening fun(date: date|instant): instant When the branch next opens after the moment, or first opens on the date or after it.

---What a policy is asked with at `request`: once for a request, before copies are chosen.
---@class request_case: case
---@field request case.request

---What a policy is asked with at `checkout`: for each title that is asked for, with one copy of it.
---@class checkout_case: case
---@field title case.title
---@field request case.request

---What a policy is asked with at `due`: after `checkout`; a renewal's due time is an answer of `renew`.
---@class due_case: case
---@field title case.title

---What a policy is asked with at `renew`: when a renewal is asked for, or due by itself.
---@class renew_case: case
---@field title case.title
---@field copy case.copy
---@field loan case.loan

---What a policy is asked with at `hold`: when a hold is placed.
---@class hold_case: case
---@field title case.title
---@field hold case.hold

---What a policy is asked with at `recall`: for each loan of a title that others wait for, until one is answered.
---@class recall_case: case
---@field title case.title
---@field hold case.hold
---@field loan case.loan

---What a policy is asked with at `overdue`: by the sweep, for each open loan from `notices_from` before its due time on.
---@class overdue_case: case
---@field title case.title
---@field copy case.copy
---@field loan case.loan

---What a policy is asked with at `fine`: by the sweep, and when a copy comes back.
---@class fine_case: case
---@field title case.title
---@field copy case.copy
---@field loan case.loan

---What a policy is asked with at `checkin`: when a copy comes back.
---@class checkin_case: case
---@field title case.title
---@field copy case.copy
---@field loan case.loan

---What a policy is asked with at `lost`: by the sweep beyond `lost_after`, and when staff declare a copy lost.
---@class lost_case: case
---@field title case.title
---@field copy case.copy
---@field loan case.loan

---What a policy is asked with at `price`: for a cart or an order, each seller's part alone, and for a rental or a loan that costs something.
---@class price_case: case

---What a policy is asked with at `publish`: when a listing or a suggestion comes in.
---@class publish_case: case

---What a policy is asked with at `notify`: when there is something to tell a patron.
---@class notify_case: case
---@field event "hold_ready"|"recalled"|"due_moved"|"renewed"|"returned"|"fee"|"order"|"sold"|"rental_due"|"listing"|"suggestion"|"contact"

---What a policy is asked with at `expiry`: when a patron is registered without an end, and when a membership is renewed.
---@class expiry_case: case

---The rule that holds for a case, with the defaults filled in and the library's own fields.
---@class rule
---@field lend boolean Whether the copy is lent at all.
---@field reason? string What the refusal says where `lend` is false.
---@field loan? period|unlimited How long a loan lasts.
---@field due_at? date A fixed due date, instead of a period. It moves off a closed day as `closed` says; `open_days` and `same_weekday` move it as `next_open` does.
---@field due_limit? date The latest due date; a later one moves back to an open day.
---@field due_time string The time of day of a due date: `closing`, `end_of_day` or `"HH:MM"`.
---@field due_expiry boolean Whether the due date is capped by the end of the membership.
---@field closed "keep"|"next_open"|"previous_open"|"open_days"|"same_weekday" What happens to a due date on which the branch is closed.
---@field closed_hours "keep"|"next_open"|"previous_close" What happens to a due time in hours at which the branch is closed.
---@field renewals integer|unlimited How often a loan may be renewed.
---@field renewal_period? period|unlimited How long a renewal lasts; otherwise as long as a loan.
---@field renew_from "due"|"now" Whether a renewal counts from the old due date or from now.
---@field renew_not_before? period|unlimited How long before its due time a loan can first be renewed.
---@field auto_renew boolean Whether loans renew by themselves.
---@field auto_renew_until? date|period Until when loans renew by themselves.
---@field unseen_renewals integer|unlimited How many renewals may happen without the copy being seen.
---@field fine? money What each `per` of lateness costs.
---@field per period|unlimited The unit of lateness.
---@field grace? period|unlimited Lateness that costs nothing.
---@field grace_mode "all_or_nothing"|"deduct" Whether past the grace the whole time counts, or only what exceeds it.
---@field fine_cap? money|"replacement_price" The most that a loan's fine comes to.
---@field fine_steps? rule.fine_steps[] A fine that changes with the length of lateness.
---@field fine_closed_days boolean Whether closed days are fined as well.
---@field rounding "started"|"whole" Whether a started `per` counts, or only a whole one.
---@field suspension? period|unlimited Suspension from borrowing for each late `suspension_per`.
---@field suspension_per period|unlimited The unit of lateness that suspensions count.
---@field suspension_cap? period|unlimited The longest suspension for one return.
---@field suspension_mode "add"|"longest" Whether a new suspension follows one that runs already, or the longer of the two holds.
---@field holds integer|unlimited How many holds a patron may have.
---@field holds_of_item_type integer|unlimited How many holds a patron may have on the item type that the row names, or else on the copy's own.
---@field holds_per_day integer|unlimited How many holds a patron may place a day.
---@field hold_shelf? period|unlimited How long a copy waits on the hold shelf.
---@field same_title "allow"|"confirm"|"refuse" Whether a patron may borrow another copy of a title that they have.
---@field lost_after? period|unlimited Lateness from which a copy counts as lost.
---@field lost_fee? money|"replacement_price" What a lost copy costs; one without a price costs nothing.
---@field lost_refund_within? period|unlimited How long after a loss a return takes the fee back: less than that, always (unlimited) or never.
---@field lost_refund "all"|"unpaid" What a return takes back of the fee: all of it, what was paid becoming credit, or only what is unpaid.
---@field lost_fine "keep"|"forgive" Whether the unpaid fine of a loan is forgiven when its copy is declared lost.
---@field lost_found_fine "keep"|"restore"|"charge" The fine where a return takes the fee back: kept as it is, the forgiven fine restored, or charged up to the return.
---@field rental? money What borrowing costs for each started `rental_per`.
---@field rental_per? period|unlimited The unit of the rental charge; without it, once a loan.
---@field rental_closed_days boolean Whether days on which the branch is closed are charged.
---@field [string] any a field of the library's own

---Conditions of a row; what is left out holds for all.
---@class row_conditions
---@field category? string|string[]
---@field item_type? string|string[]
---@field branch? string|string[]
---@field copy_branch? string|string[]
---@field home_branch? string|string[]
---@field location? string|string[]
---@field on_site? boolean
---@field channel? string|string[]
---@field when? fun(case: case): boolean

---A row of `rules`.
---@class rule_row: row_conditions
---@field lend? boolean|none Whether the copy is lent at all.
---@field reason? string|none What the refusal says where `lend` is false.
---@field loan? period|unlimited|none How long a loan lasts.
---@field due_at? date|none A fixed due date, instead of a period. It moves off a closed day as `closed` says; `open_days` and `same_weekday` move it as `next_open` does.
---@field due_limit? date|none The latest due date; a later one moves back to an open day.
---@field due_time? string|none The time of day of a due date: `closing`, `end_of_day` or `"HH:MM"`.
---@field due_expiry? boolean|none Whether the due date is capped by the end of the membership.
---@field closed? "keep"|"next_open"|"previous_open"|"open_days"|"same_weekday"|none What happens to a due date on which the branch is closed.
---@field closed_hours? "keep"|"next_open"|"previous_close"|none What happens to a due time in hours at which the branch is closed.
---@field renewals? integer|unlimited|none How often a loan may be renewed.
---@field renewal_period? period|unlimited|none How long a renewal lasts; otherwise as long as a loan.
---@field renew_from? "due"|"now"|none Whether a renewal counts from the old due date or from now.
---@field renew_not_before? period|unlimited|none How long before its due time a loan can first be renewed.
---@field auto_renew? boolean|none Whether loans renew by themselves.
---@field auto_renew_until? date|period|none Until when loans renew by themselves.
---@field unseen_renewals? integer|unlimited|none How many renewals may happen without the copy being seen.
---@field fine? money|none What each `per` of lateness costs.
---@field per? period|unlimited|none The unit of lateness.
---@field grace? period|unlimited|none Lateness that costs nothing.
---@field grace_mode? "all_or_nothing"|"deduct"|none Whether past the grace the whole time counts, or only what exceeds it.
---@field fine_cap? money|"replacement_price"|none The most that a loan's fine comes to.
---@field fine_steps? rule.fine_steps[]|none A fine that changes with the length of lateness.
---@field fine_closed_days? boolean|none Whether closed days are fined as well.
---@field rounding? "started"|"whole"|none Whether a started `per` counts, or only a whole one.
---@field suspension? period|unlimited|none Suspension from borrowing for each late `suspension_per`.
---@field suspension_per? period|unlimited|none The unit of lateness that suspensions count.
---@field suspension_cap? period|unlimited|none The longest suspension for one return.
---@field suspension_mode? "add"|"longest"|none Whether a new suspension follows one that runs already, or the longer of the two holds.
---@field holds? integer|unlimited|none How many holds a patron may have.
---@field holds_of_item_type? integer|unlimited|none How many holds a patron may have on the item type that the row names, or else on the copy's own.
---@field holds_per_day? integer|unlimited|none How many holds a patron may place a day.
---@field hold_shelf? period|unlimited|none How long a copy waits on the hold shelf.
---@field same_title? "allow"|"confirm"|"refuse"|none Whether a patron may borrow another copy of a title that they have.
---@field lost_after? period|unlimited|none Lateness from which a copy counts as lost.
---@field lost_fee? money|"replacement_price"|none What a lost copy costs; one without a price costs nothing.
---@field lost_refund_within? period|unlimited|none How long after a loss a return takes the fee back: less than that, always (unlimited) or never.
---@field lost_refund? "all"|"unpaid"|none What a return takes back of the fee: all of it, what was paid becoming credit, or only what is unpaid.
---@field lost_fine? "keep"|"forgive"|none Whether the unpaid fine of a loan is forgiven when its copy is declared lost.
---@field lost_found_fine? "keep"|"restore"|"charge"|none The fine where a return takes the fee back: kept as it is, the forgiven fine restored, or charged up to the return.
---@field rental? money|none What borrowing costs for each started `rental_per`.
---@field rental_per? period|unlimited|none The unit of the rental charge; without it, once a loan.
---@field rental_closed_days? boolean|none Whether days on which the branch is closed are charged.
---@field [string] any a field of the library's own

---A row of `limits`.
---@class limit_row: row_conditions
---@field max integer|unlimited how many open loans that meet the row's conditions
---@field claimed? "counted"|"not counted" whether loans count that the patron claims to have returned
---@field within? period counts the loans that began in that time instead, open and returned
---@field per? "title" counts the loans of the title that is asked for, and no others
---@field owed_for? period the row applies to who owes something for so long
---@field of? "household"|"guardians"|"dependents"|"family" whose loans and debts it is about
---@field owed? money the row applies where so much or more is owed

---A row of `notices`; its `channel` is the way the notice goes.
---@class notice_row: row_conditions
---@field stage string
---@field before? period before the due time
---@field after? period after the due time
---@field every? period how often it is repeated
---@field times? integer|unlimited how many times
---@field charge? money|none
---@field channel string
---@field subject string|table<string, string>
---@field body string|table<string, string>
---@field digest? "patron"
---@field many? digest_texts

---A row of `membership`.
---@class membership_row
---@field category? string|string[]
---@field branch? string|string[]
---@field home_branch? string|string[]
---@field channel? string|string[]
---@field when? fun(case: case): boolean
---@field lasts? period|unlimited how long it lasts
---@field until_day? string ends on the next such day, month first: `"09-30"`
---@field at_least? period how far `until_day` must be away
---@field until_date? date
---@field until_age? integer ends the day before the patron reaches this age
---@field from_age? integer the row holds from this age on
---@field under_age? integer the row holds below this age
---@field renew_from? "end"|"now" from when on a renewal counts

---The words of a notice about several loans.
---@class digest_texts
---@field subject string|table<string, string>
---@field body string|table<string, string>
---@field line? string|table<string, string>

---What `allow`, `deny`, `confirm` and `review` make.
---@class answer
---@field answer "allow"|"confirm"|"deny"|"review"
---@field code? string
---@field message? string

---What `notice`, `charge`, `suspend` and `declare_lost` make.
---@class effect
---@field effect string

---A policy: its tables, and its functions by decision point.
---@class policy
---@field api? integer The set of case fields the policy was written for: 1.
---@field name? string A short name.
---@field description? string What the policy is for, in a sentence.
---@field fields? string[] The names of the library's own fields, which rows of `rules` may set.
---@field limits? limit_row[] Rows; each that matches limits how many loans may be open.
---@field rules? rule_row[] Rows; each group of fields is taken from the first row that matches and sets it.
---@field notices? notice_row[] Rows; the stages of notices around the due time.
---@field membership? membership_row[] Rows; the first that holds says when a membership ends that is made or renewed.
---@field match? table The order of importance of conditions, instead of the order of rows.
---@field history? { patron: period?, title: period? } How far back functions see a patron's loans (`patron`) and the loans of a title are counted (`title`).
---@field messages? table<string, string|table<string, string>> The library's own words for refusals, by code, and by language.
---@field notices_from? period How long before its due time a loan is looked at; otherwise the largest `before`.
---@field request? fun(case: request_case, rule: rule): answer? asked once for a request, before copies are chosen
---@field checkout? fun(case: checkout_case, rule: rule): answer? asked for each title that is asked for, with one copy of it
---@field due? fun(case: due_case, rule: rule): date|instant|nil asked after `checkout`; a renewal's due time is an answer of `renew`
---@field renew? fun(case: renew_case, rule: rule): answer? asked when a renewal is asked for, or due by itself
---@field hold? fun(case: hold_case, rule: rule): answer? asked when a hold is placed
---@field recall? fun(case: recall_case, rule: rule): date|instant|nil asked for each loan of a title that others wait for, until one is answered
---@field overdue? fun(case: overdue_case, rule: rule): effect|effect[]|nil asked by the sweep, for each open loan from `notices_from` before its due time on
---@field fine? fun(case: fine_case, rule: rule): money? asked by the sweep, and when a copy comes back
---@field checkin? fun(case: checkin_case, rule: rule): effect|effect[]|nil asked when a copy comes back
---@field lost? fun(case: lost_case, rule: rule): effect|effect[]|nil asked by the sweep beyond `lost_after`, and when staff declare a copy lost
---@field price? fun(case: price_case, rule: rule): money|price_line[]|nil asked for a cart or an order, each seller's part alone, and for a rental or a loan that costs something
---@field publish? fun(case: publish_case, rule: rule): answer asked when a listing or a suggestion comes in
---@field notify? fun(case: notify_case, rule: rule): effect|effect[]|nil asked when there is something to tell a patron
---@field expiry? fun(case: expiry_case, rule: rule): date|instant|unlimited|nil asked when a patron is registered without an end, and when a membership is renewed

---@type unlimited
unlimited = {}

---@type none
none = {}

---Makes a policy of its tables and functions.
---@param given policy
---@return policy
function policy(given) end

---Refuses; with `override`, staff with a reason may go on all the same.
---@param code string
---@param message string
---@param options? { override?: boolean }
---@return answer
function deny(code, message, options) end

---Allows; `despite` names standard checks that shall not count, `due` sets a renewal's due date, `priority` a hold's place in its queue: a greater one goes first, 0 is ordinary.
---@param options? { despite?: ("expired"|"blocked"|"suspended"|"not_lent"|"no_rule"|"held_for_other"|"limit"|"same_title"|"renewals"|"holds_waiting"|"too_soon")[], due?: date|string, priority?: integer }
---@return answer
function allow(options) end

---Asks: staff with a reason go on, self-service is refused.
---@param code string
---@param message string
---@return answer
function confirm(code, message) end

---At `publish`: staff are to decide; the message tells the person who offers it why.
---@param message? string
---@return answer
function review(message) end

---A notice to be recorded and sent.
---@param given { stage?: string, channel: string, subject: string, body: string, charge?: money|string, digest?: "patron", many?: digest_texts }
---@return effect
function notice(given) end

---A charge, posted once under its key.
---@param given { key: string, amount: money|string, label?: string }
---@return effect
function charge(given) end

---Suspends the patron from borrowing, from today.
---@param period period
---@return effect
function suspend(period) end

---The copy counts as lost from now on; `fee` stands in place of the rule's `lost_fee`, `none` for nothing.
---@param options? { fee?: any }
---@return effect
function declare_lost(options) end

---A due time that keeps its hour and minute; of a date, `exact(date, "11:30")`.
---@param moment date|string
---@param time? string of a date
---@return instant
function exact(moment, time) end

---Whether a list has a value, or one of several, as the conditions of rows ask it: of `case.patron.categories` it is true for a category and for all below it. Of nothing it is false.
---@param list any[]
---@param wanted any a value or a list of values
---@return boolean
function has(list, wanted) end

---What the desk would answer if there were no function.
---@param case case
---@param rule rule
---@return any
function standard(case, rule) end

---A test; it passes if the function raises nothing.
---@param name string
---@param body function
function test(name, body) end

---A test of what is not there yet; it does not count as failed.
---@param name string
---@param body? function
function todo_test(name, body) end

---A test for each row; a list is handed over as arguments, a row with names as a table.
---@param name string
---@param rows table[]
---@param body function
function cases(name, rows, body) end

---What the policy never does: `policy prove` proves it, or finds a case. Tests pass it over.
---@param name string
---@param point string
---@param body function
function never(name, point, body) end

---What is so of every decision: `policy prove` proves it, or finds a case. Tests pass it over.
---@param name string
---@param point string
---@param body function
function always(name, point, body) end

---What the policy decides as another one does, in all cases or in those whose fields are so: `policy prove` proves it, or finds a case. Tests pass it over.
---@param name string
---@param point string
---@param other table what `policy_file` gives
---@param fields? table fields of the case, each with a value or a list of values
function same(name, point, other, fields) end

---For `same`: the policy in a file beside the tests.
---@param file string
---@return table
function policy_file(file) end

---In `never` and `always`: whether a category, item type or branch of the case is another or lies below it.
---@param code? any
---@param above string
---@return boolean
function within(code, above) end

---Raises with the first difference; of tables only the fields named count, `none` is nothing.
---@param value? any what came
---@param subset? any what was expected
function expect(value, subset) end

---The policy's decision on a case, as a table; what is not said has a sensible value.
---@param case? table
---@return table
function given(case) end

---A library in memory: `checkout renew checkin hold sweep nights go now owed pay loans notices`; the modules of the Lua API work at it.
---@param library? table
---@return table
function desk(library) end

---Runs the script under test at the desk: `title tables metrics charts texts printed values refusal`.
---@param arguments? any
---@return table
function run(arguments) end
