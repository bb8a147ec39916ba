---@meta
-- Generated from the declaration of the Lua API by `moonshelf api --luacats`.

---@class money
---@operator add(money): money
---@operator sub(money): money
---@operator mul(integer): money

---@class date
---@field year integer
---@field month integer
---@field day integer
---@field weekday integer
---@field yearday integer
---@operator add(period): date
---@operator sub(period): date

---@class instant
---@operator add(period): instant
---@operator sub(period): instant

---@class period
---@field count integer
---@operator add(period): period
---@operator mul(integer): period

---@class percent

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
---@field description? string
---@field cover_url? string
---@field preview_url? string
---@field stars? integer
---@field recommended boolean chosen by the library
---@field extra any fields of the library's own
---@field copies integer copies that are neither lost nor withdrawn
---@field available integer copies that can be lent now
---@field on_loan integer copies that are lent

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

---A title with how often it was lent.
---@class lent_title
---@field title title
---@field loans integer how often it was lent
---@field copies integer its copies
---@field turnover number loans for each copy

---A text about a title, and links that send it on.
---@class share
---@field text string title, authors, year and ISBN
---@field links any by service: `email`, `facebook`, `x`, `whatsapp`

---A person who borrows.
---@class patron
---@field id integer
---@field username string unique and replaceable
---@field name string
---@field surname string
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
---@field kind string
---@field reason string
---@field actions ("borrow"|"renew"|"request")[] what it forbids
---@field created_at instant
---@field ends? date its last day; nil: until it is lifted
---@field lifted_at? instant

---What became of two records of one person.
---@class merge
---@field patron patron the record that stays
---@field loans integer loans that went over, past ones too
---@field holds integer holds that went over, past ones too
---@field holds_cancelled integer[] holds that ended, since both waited for the same
---@field ledger_entries integer lines of the account that went over
---@field notices integer messages that went over
---@field blocks integer blocks that went over, past ones too
---@field owed money what is owed now
---@field limits_exceeded string[] limits that loans and holds go beyond now

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
---@field on_site boolean to be read in the library
---@field channel? string `desk`, `self`, `web` or `job`
---@field policy? string SHA-256 of the policy that decided it
---@field imported boolean history from another system: it counts in statistics only

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
---@field on_site? boolean to be read in the library
---@field channel? string `desk`, `self`, `web` or `job`
---@field policy? string SHA-256 of the policy that decided it
---@field imported? boolean history from another system: it counts in statistics only
---@field barcode? string the copy's
---@field hold? hold the hold for which the copy is set aside
---@field posted ledger_entry[] what was added to the patron's account
---@field suspension? block the suspension it brought
---@field failures string[] why the policy gave no answer; the copy was taken all the same

---A patron's claim on a title, or on one copy of it.
---@class hold
---@field id integer
---@field title? integer the title's id; nil once the title is removed
---@field copy? integer the id of the one copy that will do; nil: any copy
---@field patron? integer the patron's id; nil once the patron is removed
---@field pickup_branch string
---@field state "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled"
---@field position? integer the place among those that wait, 1 being the first
---@field priority integer a greater one goes first; 0 is ordinary
---@field placed_at instant
---@field expires_on? date the last day on which it is wanted
---@field suspended_until? date the last day on which it is passed over
---@field held_copy? integer the copy that is set aside, or by which it was filled
---@field shelved_at? instant since when the copy is on the shelf
---@field shelf_until? instant after this moment the next in line gets the copy
---@field closed_at? instant when it was filled, expired or cancelled
---@field loan? integer the loan that filled it
---@field channel? string `desk`, `self`, `web` or `job`
---@field policy? string SHA-256 of the policy that allowed it

---A copy to be fetched from the open shelves for a hold.
---@class pull_item
---@field barcode string
---@field branch string where the copy stands
---@field item_type string
---@field title integer the title's id
---@field name string the title's name
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
---@field details any `reasons`: all of them, the first first
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
---@field tries integer

---What a sweep did.
---@class sweep
---@field loans integer loans it looked at
---@field notices integer notices queued, or delivered at once
---@field superseded integer stages recorded as passed over
---@field holds_expired integer holds that ended: no longer wanted, or not fetched in time
---@field renewed integer loans that renewed by themselves
---@field charges integer lines added to accounts
---@field charged money their sum
---@field failed integer loans skipped because the policy failed
---@field failures string[] the first hundred

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
---@field time_zone? string nil: the library's
---@field calendar any `weekly`, `closed`, `yearly`, `open`

---A category of patrons.
---@class category
---@field code string its key
---@field name string

---A type of item; it meets its parent's rules as well.
---@class item_type
---@field code string its key
---@field name string
---@field parent? string the code of the type it belongs to

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

---Something that happened at the desk, as it was written down.
---@class event
---@field sequence integer its place in the log
---@field at instant
---@field actor string who did it
---@field channel string
---@field kind string `loan.made`, `title.added` and the like
---@field patron? integer the patron's id
---@field copy? integer the copy's id
---@field loan? integer the loan's id
---@field payload any ids and figures; never a person's name or address

---Says what the script may do. It must be the first statement, with plain strings.
---
---It is read before anything runs: if something is not granted (`--allow`), nothing runs at all. There are `catalogue.write`, `patrons.write`, `loans.write`, `loans.override`, `cart.write`, `market.write`, `notifications.write`, `fees.write`, `settings.write`, `sql`.
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
catalogue = {}

---Finds one title by its ISBN or id.
---@param isbn_or_id string|integer|title an ISBN of 10 or 13 digits, or an id
---@return title?
function catalogue.get(isbn_or_id) end

---Finds titles by words.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean, order?: "title"|"author"|"year"|"id", limit?: integer, offset?: integer } what to look for
---@return title[]
function catalogue.search(query) end

---Goes through titles by id, without keeping them all in memory; the loop may write.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean } what to look for
---@return fun(): title?
function catalogue.each(query) end

---Counts titles.
---@param query? { query?: string, by?: "all"|"title"|"author"|"isbn"|"course"|"college"|"publisher"|"genre", prefix?: boolean, available?: boolean } what to look for
---@return integer
function catalogue.count(query) end

---Lists the copies of a title.
---@param title string|integer|title
---@return copy[]
function catalogue.copies(title) end

---Finds one copy by its barcode.
---@param barcode string|integer|copy
---@return copy?
function catalogue.copy(barcode) end

---Lists the titles lent most often in the last days, the most lent first.
---@param query? { days?: integer, limit?: integer }
---@return lent_title[]
function catalogue.trending(query) end

---Lists the titles that the library recommends.
---@param limit? integer how many at most
---@return title[]
function catalogue.recommended(limit) end

---Gives a text about a title and links that send it on. Sends nothing.
---@param title string|integer|title
---@return share?
function catalogue.share(title) end

---Adds a title; copies are added by `add_copies`.
---@param title { title: string, isbn?: string, authors?: string[], publisher?: string, year?: integer, language?: string, genres?: string[], subjects?: string[], courses?: { code: string, name?: string }[], college?: string, edition?: string, description?: string, cover_url?: string, preview_url?: string, stars?: integer, recommended?: boolean, extra?: any }
---@return title?
---@return refusal?
function catalogue.add(title) end

---Changes what is given of a title; the rest stays.
---@param title string|integer|title which title
---@param changes? { title?: string, isbn?: string, authors?: string[], publisher?: string, year?: integer, language?: string, genres?: string[], subjects?: string[], courses?: { code: string, name?: string }[], college?: string, edition?: string, description?: string, cover_url?: string, preview_url?: string, stars?: integer, recommended?: boolean, extra?: any } the fields that change
---@return title?
---@return refusal?
function catalogue.update(title, changes) end

---Removes a title with its copies. Past loans stay in the statistics.
---@param title string|integer|title
---@return title?
---@return refusal?
function catalogue.remove(title) end

---Removes every title and copy.
---@param options { confirm: boolean }
---@return integer?
---@return refusal?
function catalogue.remove_all(options) end

---Adds copies of a title, with barcodes made for them unless given.
---@param options { isbn: string|integer|title, count?: integer, branch?: string|branch, item_type?: string|item_type, barcodes?: string[], replacement_price?: money|string }
---@return copy[]?
---@return refusal?
function catalogue.add_copies(options) end

---Changes what is given of a copy; the rest stays.
---@param barcode string|integer|copy which copy
---@param changes? { barcode?: string, branch?: string|branch, item_type?: string|item_type, status?: "available"|"lost"|"in_transit", replacement_price?: money|string } the fields that change
---@return copy?
---@return refusal?
function catalogue.update_copy(barcode, changes) end

---Takes a copy out of the collection.
---@param barcode string|integer|copy
---@return copy?
---@return refusal?
function catalogue.withdraw_copy(barcode) end

---The people who borrow.
patrons = {}

---Finds one patron by username or id.
---@param patron string|integer|patron
---@return patron?
function patrons.get(patron) end

---Finds patrons by the beginning of words of name, surname, username or e-mail.
---@param query { query: string, limit?: integer, offset?: integer }
---@return patron[]
function patrons.search(query) end

---Goes through patrons by id, without keeping them all in memory; the loop may write.
---@param query? { category?: string|category }
---@return fun(): patron?
function patrons.each(query) end

---Counts patrons.
---@return integer
function patrons.count() end

---Lists the blocks on a patron that are in force.
---@param patron string|integer|patron
---@param date? date|string in force on this day
---@return block[]
function patrons.blocks(patron, date) end

---Adds a patron.
---@param patron { username: string, category?: string|category, name?: string, surname?: string, email?: string, phone?: string, home_branch?: string|branch, language?: string, birth_date?: date|string, expires_on?: date|string, role?: "patron"|"staff"|"admin", extra?: any }
---@return patron?
---@return refusal?
function patrons.add(patron) end

---Changes what is given of a patron; the rest stays.
---@param patron string|integer|patron which patron
---@param changes? { username?: string, category?: string|category, name?: string, surname?: string, email?: string, phone?: string, home_branch?: string|branch, language?: string, birth_date?: date|string, expires_on?: date|string, role?: "patron"|"staff"|"admin", extra?: any } the fields that change
---@return patron?
---@return refusal?
function patrons.update(patron, changes) end

---Removes a patron: all that is personal goes, statistics stay. Gives the id.
---@param patron string|integer|patron
---@return integer?
---@return refusal?
function patrons.remove(patron) end

---Makes one of two records of one person; the first goes, the second stays.
---
---Loans and holds, past ones too, the account, messages and blocks go over. What is personal in the record that goes is removed as `patrons.remove` does it; the other keeps its own name, category and branch. Of two holds on one title the one further along stays. A limit that both go beyond together is told in `limits_exceeded` and stops nothing. A merge asked for again by the same ids changes nothing.
---@param merge { from: string|integer|patron, into: string|integer|patron, reason?: string }
---@return merge?
---@return refusal?
function patrons.merge(merge) end

---Puts a block on a patron.
---@param block { patron: string|integer|patron, kind: string, reason?: string, actions?: ("borrow"|"renew"|"request")[], ends?: date|string }
---@return block?
---@return refusal?
function patrons.block(block) end

---Lifts a patron's blocks and gives those that were lifted.
---@param block { patron: string|integer|patron, kind?: string }
---@return block[]?
---@return refusal?
function patrons.unblock(block) end

---Lending, renewing, taking back.
loans = {}

---Finds one loan by its id.
---@param loan integer|loan
---@return loan?
function loans.get(loan) end

---Lists a patron's open loans.
---@param query { patron: string|integer|patron }
---@return loan[]
function loans.active(query) end

---Lists the open loans past their due time, the longest overdue first.
---@param query? { as_of?: instant|date|string, limit?: integer }
---@return loan[]
function loans.overdue(query) end

---Goes through loans by id, without keeping them all in memory; the loop may write.
---@param query? { state?: "open"|"returned"|"all", patron?: string|integer|patron, title?: string|integer|title, from?: instant|date|string, to?: instant|date|string, due_before?: instant|date|string, imported?: boolean }
---@return fun(): loan?
function loans.each(query) end

---Lists a patron's loans, the latest first.
---@param query { patron: string|integer|patron, limit?: integer }
---@return loan[]
function loans.history(query) end

---Decides like `checkout` and writes nothing: no loan, no event.
---
---A single title gives a decision, several give a list.
---@param request { patron: string|integer|patron, isbn?: string|integer|title, isbns?: (string|integer|title)[], barcode?: string|integer|copy, on_site?: boolean, override?: boolean, reason?: string }
---@return decision?
---@return refusal?
function loans.may_checkout(request) end

---Lists the decisions recorded for a loan, the oldest first, with the rule that decided.
---@param loan integer|loan
---@return recorded_decision[]
function loans.explain(loan) end

---Lends one title or several to a patron: all that is asked for, or nothing.
---
---A single title or a barcode gives a loan, several titles give a list. `override` needs the capability `loans.override` as well.
---@param request { patron: string|integer|patron, isbn?: string|integer|title, isbns?: (string|integer|title)[], barcode?: string|integer|copy, on_site?: boolean, override?: boolean, reason?: string }
---@return loan?
---@return refusal?
function loans.checkout(request) end

---Takes a copy back; fines and suspensions follow from the policy, and it is set aside for who waits.
---
---A copy that is not on loan is scanned: one in transit arrives at its pickup branch, an available one is set aside for the first in line. The same scan again changes nothing.
---@param copy? { barcode?: string|integer|copy, loan?: integer|loan, at?: instant|date|string }
---@return checkin?
---@return refusal?
function loans.checkin(copy) end

---Renews an open loan as the policy allows.
---
---`override` needs the capability `loans.override` as well.
---@param loan? { loan?: integer|loan, barcode?: string|integer|copy, override?: boolean, reason?: string }
---@return loan?
---@return refusal?
function loans.renew(loan) end

---Moves the due time of an open loan: a date is due at closing time, an instant as it stands.
---@param change { loan: integer|loan, due: instant|date|string, reason: string }
---@return loan?
---@return refusal?
function loans.set_due(change) end

---Counts a use of a copy in the house; it stays where it is.
---@param copy { barcode: string|integer|copy }
---@return in_house_use?
---@return refusal?
function loans.use_in_house(copy) end

---Keeping titles for patrons: queues, the hold shelf, copies in transit.
holds = {}

---Finds one hold by its id, closed ones too.
---@param hold integer|hold
---@return hold?
function holds.get(hold) end

---Lists a title's open holds: those with a copy on the shelf, those with one in transit, then the queue.
---@param title string|integer|title
---@return hold[]
function holds.queue(title) end

---Lists a patron's open holds, the oldest first.
---@param patron string|integer|patron
---@return hold[]
function holds.of(patron) end

---Goes through holds by id, closed ones too, without keeping them all in memory; the loop may write.
---
---Places in queues are not reckoned; `holds.queue` has them.
---@param query? { state?: "waiting"|"transit"|"shelf"|"filled"|"expired"|"cancelled", pickup_branch?: string|branch }
---@return fun(): hold?
function holds.each(query) end

---Lists the available copies that holds wait for: what staff fetch from the open shelves.
---
---Scanning a copy of the list with `loans.checkin` sets it aside.
---@param query? { branch?: string|branch, limit?: integer }
---@return pull_item[]
function holds.pull_list(query) end

---Places a hold on a title, or on one copy of it.
---
---One of `title`, `isbn` and `barcode` is needed; with a barcode that copy alone will do. If every copy is lent, the policy may recall one of them. `override` needs the capability `loans.override` as well.
---@param request { patron: string|integer|patron, title?: string|integer|title, isbn?: string|integer|title, barcode?: string|integer|copy, pickup_branch?: string|branch, expires_on?: date|string, suspended_until?: date|string, override?: boolean, reason?: string }
---@return hold?
---@return refusal?
function holds.place(request) end

---Ends a hold; a copy that was set aside goes to the next in line.
---@param hold { hold: integer|hold, reason?: string }
---@return hold?
---@return refusal?
function holds.cancel(hold) end

---Gives a waiting hold another place in its queue.
---
---It takes the priority that belongs to the place.
---@param hold { hold: integer|hold, position: integer }
---@return hold?
---@return refusal?
function holds.move(hold) end

---Passes a waiting hold over for a time; it keeps its place.
---@param hold { hold: integer|hold, suspended_until?: date|string }
---@return hold?
---@return refusal?
function holds.suspend(hold) end

---Ends the suspension of a hold.
---@param hold integer|hold
---@return hold?
---@return refusal?
function holds.resume(hold) end

---Changes where a hold is picked up; a copy that is on the shelf elsewhere travels there.
---@param hold { hold: integer|hold, pickup_branch: string|branch }
---@return hold?
---@return refusal?
function holds.set_pickup(hold) end

---Messages to patrons.
notifications = {}

---Lists messages, the latest first.
---@param query? { patron?: string|integer|patron, unread?: boolean, limit?: integer }
---@return notice[]
function notifications.list(query) end

---Lists what waits to be sent, the oldest first.
---@param query? { limit?: integer }
---@return notice[]
function notifications.outbox(query) end

---Puts a message into the outbox, once for each key.
---
---A repeated key gives the message that is there, so that a chore may be run twice. The channel `inbox` delivers at once.
---@param message { patron: string|integer|patron, channel?: string, subject: string, body: string, key: string }
---@return notice?
---@return refusal?
function notifications.send(message) end

---Marks a message as read.
---@param notice integer|notice
---@return notice?
---@return refusal?
function notifications.mark_read(notice) end

---Takes a message out of the outbox before it is sent.
---@param notice integer|notice
---@return notice?
---@return refusal?
function notifications.cancel(notice) end

---Looks at every open loan that is due or nearly so: posts fines, queues notices. Nothing is done twice.
---
---Outside of `store.transaction` it commits page by page and may be stopped and repeated.
---@return sweep
function notifications.sweep() end

---Patrons' accounts: a ledger, of which a balance is the sum.
fees = {}

---Says what a patron owes; a negative amount is what the library owes.
---@param patron string|integer|patron
---@return money
function fees.owed(patron) end

---Lists the lines of a patron's account, the oldest first.
---@param patron string|integer|patron
---@return ledger_entry[]
function fees.ledger(patron) end

---Posts a charge, once for each key; without a key, each time.
---
---A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param charge { patron: string|integer|patron, amount: money|string, label: string, key?: string, loan?: integer|loan }
---@return ledger_entry?
---@return refusal?
function fees.charge(charge) end

---Takes a payment of no more than what is owed.
---
---A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param payment { patron: string|integer|patron, amount: money|string, note?: string, key?: string }
---@return ledger_entry?
---@return refusal?
function fees.pay(payment) end

---Lets a patron off a part of what is owed, or off a whole charge or fine.
---
---A charge is waived once: asked again, the line that is there is given. A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param waiver { patron: string|integer|patron, amount?: money|string, entry?: integer|ledger_entry, reason: string, key?: string }
---@return ledger_entry?
---@return refusal?
function fees.waive(waiver) end

---Gives money back: an amount, a whole payment, or what was paid for a whole charge or fine.
---
---No more than was paid and not given back before. A refund never makes the patron owe more: what the library owes goes first, and beyond that as much is taken off the charges by an adjustment. Of a charge that is refunded the whole is taken off. A line is refunded once: asked again, the line that is there is given. A key repeated with the same amount changes nothing and gives the line that is there; with another amount it is refused with `exists`.
---@param refund { patron: string|integer|patron, amount?: money|string, entry?: integer|ledger_entry, reason: string, key?: string }
---@return ledger_entry?
---@return refusal?
function fees.refund(refund) end

---The branches of the library.
branches = {}

---Finds one branch by its code.
---@param branch string|branch
---@return branch?
function branches.get(branch) end

---Goes through all branches, the first one first.
---@return fun(): branch?
function branches.each() end

---Adds a branch; it is always open until `calendar.set_hours` says otherwise.
---@param branch { code: string, name: string, time_zone?: string }
---@return branch?
---@return refusal?
function branches.add(branch) end

---Changes what is given of a branch; the rest stays.
---@param branch string|branch which branch
---@param changes? { name?: string, time_zone?: string }
---@return branch?
---@return refusal?
function branches.update(branch, changes) end

---Removes a branch to which nothing belongs.
---@param branch string|branch
---@return branch?
---@return refusal?
function branches.remove(branch) end

---The categories of patrons.
categories = {}

---Finds one category by its code.
---@param category string|category
---@return category?
function categories.get(category) end

---Goes through all categories.
---@return fun(): category?
function categories.each() end

---Adds a category.
---@param category { code: string, name: string }
---@return category?
---@return refusal?
function categories.add(category) end

---Changes the name of a category.
---@param category string|category which category
---@param changes { name: string }
---@return category?
---@return refusal?
function categories.update(category, changes) end

---Removes a category that no patron has.
---@param category string|category
---@return category?
---@return refusal?
function categories.remove(category) end

---The types of items.
item_types = {}

---Finds one item type by its code.
---@param item_type string|item_type
---@return item_type?
function item_types.get(item_type) end

---Goes through all item types.
---@return fun(): item_type?
function item_types.each() end

---Adds an item type.
---@param item_type { code: string, name: string, parent?: string|item_type }
---@return item_type?
---@return refusal?
function item_types.add(item_type) end

---Changes what is given of an item type; the rest stays.
---@param item_type string|item_type which item type
---@param changes? { name?: string, parent?: string|item_type }
---@return item_type?
---@return refusal?
function item_types.update(item_type, changes) end

---Removes an item type that no copy has.
---@param item_type string|item_type
---@return item_type?
---@return refusal?
function item_types.remove(item_type) end

---When a branch is open.
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
---@param closure { from: date|string, to?: date|string, reason?: string, branch?: string|branch, move_due?: boolean }
---@return integer?
---@return refusal?
function calendar.close(closure) end

---Opens a branch on a day in spite of every closure, with hours of its own if they are given.
---@param opening { date: date|string, hours?: string[][], branch?: string|branch }
---@return integer?
---@return refusal?
function calendar.reopen(opening) end

---Sets the weekly hours of one weekday; an empty list closes it.
---@param change { weekday: "mon"|"tue"|"wed"|"thu"|"fri"|"sat"|"sun", hours: string[][], branch?: string|branch }
---@return integer?
---@return refusal?
function calendar.set_hours(change) end

---Counts over all loans, imported history included.
stats = {}

---Counts loans by day, month, branch and the like, in the order of the keys.
---@param query { group: "day"|"week"|"month"|"year"|"branch"|"category"|"genre"|"title"|"item_type", measure?: "loans"|"renewals"|"returns"|"in_house", from?: instant|date|string, to?: instant|date|string }
---@return loan_count[]
function stats.loans_by(query) end

---Lists titles by loans for each copy, the highest first.
---@param query? { from?: instant|date|string, to?: instant|date|string, limit?: integer }
---@return lent_title[]
function stats.turnover(query) end

---Lists titles with copies that were never lent, or not since a moment.
---@param query? { since?: instant|date|string, limit?: integer }
---@return title[]
function stats.never_lent(query) end

---What a script reports: a document that the runner shows, saves or sends.
report = {}

---Declares the script's arguments, and gives their values: the table `args`.
---
---Each name has a type, or a table of `type`, `default`, `help`, `required` and `choices`. Types are `text`, `integer`, `number`, `boolean`, `date`, `instant`, `money` and `period` (a span of dates: `last_week`, `last_month`, `this_year`, `2026`, `2026-12`, `FROM..TO`; the value has `from`, `to` and `text`). On the command line they are `--name VALUE`; what is left over is `args[1]` and on.
---@param declarations any a table: name = type, or name = { type = ..., default = ..., help = ... }
---@return any
function report.params(declarations) end

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
---@param table { title?: string, columns?: any, rows: any }
function report.table(table) end

---Adds a chart.
---@param chart { kind: "bar"|"line"|"area"|"pie", title?: string, labels: any[], values?: any[], series?: { name: string, values: any[] }[], label_title?: string, value_title?: string }
function report.chart(chart) end

---Adds one figure with its name.
---@param metric { name: string, value: any, unit?: string, note?: string }
function report.metric(metric) end

---Transactions and the log of events.
store = {}

---Runs a function so that all it does at the desk happens as a whole, or not at all.
---
---An error in the function undoes everything and goes on to the caller; it is never run again by itself. Refusals inside are answers, not errors: they undo nothing, and they stay in the log even if the transaction is undone.
---@param f function called without arguments; its results are the transaction's
---@return any
function store.transaction(f) end

---Goes through what happened, in the order in which it happened.
---@param query? { since?: integer, kind?: string, patron?: string|integer|patron, copy?: string|integer|copy, loan?: integer|loan }
---@return fun(): event?
function store.events(query) end

---JSON (RFC 8259).
json = {}

---Writes a value as JSON. An empty table becomes an object, a sequence an array.
---@param value any dates, money and periods become their text
---@param pretty? boolean on several lines
---@return string
function json.encode(value, pretty) end

---Reads JSON. `null` becomes nil; a wrong text is an error with line and column.
---@param text string
---@return any
function json.decode(text) end

---CSV (RFC 4180).
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

---Lines for whoever watches the script run; they are no part of the report.
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
---@type table
args = {}
