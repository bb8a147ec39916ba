"""Fills in the form of a new title by its ISBN in a real browser, with its JavaScript and without.

Arguments: the server's address, the staff's password, and an ISBN that the service for book data knows. Prints one JSON object: `on`
and `off` are what the form had at each step, `faults` what the browser complained of. Needs Debian's chromium-driver and
python3-selenium.
"""

import json
import sys

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

address, password, isbn = sys.argv[1:4]
faults = []


def browser(script):
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions"]:
        options.add_argument(word)
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Visit:
    def __init__(self, script):
        self.driver, self.script, self.kept = browser(script), script, {}
        self.driver.get(address + "/log-in")
        self.field("username").send_keys("sam")
        self.field("password").send_keys(password)
        self.press("Log in")
        WebDriverWait(self.driver, 60).until(lambda driver: not driver.current_url.endswith("/log-in"))

    def field(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f"main [name={name}]")

    def press(self, words):
        self.driver.find_element(By.XPATH, f"//main//button[starts-with(normalize-space(), '{words}')]").click()

    def begin(self, **fields):
        self.driver.get(address + "/desk/titles/new")
        for name, value in fields.items():
            self.field(name).send_keys(value)

    def said(self):
        return self.driver.find_element(By.ID, "looked-up").text

    def keep(self, step):
        """What the form has once something was said."""
        # A page that is on its way out has nothing to say any more.
        leaving = [NoSuchElementException, StaleElementReferenceException]
        WebDriverWait(self.driver, 60, ignored_exceptions=leaving).until(lambda driver: self.said())
        values = {name: self.field(name).get_attribute("value") for name in ["isbn", "title", "authors", "publisher", "year"]}
        self.kept[step] = values | {"said": self.said(), "path": self.driver.current_url[len(address) :]}

    def go(self):
        self.begin(isbn=isbn, publisher="Faber")
        self.press("Fill in from ISBN")
        self.keep("filled")
        if self.script:
            # A second time in the same form, and by a scanner's Enter.
            self.field("isbn").clear()
            self.field("isbn").send_keys("12345")
            self.press("Fill in from ISBN")
            WebDriverWait(self.driver, 60).until(lambda driver: "10 or 13" in self.said())
            self.keep("again")
            self.begin()
            self.field("isbn").send_keys(isbn + Keys.ENTER)
            self.keep("scanned")
        self.begin(isbn="12345", title="Mine")
        self.press("Fill in from ISBN")
        self.keep("wrong")
        self.begin(isbn="9780330483292")
        self.press("Fill in from ISBN")
        self.keep("unknown")
        if self.script:
            # What was filled in is what has been added.
            self.begin(isbn=isbn)
            self.press("Fill in from ISBN")
            self.keep("added")
            self.press("Add")
            WebDriverWait(self.driver, 60).until(lambda driver: driver.find_element(By.TAG_NAME, "h1").text == self.kept["added"]["title"])
            self.begin(isbn=isbn)
            self.press("Fill in from ISBN")
            self.keep("present")
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING") and "status of 4" not in entry["message"]:
                faults.append(entry["message"])
        self.driver.quit()
        return self.kept


# Without JavaScript first: with it the title has been added in the end.
print(json.dumps({"off": Visit(False).go(), "on": Visit(True).go(), "faults": faults}))
