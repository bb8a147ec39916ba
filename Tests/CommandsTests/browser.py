"""Goes through the library's pages with a real browser whose JavaScript is off, as a patron would on a telephone.

Arguments: the server's address, and the staff's password. Prints one JSON object: `said` is what the pages said at each step,
`faults` whatever is wrong with a page. Needs Debian's chromium-driver and python3-selenium.
"""

import json
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

address, password = sys.argv[1:3]
said, faults = {}, []

# What every page has to be, asked in the page itself.
LOOK = """
const wrong = [];
const named = element => element.labels?.length || element.getAttribute("aria-label");
for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
  if (!named(field)) wrong.push("no label: " + field.outerHTML);
for (const button of document.querySelectorAll("button, a"))
  if (!button.textContent.trim()) wrong.push("no words: " + button.outerHTML);
for (const field of document.querySelectorAll("[aria-describedby], [aria-labelledby]"))
  for (const name of ["aria-describedby", "aria-labelledby"])
    for (const id of (field.getAttribute(name) ?? "").split(" ").filter(Boolean))
      if (!document.getElementById(id)) wrong.push(name + " of nothing: " + id);
for (const picture of document.querySelectorAll("img"))
  if (!picture.hasAttribute("alt")) wrong.push("no alt: " + picture.outerHTML);
for (const table of document.querySelectorAll("table"))
  if (!table.caption || !table.querySelector("th[scope]")) wrong.push("no caption or headings: " + table.outerHTML);
const ids = Array.from(document.querySelectorAll("[id]"), element => element.id);
if (new Set(ids).size < ids.length) wrong.push("an id twice: " + ids);
if (document.querySelectorAll("h1").length != 1) wrong.push("not one h1");
const places = new Set();
const known = {MAIN: "main", NAV: "navigation", ASIDE: "complementary", SECTION: "region", FORM: "form"};
for (const place of document.querySelectorAll("main, nav, aside, section, form, [role=region], [role=navigation], [role=search]")) {
  const name = place.getAttribute("aria-label")
    ?? (place.getAttribute("aria-labelledby") ?? "").split(" ").map(id => document.getElementById(id)?.textContent.trim()).join(" ");
  const role = place.getAttribute("role") ?? known[place.tagName];
  if (!name && (role == "region" || role == "form")) continue;
  const said = role + " " + name;
  if (places.has(said)) wrong.push("a landmark twice: " + said);
  places.add(said);
}
if (!document.documentElement.lang || !document.title) wrong.push("no language or no title");
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  if (Number(heading.tagName[1]) > level + 1) wrong.push("a level of headings is left out: " + heading.outerHTML);
  level = Number(heading.tagName[1]);
}
for (const list of document.querySelectorAll("ul, ol"))
  for (const child of list.children) if (child.tagName != "LI") wrong.push("no item of a list: " + child.outerHTML);
for (const inner of document.querySelectorAll("a a, a button, button a, summary a, summary button, [tabindex='1']"))
  wrong.push("one in another: " + inner.outerHTML);
const colour = text => (text.match(/[\d.]+/g) ?? []).map(Number);
const light = channels => channels.slice(0, 3).map(value => value / 255)
  .map(value => value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
  .reduce((sum, value, place) => sum + value * [.2126, .7152, .0722][place], 0);
const behind = element => {
  for (; element; element = element.parentElement) {
    const found = colour(getComputedStyle(element).backgroundColor);
    if (found.length == 3 || found[3] == 1) return found;
  }
  return [255, 255, 255];
};
for (const element of document.querySelectorAll("main *")) {
  const said = Array.from(element.childNodes).some(node => node.nodeType == 3 && node.textContent.trim());
  if (!said || !element.getClientRects().length || element.closest(".unseen, svg, option")) continue;
  const style = getComputedStyle(element);
  const [one, other] = [light(colour(style.color)), light(behind(element))];
  const contrast = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  const isLarge = parseFloat(style.fontSize) >= 24;
  if (contrast < (isLarge ? 3 : 4.5)) wrong.push("contrast of " + contrast.toFixed(2) + ": " + element.outerHTML);
}
if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen: " + document.documentElement.scrollWidth);
return wrong;
"""


def browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions"]:
        options.add_argument(word)
    options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def width(pixels):
    metrics = {"width": pixels, "height": 800, "deviceScaleFactor": 1, "mobile": pixels < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def look():
    """Looks at the page as a telephone and as a desk has it."""
    for pixels in [320, 390, 640, 1280]:
        width(pixels)
        faults.extend(f"{driver.current_url} at {pixels}: {wrong}" for wrong in driver.execute_script(LOOK))
    for entry in driver.get_log("browser"):
        # A page that says no is an error to the console, and none to us.
        if entry["level"] in ("SEVERE", "WARNING") and "status of 4" not in entry["message"]:
            faults.append(f"{driver.current_url}: {entry['message']}")


def open_page(path):
    driver.get(address + path)
    look()


def fill(**fields):
    for name, value in fields.items():
        driver.find_element(By.CSS_SELECTOR, f"main [name={name}]").send_keys(value)


def press(words):
    driver.find_element(By.XPATH, f"//button[starts-with(normalize-space(), '{words}')]").click()
    look()


def keep(step, selector="main"):
    said[step] = driver.find_element(By.CSS_SELECTOR, selector).text


driver = browser()
try:
    open_page("/")
    said["script"] = driver.execute_script("return document.querySelectorAll('script').length")
    open_page("/sign-up")
    fill(username="zoe", password="a good password", name="Zoe")
    press("Sign up")
    fill(query="emma")
    Select(driver.find_element(By.NAME, "by")).select_by_value("title")
    press("Search")
    keep("found", "main [role=status]")
    driver.find_element(By.LINK_TEXT, "Emma").click()
    look()
    emma = driver.current_url[len(address) :]
    press("Check out")
    keep("borrowed", "main [role=status]")
    open_page("/search?query=ema")
    keep("meant", "main")
    open_page("/search")
    driver.find_element(By.CSS_SELECTOR, ".facets a").click()
    look()
    keep("narrowed", ".chosen")
    open_page("/search?order=year")
    open_page("/me")
    press("Log out")

    open_page("/log-in?next=" + emma)
    fill(username="sam", password="wrong horses")
    press("Log in")
    keep("wrong", "[role=alert]")
    fill(password=password)
    press("Log in")
    keep("refused", ".note")
    for path in ["/search?query=c", "/cart", "/market", "/me", "/me/details", "/me/access", "/me/leave", "/me/listings/new", "/me/suggestions",
                 "/desk", "/desk/patrons/new", "/desk/patrons/1/edit", "/desk/patrons/1/merge", "/desk/patrons/1/password", "/desk/titles?query=e",
                 "/desk/titles/new", "/desk/titles/1", "/desk/titles/1/edit", "/desk/holds", "/desk/holds/pull", "/desk/overdue", "/desk/cash",
                 "/desk/cash/closing", "/desk/notices", "/desk/patrons/1/receipt", "/desk/returns", "/desk/returns?at=2026-11-20T09:00", "/desk?patron=sam", "/desk/patrons?query=s", "/desk/patrons/1", "/desk/suggestions", "/desk/lists", "/lists", "/me/lists",
                 "/desk/policy?patron=sam&item=9780141439587", "/desk/reports", "/desk/reports/overdue"]:
        open_page(path)
    open_page("/desk?patron=sam")
    fill(item="9780140449136")
    press("Check out")
    keep("lent", "main [role=status]")
    driver.find_element(By.CSS_SELECTOR, "#who a").click()
    look()
    open_page("/nowhere")
    keep("nowhere", "h1")
    said["cookies"] = [[cookie["httpOnly"], cookie.get("sameSite")] for cookie in driver.get_cookies()]
except Exception:
    print(driver.current_url, driver.find_element(By.TAG_NAME, "body").text, sep="\n", file=sys.stderr)
    raise
finally:
    driver.quit()
print(json.dumps({"said": said, "faults": faults}))
